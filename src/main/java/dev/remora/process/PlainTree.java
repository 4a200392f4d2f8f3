package dev.remora.process;

/// The tree elsewhere.
final class PlainTree implements ProcessTree {
    @Override
    public Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
