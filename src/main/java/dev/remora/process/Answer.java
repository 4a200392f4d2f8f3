package dev.remora.process;

import java.time.Duration;
import java.util.Optional;

/// What came of a [Question]. However it went, nothing that the standing process started for it is alive any more.
public sealed interface Answer {
    /// It answered with one line.
    ///
    /// @param text without the line's end
    /// @param stderr what it said meanwhile, head and tail
    /// @param residentBytes the memory that it holds now; 0 if it has ended since
    /// @param late why nobody wants the answer any more: a limit had fired, or the caller had gone, and the process
    ///     answered after it was asked to give up
    @SuppressWarnings("ArrayRecordComponent") // megabytes, handed on once; nobody compares them
    record Line(byte[] text, String stderr, Duration took, long residentBytes, Optional<Outcome> late)
            implements Answer {
        @Override
        public String toString() {
            return "Line[" + text.length + " bytes, " + took + "]";
        }
    }

    /// No answer, by no fault of the question's time: it may be asked elsewhere. The process is gone.
    ///
    /// @param how in words, such as `it was ended by signal 9`
    record Gone(Why why, String how, String stderr) implements Answer {}

    /// A limit ended it, or the caller went; the outcome names which. The process is gone.
    record Stopped(Outcome outcome) implements Answer {}

    /// Why a process is gone.
    enum Why {
        NOT_STARTED,
        ENDED,
        /// It printed what nobody had asked for.
        OUT_OF_TURN,
        /// It was told to end.
        CLOSED
    }
}
