package dev.remora.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One thing that `doctor` looked at.
///
/// @param advice the command or line that repairs it; a check that did not go well has one
/// @param repair corrects it, where that is the matter of a local file's mode
record Check(Result result, String name, String finding, Optional<String> advice, Optional<Repair> repair) {
    /// How it went.
    enum Result {
        OK("ok  "),
        WARN("WARN"),
        FAIL("FAIL");

        private final String word;

        Result(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /// Changes a local file, and tells what it did in the past tense.
    interface Repair {
        /// Does it.
        ///
        /// @throws java.io.IOException where it cannot be done
        String make() throws java.io.IOException;
    }

    static Check ok(String name, String finding) {
        return new Check(Result.OK, name, finding, Optional.empty(), Optional.empty());
    }

    static Check warn(String name, String finding, String advice) {
        return new Check(Result.WARN, name, finding, Optional.of(advice), Optional.empty());
    }

    static Check fail(String name, String finding, String advice) {
        return new Check(Result.FAIL, name, finding, Optional.of(advice), Optional.empty());
    }

    Check repairedBy(Repair change) {
        return new Check(result, name, finding, advice, Optional.of(change));
    }

    Map<String, Object> json() {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", name);
        one.put("result", result.word.strip().toLowerCase(Locale.ROOT));
        one.put("finding", finding);
        advice.ifPresent(text -> one.put("advice", text));
        return one;
    }
}
