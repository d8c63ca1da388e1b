package io.tempolimit.redis;

import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.ProgramStart;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * This worker's part in the fleet: whether Redis is there, who else is, and what others publish. Thread-safe; never blocks, never throws.
 *
 * <p>Whether Redis is asked at all is {@link #shared}. While it is not, each worker is alone. It comes back by
 * itself: three beats in a row, answered in time, and calls that failed must be answered, too. A refusal is told at once
 * and again each minute, and tried more rarely.
 */
final class RedisFleet implements Fleet {
    private static final long SECOND = 1_000_000_000L;
    /** How often it is tried whether Redis is back. */
    private static final long TRIAL = SECOND / 5;
    private static final long MINUTE = 60 * SECOND;
    /** How soon it is looked again whether requests have waited for long enough. */
    private static final long LOOK = SECOND / 100;
    /** Longest that a silent connection is given the benefit of the doubt. */
    private static final long SILENCE = 2 * SECOND;

    final FleetSettings settings;
    /** Names this worker, as no other is called; {@link UUID#randomUUID} would take 50 ms of the start. */
    final String worker = new UUID(ThreadLocalRandom.current().nextLong(), ThreadLocalRandom.current().nextLong()).toString();
    /** What times are told by that come from Redis or go there. */
    final Clock clock;
    private final Health health;
    private final Listener listener;
    private final String[] workersKey;
    private final Workers workers = new Workers();
    private final Incidents incidents;
    final String channel;

    // Written on the loop's thread or under the lock of health.
    private volatile Health.State state = Health.State.STARTING;
    /** Grows with each link to a server: what is in its buckets may be another fleet's, or nothing. */
    private volatile int links;
    /** Null: nothing has failed yet. */
    private volatile Failure trouble;
    private RedisKey failing;
    private long renewedAt;
    private boolean warnedOfRights;
    private volatile boolean wasLost;
    /** When it will be looked whether requests have waited for long enough; 0: nobody waits. */
    private long lookAt;
    /** When a refusal was told last, and which. */
    private long toldAt;
    private String told;
    /** Host and port, for a text; empty as long as there is none. */
    private volatile String where = "";
    /** What came before the first answer. */
    private final List<Runnable> early = new ArrayList<>();
    private volatile boolean closed;
    /** What is to be done on the loop's thread and came before it. */
    private final BlockingQueue<Runnable> beforeLoop = new LinkedBlockingQueue<>();
    /** Set together, under the lock of {@link #beforeLoop}; then never changed. */
    volatile Loop loop;
    Transport transport;
    private Pulse pulse;

    private RedisFleet(FleetSettings settings, Listener listener, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.listener = listener;
        this.channel = Incidents.channel(settings.prefix());
        this.workersKey = new String[] {settings.prefix() + ":workers"};
        this.health = new Health(settings.start());
        this.incidents = new Incidents(settings.prefix(), listener, clock, this::othersReturn);
    }

    /**
     * Begins to connect, in the background: after the first lines of {@code main}, for lettuce is the first to need classes of the JDK
     * whose system properties programs set there, or with the first request, whichever comes first.
     *
     * @param clock the limiter's
     */
    static RedisFleet start(FleetSettings settings, Listener listener, Clock clock) {
        RedisFleet fleet = new RedisFleet(settings, listener, clock);
        Thread opener = new Thread("tempolimit-redis-start") { // no lambdas at the start: the first of a JVM costs up to 100 ms
            @Override
            public void run() {
                ProgramStart.await();
                if (!fleet.closed) {
                    fleet.open();
                }
            }
        };
        opener.setDaemon(true);
        opener.setContextClassLoader(RedisFleet.class.getClassLoader());
        opener.start();
        return fleet;
    }

    /** On a thread of its own, for it takes a second of CPU: lettuce and netty are large, and new to this JVM. */
    private void open() {
        Loop opened;
        try {
            opened = new Loop(() -> stepped(Health.Step.CONNECTED));
            Transport made = transport(opened);
            synchronized (beforeLoop) {
                transport = made;
                pulse = new Pulse(this, opened);
                loop = opened;
                for (Runnable r; (r = beforeLoop.poll()) != null; ) {
                    opened.execute(r);
                }
            }
        } catch (Throwable t) { // an error of ours; whatever it is, nobody is to wait for an answer that never comes
            trouble = Failure.ours(t);
            wasLost = true;
            state = Health.State.ALONE;
            listener.lost(State.REFUSED, trouble());
            serve();
            return;
        }
        transport.load(); // meanwhile the loop can tell requests that their patience is over
        opened.execute(() -> {
            if (!closed) {
                renewedAt = System.nanoTime();
                stepped(Health.Step.CONNECTING);
                transport.renew();
                pulse.begin();
            }
        });
    }

    /** In place of a loop that there is not. */
    private void serve() {
        while (!closed) {
            try {
                beforeLoop.take().run();
            } catch (InterruptedException e) {
                // an application may interrupt all threads it finds; requests wait for this one
            }
        }
    }

    private void execute(Runnable task) {
        synchronized (beforeLoop) {
            if (loop == null) {
                beforeLoop.add(task);
                return;
            }
        }
        loop.execute(task);
    }

    private Transport transport(Loop on) {
        Address address = Address.parse(settings.uri(), settings.password(), settings.cluster());
        where = " at " + address.where();
        return new Transport(on, address, Duration.ofNanos(settings.timeout()), channel, new Transport.Listener() {
            @Override
            public void linked() {
                links++;
                renewedAt = System.nanoTime();
                stepped(Health.Step.LINKED);
                beat("");
            }

            @Override
            public void unlinked(Failure why) {
                failed(Script.TAKE, null, System.nanoTime(), why);
            }

            @Override
            public void published(String message) {
                incidents.published(message);
            }

            @Override
            public void warning(String text) {
                listener.warning(text);
            }
        });
    }

    @Override
    public long noticesWithin() {
        return Pulse.USED + Pulse.DOUBT + 2 * settings.timeout(); // one looks later, and notices by its next look
    }

    @Override
    public SharedKey key(String name) {
        return new RedisKey(this, name);
    }

    @Override
    public boolean shared() {
        return state != Health.State.ALONE && !closed;
    }

    @Override
    public State state() {
        Failure t = trouble;
        Health.State s = state;
        return s == Health.State.SHARED ? State.SHARED : s == Health.State.STARTING || t == null ? State.CONNECTING
                : t.refusal() ? State.REFUSED : State.ALONE;
    }

    @Override
    public String trouble() {
        Failure t = trouble;
        return state == Health.State.SHARED || t == null ? null : t.refusal() ? t.at(where) : t.what;
    }

    @Override
    public int workers() {
        return workers.alive();
    }

    @Override
    public boolean counted() {
        return workers.counted();
    }

    /** Takes this worker out of the list, and ends its thread. */
    @Override
    public void close() {
        closed = true;
        execute(() -> {
            if (loop != null && transport.linked()) {
                beat(Workers.ENDS, "", (answer, failure, took) -> end());
            } else {
                end();
            }
        });
    }

    private void end() {
        if (loop != null) {
            transport.close();
            loop.schedule(loop::end, SECOND / 10);
        }
    }

    // ---- calls

    int links() {
        return links;
    }

    boolean answering() {
        return state == Health.State.SHARED;
    }

    boolean wasLost() {
        return wasLost;
    }

    boolean closed() {
        return closed;
    }

    /** Runs a script of this key; {@code reply} hears of it in {@code redis.timeout}, or of the first answer in {@code redis.start}. */
    void run(Script script, RedisKey key, String[] keys, String[] arguments, Transport.Reply reply) {
        if (state == Health.State.STARTING) {
            ProgramStart.isOver(); // for a request waits
            long now = System.nanoTime();
            execute(() -> {
                if (state != Health.State.STARTING) {
                    run(script, key, keys, arguments, reply);
                    return;
                }
                synchronized (this) {
                    health.asked(now);
                }
                early.add(() -> run(script, key, keys, arguments, reply));
                waited();
            });
        } else if (state == Health.State.ALONE) {
            execute(() -> reply.done(null, trouble, 0));
        } else {
            long begun = System.nanoTime();
            transport.run(script, keys, arguments, (answer, failure, took) -> {
                if (failure == null) {
                    succeeded(key);
                } else {
                    failed(script, key, begun, failure);
                }
                reply.done(answer, failure, took);
            });
        }
    }

    private void stepped(Health.Step step) {
        synchronized (this) {
            health.stepped(step, System.nanoTime());
        }
        if (!early.isEmpty()) {
            waited();
        }
    }

    /** Looks whether requests have waited for long enough, now and when that may be so. */
    private void waited() {
        boolean changed;
        long left;
        long now = System.nanoTime();
        synchronized (this) {
            changed = health.waited(now);
            left = Math.max(LOOK, health.left(now));
            if (changed && trouble == null && health.step() == Health.Step.LINKED) {
                trouble = Failure.LATE;
            }
        }
        if (changed) {
            changed();
        } else if (state == Health.State.STARTING && (lookAt == 0 || now + left - lookAt < 0)) {
            long then = now + left | 1;
            lookAt = then;
            loop.schedule(() -> {
                if (lookAt == then) { // else there is a sooner one
                    lookAt = 0;
                    waited();
                }
            }, left);
        }
    }

    private void succeeded(RedisKey key) {
        boolean changed;
        pulse.heard(key != null);
        synchronized (this) {
            if (state == Health.State.ALONE && key != null) {
                return; // an answer that was under way; only trials count
            }
            changed = health.succeeded();
        }
        if (changed) {
            changed();
        }
    }

    /** Who may take tokens is not turned down, whatever else he may not do. */
    private void failed(Script script, RedisKey key, long begun, Failure why) {
        boolean changed;
        boolean refused = why.refusal() && script == Script.TAKE;
        if (why.refusal() && !refused && !warnedOfRights) {
            warnedOfRights = true;
            listener.warning("Redis does not let this user share blocks and cooldowns (" + why.at(where) + ")");
        }
        synchronized (this) {
            changed = refused ? health.refused() : health.failed(begun, System.nanoTime());
            if (key != null) {
                failing = key;
            }
            trouble = why;
        }
        if (changed) {
            changed();
        } else if (state == Health.State.ALONE && refused) {
            tellRefusal();
        } else if (state == Health.State.SHARED) {
            pulse.doubt();
        }
    }

    /** Looks whether Redis is still there. */
    void look() {
        if (state == Health.State.SHARED && transport.linked()) {
            beat("");
        } else if (state == Health.State.SHARED) {
            failed(Script.TAKE, null, System.nanoTime(), trouble);
        }
    }

    /** Unless it was told within the last minute. */
    private void tellRefusal() {
        long now = System.nanoTime();
        String text = trouble();
        if (!closed && (told == null || !told.equals(text) || now - toldAt >= MINUTE)) {
            told = text;
            toldAt = now;
            listener.lost(State.REFUSED, text);
        }
    }

    /** On the loop's thread. */
    private void changed() {
        state = health.state();
        if (state == Health.State.ALONE) {
            wasLost = true;
            if (state() == State.REFUSED) {
                tellRefusal();
            } else if (!closed) { // at the end it is no news
                listener.lost(state(), trouble == null ? "still connecting" : trouble());
            }
            loop.schedule(this::trial, TRIAL);
        } else {
            if (wasLost) {
                links++; // all buckets are taken for empty: this worker has had its share meanwhile
                workers.countAnew(System.nanoTime());
            }
            failing = null;
            told = null;
            listener.restored(wasLost);
        }
        List<Runnable> waiting = new ArrayList<>(early);
        early.clear();
        for (Runnable r : waiting) {
            r.run();
        }
    }

    // ---- beats

    /** Tells how this worker is. {@code moment}: of the others' return, if it has heard of that and shares; or empty. */
    private void beat(String how, String moment, Transport.Reply reply) {
        transport.run(Script.BEAT, workersKey, new String[] {worker, Long.toString(Workers.ALIVE / 1_000_000), how, moment}, reply);
    }

    /** Others were alone, and wait for that moment. Who shares still says so. */
    private void othersReturn(String moment) {
        if (state == Health.State.SHARED) {
            beat(moment);
        }
    }

    private void beat(String moment) {
        if (!transport.linked()) {
            return;
        }
        long begun = System.nanoTime();
        beat(Workers.LIVES, moment, (answer, failure, took) -> {
            if (failure == null) {
                workers.answered(answer, state == Health.State.SHARED, System.nanoTime());
                succeeded(null);
            } else {
                failed(Script.TAKE, null, begun, failure);
                if (state == Health.State.STARTING) { // all of ours is new to the JVM, and slow
                    loop.schedule(() -> beat(moment), TRIAL);
                }
            }
        });
    }

    /** Whether Redis is back: a beat, and what failed. */
    private void trial() {
        if (closed || state != Health.State.ALONE) {
            return;
        }
        long now = System.nanoTime();
        if (transport.linked() && now - renewedAt > (state() == State.REFUSED ? Transport.REFUSED_RETRY : SILENCE)) {
            renewedAt = now;
            transport.renew(); // it may be mended, or there may be another one in its place by now
        }
        if (!transport.linked()) { // which is tried again and again
            loop.schedule(this::trial, TRIAL);
            return;
        }
        boolean returns;
        synchronized (this) {
            returns = health.isAlmostBack();
        }
        long[] pause = new long[1];
        Transport.Reply judged = (answer, failure, took) -> {
            if (failure == null) {
                renewedAt = System.nanoTime();
                loop.schedule(pause[0] > TRIAL ? this::trial : this::triedWell, Math.min(pause[0], TRIAL)); // who waits says so
            } else {
                failed(Script.TAKE, null, now, failure);
                loop.schedule(this::trial, TRIAL);
            }
        };
        beat(returns ? Workers.RETURNS : Workers.LIVES, "", (answer, failure, took) -> {
            if (failure == null) {
                workers.answered(answer, state == Health.State.SHARED, System.nanoTime());
                pause[0] = workers.untilAllReturn(answer, returns, System.nanoTime());
            }
            if (failure != null || failing == null) {
                judged.done(answer, failure, took);
            } else {
                transport.run(Script.TAKE, failing.keys(), failing.trial(), judged);
            }
        });
    }

    private void triedWell() {
        if (!closed) {
            succeeded(null);
            loop.schedule(this::trial, TRIAL);
        }
    }

    /** There are records of a later version, which are left alone. */
    void laterVersion() {
        incidents.laterVersion();
    }
}
