package dev.remora.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/// The test needs a kernel whose Landlock can scope signals (ABI 6, Linux 6.12).
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "dev.remora.sandbox.Sandbox#scopesSignals",
        disabledReason = "needs a kernel whose Landlock scopes signals (6.12)")
public @interface NeedsLandlock {}
