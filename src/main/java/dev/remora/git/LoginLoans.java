package dev.remora.git;

import dev.remora.process.Cancellation;

/// What a plugin's git may borrow: the login of one source, for the time of one call (docs/spec/git.md, "Lending").
/// Made by `GitRepositories.loans`.
public final class LoginLoans {
    /// Lends nothing.
    public static final LoginLoans NONE = new LoginLoans();

    private LoginLoans() {}

    /// Lends to a command of this process.
    public LocalLoan local(Cancellation cancellation) {
        return LocalLoan.NOTHING;
    }
}
