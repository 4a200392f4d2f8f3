package dev.remora.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// The test runs outside programs, such as `@NeedsTool("helm")`. Where one is absent the test is skipped by name, and
/// with `CI=true` it fails instead. [Tools] gives their paths.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsToolCondition.class)
public @interface NeedsTool {
    String[] value();
}
