package dev.remora.git;

/// One comparison of a range, such as `>=1.2` or `~1.x`.
///
/// @param version with zeros where it is open
/// @param open from which part on it was left out or written `x`
record RangeTerm(Operator operator, SemanticVersion version, Open open) {
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        ABOVE,
        BELOW,
        AT_LEAST,
        AT_MOST,
        TILDE,
        CARET;

        static Operator of(String written) {
            return switch (written) {
                case "", "=" -> EQUAL;
                case "!=" -> NOT_EQUAL;
                case ">" -> ABOVE;
                case "<" -> BELOW;
                case ">=", "=>" -> AT_LEAST;
                case "<=", "=<" -> AT_MOST;
                case "~", "~>" -> TILDE;
                case "^" -> CARET;
                default -> throw new IllegalArgumentException(written);
            };
        }
    }

    enum Open {
        NOTHING,
        PATCH,
        MINOR,
        MAJOR
    }

    /// Whether the term holds; pre-releases were sorted out before.
    boolean admits(SemanticVersion candidate) {
        return switch (operator) {
            case EQUAL -> open == Open.NOTHING ? candidate.compareTo(version) == 0 : inTilde(candidate);
            case NOT_EQUAL -> differs(candidate);
            case ABOVE -> isAbove(candidate);
            case BELOW -> candidate.compareTo(version) < 0;
            case AT_LEAST -> candidate.compareTo(version) >= 0;
            case AT_MOST -> isAtMost(candidate);
            case TILDE -> inTilde(candidate);
            case CARET -> inCaret(candidate);
        };
    }

    private int majors(SemanticVersion candidate) {
        return Long.compareUnsigned(candidate.major(), version.major());
    }

    private int minors(SemanticVersion candidate) {
        return Long.compareUnsigned(candidate.minor(), version.minor());
    }

    private boolean differs(SemanticVersion candidate) {
        return switch (open) {
            case NOTHING, MAJOR -> candidate.compareTo(version) != 0;
            case MINOR -> majors(candidate) != 0;
            case PATCH ->
                majors(candidate) != 0
                        || minors(candidate) != 0
                        || SemanticVersion.comparePre(candidate.pre(), version.pre()) != 0;
        };
    }

    /// `>11` means 12 and above, `>11.1` means 11.2 and above.
    private boolean isAbove(SemanticVersion candidate) {
        if (open == Open.NOTHING) {
            return candidate.compareTo(version) > 0;
        }
        if (majors(candidate) != 0) {
            return majors(candidate) > 0;
        }
        return switch (open) {
            case MINOR -> false;
            case PATCH -> minors(candidate) > 0;
            case NOTHING, MAJOR -> candidate.compareTo(version) > 0;
        };
    }

    /// `<=11` includes all of 11.
    private boolean isAtMost(SemanticVersion candidate) {
        if (open == Open.NOTHING) {
            return candidate.compareTo(version) <= 0;
        }
        return majors(candidate) < 0 || (majors(candidate) == 0 && (open == Open.MINOR || minors(candidate) <= 0));
    }

    /// The same minor version, or the same major one where the minor is open. `~0.0.0` and `~*` hold everything,
    /// which is what Argo CD's library does.
    private boolean inTilde(SemanticVersion candidate) {
        if (candidate.compareTo(version) < 0) {
            return false;
        }
        boolean zero = version.major() == 0 && version.minor() == 0 && version.patch() == 0;
        if (zero && (open == Open.NOTHING || open == Open.MAJOR)) {
            return true;
        }
        return majors(candidate) == 0 && (minors(candidate) == 0 || open == Open.MINOR);
    }

    /// Nothing left of the first number that is not zero may move.
    private boolean inCaret(SemanticVersion candidate) {
        if (candidate.compareTo(version) < 0) {
            return false;
        }
        if (version.major() != 0 || open == Open.MINOR) {
            return majors(candidate) == 0;
        }
        if (candidate.major() != 0) {
            return false;
        }
        if (version.minor() != 0 || open == Open.PATCH) {
            return minors(candidate) == 0;
        }
        return candidate.minor() == 0 && candidate.patch() == version.patch();
    }
}
