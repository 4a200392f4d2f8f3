package dev.remora.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/// The test needs user 0: it mounts a file system, or changes to another user.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(value = "dev.remora.testing.Host#isRoot", disabledReason = "needs to run as root")
public @interface NeedsRoot {}
