package dev.remora.process;

/// What a [StandingProcess] is asked: a line for its standard input.
///
/// @param line complete, its end included
/// @param cancelLine a line that asks it to give up, sent when a limit fires or the caller goes
/// @param answerBytes the most that the line of the answer may have
/// @param answerLimit what is called the limit when it has more, in bytes of output
@SuppressWarnings("ArrayRecordComponent") // written once; nobody compares them
public record Question(
        byte[] line,
        byte[] cancelLine,
        long answerBytes,
        long answerLimit,
        TimeLimits time,
        Cancellation cancellation) {

    @Override
    public String toString() {
        return "Question[" + line.length + " bytes]";
    }
}
