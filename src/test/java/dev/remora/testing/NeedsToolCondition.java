package dev.remora.testing;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Skips, or under `CI=true` fails, what [NeedsTool] marks when a tool is absent.
final class NeedsToolCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        List<String> absent = AnnotationSupport.findAnnotation(context.getElement(), NeedsTool.class).stream()
                .flatMap(needs -> Arrays.stream(needs.value()))
                .filter(tool -> Tools.find(tool).isEmpty())
                .toList();
        if (absent.isEmpty()) {
            return ConditionEvaluationResult.enabled("all tools are there");
        }
        String reason = "needs " + String.join(", ", absent) + ": run ./check, which installs it";
        if ("true".equals(System.getenv("CI"))) {
            throw new ExtensionConfigurationException(reason + "; CI=true allows no skip for a missing tool");
        }
        return ConditionEvaluationResult.disabled(reason);
    }
}
