package io.tempolimit.core;

/** Something that happens in a {@link FakeRedis}; of what happens at one time, in the order in which that was said. */
final class FakeEvent implements Comparable<FakeEvent> {
    final long time;
    private final long order;
    final Runnable what;

    FakeEvent(long time, long order, Runnable what) {
        this.time = time;
        this.order = order;
        this.what = what;
    }

    @Override
    public int compareTo(FakeEvent other) {
        return time != other.time ? Long.signum(time - other.time) : Long.compare(order, other.order);
    }
}
