package io.tempolimit.core;

import io.tempolimit.core.store.Fleet;

/** Whether a worker of a {@link FakeRedis} asks it: the same rules as those of agent/redis. */
final class FakeHealth {
    private static final int IN_A_ROW = 3;
    /** After a call that failed it is looked again so soon whether others do. */
    private static final long AGAIN = 200_000_000L;
    /** For so long calls have to fail until a worker is alone. */
    private static final long LASTS = 4 * AGAIN;
    /** A worker that has called of late, and has heard nothing for so long, looks whether the store answers. */
    private static final long PULSE = 250_000_000L;
    private static final long USED = 5_000_000_000L;

    private final FakeRedis.Worker worker;
    private final TurnedClock clock;
    private final long timeout;
    boolean alone;
    private int row;
    private long lastFailed;
    private long failsSince;
    private boolean broken;
    private boolean doubts;
    private boolean pulses;
    private long usedAt;
    private long heardAt;

    FakeHealth(FakeRedis.Worker worker, TurnedClock clock, long timeout) {
        this.worker = worker;
        this.clock = clock;
        this.timeout = timeout;
    }

    long noticesWithin() {
        return PULSE + AGAIN + 2 * timeout;
    }

    /** Its connection breaks, which it is told. */
    void breaks() {
        broken = true;
        failed(clock.nanos());
    }

    /** A call that was made then has failed. What was under way when another one failed counts as one with that. */
    void failed(long begun) {
        if (row == 0 || begun - lastFailed >= 0) {
            lastFailed = clock.nanos();
            failsSince = row == 0 ? lastFailed : failsSince;
            row = alone ? 0 : row + 1;
        }
        if (!alone && row >= IN_A_ROW && lastFailed - failsSince >= LASTS) {
            alone = true;
            row = 0;
            worker.listener.lost(Fleet.State.ALONE, "no answer in time");
            worker.wakes(nextTrial(), this::trial);
        } else if (!alone && !doubts) {
            doubts = true;
            worker.wakes(clock.nanos() + AGAIN, this::lookAgain);
        }
    }

    /** Whoever goes by tokens that it has makes no calls that would tell. */
    private void lookAgain() {
        doubts = false;
        look();
    }

    /** A call is made. */
    void used() {
        usedAt = clock.nanos();
        if (!pulses) {
            pulses = true;
            worker.wakes(clock.nanos() + PULSE, this::pulse);
        }
    }

    /** The same as looking again, where it is not told that its connection is broken. */
    private void pulse() {
        pulses = !alone && clock.nanos() - usedAt < USED;
        if (!pulses) {
            return;
        }
        long due = heardAt + PULSE - clock.nanos();
        if (due <= 0) {
            look();
        }
        worker.wakes(clock.nanos() + (due > 0 ? due : PULSE), this::pulse);
    }

    /** Nobody waits for this call. */
    private void look() {
        long begun = clock.nanos();
        if (worker.cut) {
            worker.wakes(begun + (broken ? 0 : timeout), () -> failed(begun));
        } else {
            succeeded();
        }
    }

    void succeeded() {
        broken = false;
        heardAt = clock.nanos();
        if (!alone) {
            row = 0;
        }
    }

    /** All who were alone try at the same moments: they share again at one, which beat.lua tells them. */
    private long nextTrial() {
        return (clock.nanos() / timeout + 1) * timeout;
    }

    private void trial() {
        if (worker.cut) {
            row = 0;
        } else if (++row >= IN_A_ROW) {
            row = 0;
            alone = false;
            worker.link++;
            worker.listener.restored(true);
            return;
        }
        worker.wakes(nextTrial(), this::trial);
    }
}
