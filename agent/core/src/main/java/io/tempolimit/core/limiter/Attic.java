package io.tempolimit.core.limiter;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.memory.NotBefore;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Limit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of keys that are not there: of those that were evicted, and of those of an earlier run that nobody has used in
 * this one. A key that is made anew takes it in, so no host is paced faster because its key was evicted.
 *
 * <p>Most of them only owe their bucket something, for a while. That takes a few bytes ({@link NotBefore}). Of those that were
 * blocked, have learnt something or have windows, everything is kept, of as many as there may be keys. Of those beyond that, the rest
 * that still runs is kept in a few bytes as well. In a fleet, Redis remembers all but the bucket that a worker uses when it is alone.
 *
 * <p>Not thread-safe.
 */
final class Attic {
    private final boolean alone;
    /** The oldest first. */
    private final Map<String, Remembered> states = new LinkedHashMap<>();
    private final NotBefore buckets;
    private final NotBefore rests;
    /** Whether all that is known is kept over restarts. */
    private boolean saved;

    Attic(boolean alone, long seed) {
        this.alone = alone;
        buckets = new NotBefore(seed);
        rests = new NotBefore(~seed);
    }

    /** What is known from before; and from now on all of it is kept over a restart. */
    void load(Map<String, Remembered> before, long now) {
        saved = true;
        long wall = System.currentTimeMillis();
        before.forEach((name, r) -> states.put(name, r.readBack(wall, now)));
    }

    /** All that is to be kept over a restart; null if nothing is. */
    Map<String, Remembered> toSave() {
        return saved ? new LinkedHashMap<>(states) : null;
    }

    /** This key is forgotten now. */
    void keep(HostKey key, int most, long now) {
        if (key.policy() == null) {
            return;
        }
        Remembered known = alone && (saved || new Retention(key).knows()) ? new Retention(key).save(System.currentTimeMillis()) : null;
        if (known == null) {
            buckets.put(key.name(), new Retention(key).bucketFull(), now);
            return;
        }
        states.remove(key.name());
        states.put(key.name(), known);
        for (Iterator<Map.Entry<String, Remembered>> eldest = states.entrySet().iterator(); states.size() > most; ) {
            Map.Entry<String, Remembered> e = eldest.next();
            keepLittle(e.getKey(), e.getValue(), now);
            eldest.remove();
        }
    }

    private void keepLittle(String name, Remembered r, long now) {
        long then = now - r.ago(System.currentTimeMillis(), now);
        buckets.put(name, then + Math.min(r.bucket(), Limit.HORIZON), now);
        try {
            long rest = r.forLife() ? Limit.HORIZON : r.circuit() == null ? 0 : Circuit.restIn(r.circuit());
            rests.put(name, then + Math.min(rest, Limit.HORIZON), now);
        } catch (IllegalArgumentException e) {
            // a damaged one of another run's
        }
    }

    /** A key is made, and nobody uses it yet; whether all that is known of it could be read. */
    boolean restore(HostKey made, long now) {
        Remembered before = states.remove(made.name());
        boolean good = before == null || new Retention(made).restore(before, System.currentTimeMillis());
        new Retention(made).owes(buckets.get(made.name(), now), now);
        long rest = rests.get(made.name(), now) - now;
        if (rest > 0) {
            new Retention(made).rests(rest, now);
        }
        return good;
    }
}
