package io.tempolimit.core.key;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.memory.Evictable;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import java.util.Collections;
import java.util.List;

/**
 * What would be lost with a key, and what is kept of it: in the limiter's {@code Attic} when it is forgotten, and over a restart. Made
 * for one question; takes the key's lock itself, but for what comes before anybody uses the key.
 */
public final class Retention {
    private final HostKey key;

    public Retention(HostKey key) {
        this.key = key;
    }

    // ---- whether it may be forgotten

    /** Whether nobody waits and nothing is in flight, but for what was lost. */
    public boolean idle(long now) {
        Caps k = key.pacer.caps();
        if (key.pacer.queue().waiting() != 0 || k == null) {
            return key.pacer.queue().waiting() == 0 && noneActive(now);
        }
        key.lock().lock();
        try {
            key.pacer.reclaim(k, now); // some of those that are active may be lost
            return k.inFlight() == 0 && noneActive(now);
        } finally {
            key.lock().unlock();
        }
    }

    /** A request that nobody has ended for so long is taken for lost, as its place would be: else its host were in use for ever. */
    private boolean noneActive(long now) {
        return key.active() == 0 || now - key.lastRequest() >= Caps.UNANSWERED;
    }

    /** Whether its bucket is full and its windows are empty, so that nothing of it is forgotten with the key. */
    public boolean full(long now) {
        Caps k = key.pacer.caps();
        if (key.pacer.bucket.get() - now > 0 || k == null) {
            return key.pacer.bucket.get() - now <= 0;
        }
        key.lock().lock();
        try {
            return k.unused(now);
        } finally {
            key.lock().unlock();
        }
    }

    /** See {@link Evictable#standing}. */
    int standing(long now) {
        if (!idle(now)) {
            return Evictable.IN_USE;
        }
        if (key.circuit() == null) {
            return full(now) ? Evictable.IDLE : Evictable.OWES;
        }
        key.lock().lock();
        try {
            if (key.blockedForLife()) {
                return Evictable.BLOCKED;
            }
            return key.circuit().rests(now) ? Evictable.RESTS : full(now) ? Evictable.IDLE : Evictable.OWES;
        } finally {
            key.lock().unlock();
        }
    }

    /** See {@link Evictable#standingEnds}. */
    long standingEnds(long now) {
        key.lock().lock();
        try {
            Circuit c = key.circuit();
            if (c != null && c.rests(now)) {
                return c.until;
            }
            long full = key.pacer.bucket.get();
            Caps k = key.pacer.caps();
            long empty = k == null ? now : k.emptyAt(now);
            return full - empty > 0 ? full : empty;
        } finally {
            key.lock().unlock();
        }
    }

    // ---- what is kept in the attic

    /** Whether there is more to remember than what its bucket owes. */
    public boolean knows() {
        long now = key.now();
        key.lock().lock();
        try {
            Circuit c = key.circuit();
            Caps k = key.pacer.caps();
            return c != null && !c.unknown() || key.verdicts() != null && key.verdicts().known() || k != null && !k.unused(now);
        } finally {
            key.lock().unlock();
        }
    }

    /** When its bucket is full. */
    public long bucketFull() {
        return key.pacer.bucket.get();
    }

    /** What a key of this name still owes when it was forgotten. Before anybody uses this one. */
    public void owes(long full, long now) {
        Limit l = key.limit();
        if (l != null && full - now > 0) {
            long most = now + l.tolerance + l.interval; // it cannot be more than empty
            long at = full - most > 0 ? most : full;
            key.pacer.bucket.set(at - key.pacer.bucket.get() > 0 ? at : key.pacer.bucket.get());
        }
    }

    /** A key of this name rested this long still when it was forgotten. Before anybody uses this one. */
    public void rests(long length, long now) {
        Policy p = key.policy();
        if (p != null) {
            key.circuit(p).join(length, Circuit.beyond(length, p), now);
        }
    }

    /** A request came to a key of this name that was forgotten. */
    public void pay(long now) {
        key.pacer.takeToken(now);
    }

    // ---- over a restart

    /** What it knows of its site; null if that is nothing. */
    public Remembered save(long wall) {
        key.lock().lock();
        try {
            long now = key.now();
            Circuit c = key.circuit();
            Caps k = key.pacer.caps();
            long ahead = Math.max(0, key.pacer.ahead(now)); // who waits now will not be there after a restart
            String saved = c == null ? null : c.save(now);
            String learned = key.verdicts() == null ? null : key.verdicts().save(now);
            List<String> windows = k == null ? Collections.<String>emptyList() : k.save(now);
            boolean nothing = ahead == 0 && saved == null && learned == null && windows.isEmpty();
            return nothing ? null : new Remembered(wall, ahead, saved, learned, windows, now, key.blockedForLife());
        } finally {
            key.lock().unlock();
        }
    }

    /** Takes in what a key of this name has known; whether all of it could be read. Before anybody uses this key. */
    public boolean restore(Remembered before, long wall) {
        Policy p = key.policy();
        if (p == null) {
            return true;
        }
        long now = key.now();
        long ago = before.ago(wall, now);
        boolean good = before.learned() == null || !p.learns() || key.madeVerdicts().restore(before.learned(), ago, p, now);
        Caps k = key.pacer.caps(p, now);
        good &= k == null || k.restore(before.windows(), ago, now);
        good &= before.circuit() == null || restoreCircuit(before, ago, p, now);
        long most = key.limit().tolerance + key.limit().interval; // it cannot be more than empty
        key.pacer.bucket.set(now + Math.max(0, Math.min(before.bucket(), most) - ago));
        return good;
    }

    private boolean restoreCircuit(Remembered before, long ago, Policy p, long now) {
        Circuit c = key.circuit(p);
        try {
            c.restore(before.circuit(), ago, !p.global(), now);
            if (before.forLife()) {
                c.blockForLife(now);
            }
            return true;
        } catch (RuntimeException e) { // whatever a damaged file holds
            return false;
        }
    }
}
