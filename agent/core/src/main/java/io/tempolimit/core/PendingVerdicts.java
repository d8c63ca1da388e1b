package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Look;
import io.tempolimit.detect.Verdict;

/**
 * The answers of one key whose head is known, and whose body may still say more; the oldest first, linked by {@link
 * Permit#next}. What the body cannot take back is done by the head at once, and told once the body names it. Kept only while
 * there is something to look for ({@link Unread}). All under the key's lock, but for {@link #settleUnread}, which takes it.
 */
final class PendingVerdicts {
    /** With more than this, the oldest has to do with its head. */
    private static final int MOST = 64;
    /** Of an answer whose body has not been read on for this long, its head decides. */
    private static final long UNREAD = 1_000_000_000L;

    private final Key key;
    private final PermitList list = new PermitList();
    private int count;
    /** What was done by an answer's head and has not been told, since its body may say better why; null if nothing. */
    private Told untold;
    /** Whether it is looked at every now and then, for answers that nobody reads. */
    private boolean attended;

    PendingVerdicts(Key key) {
        this.key = key;
    }

    // ---- the list

    private void add(Permit permit) {
        list.append(permit);
        count++;
    }

    private void remove(Permit permit) {
        list.remove(permit);
        count--;
    }

    /** Answers that nobody reads are to be looked for. */
    void attend() {
        if (!attended) {
            attended = true;
            key.limiter.unread().add(key);
        }
    }

    // ---- the head

    /** An answer's head is there, and its body may say more: what the body cannot take back is done at once. */
    Told begun(Permit permit, Look look, long now) {
        permit.finding = look.head();
        Told told = actOnHead(permit, look.atOnce(), now);
        Circuit c = key.circuit();
        if (c != null && permit.probe > 0 && c.answered(permit.probe, now + UNREAD)) {
            key.pacer.moveUp(now);
        }
        add(permit);
        if (count > MOST) {
            told = settle(list.first(), now, told);
        }
        attend();
        return told;
    }

    /** {@code head}: what of it the body cannot take back; null if that is nothing. The listener hears of it with what the body says. */
    private Told actOnHead(Permit permit, Finding head, long now) {
        Policy p = key.policy();
        if (head == null || p == null || !head.counts() && p.retryAfterMax() == 0) {
            return null;
        }
        boolean current = permit.epoch == (key.circuit() == null ? 0 : key.circuit().epoch);
        Told told = key.verdicts.judge(permit, head, now, null);
        permit.acted = true;
        permit.judgedBlock = head.counts();
        if (current && !head.counts()) {
            permit.epoch = key.circuit().epoch; // a block that the body shows belongs to the pause that its head has begun
        }
        Told before = told.takeGlobal(told.before);
        told.before = null;
        permit.untold = told;
        untold = told.effect == Circuit.Effect.NONE ? untold : told;
        return before;
    }

    /** Something is done that is to be told: what was done before is told before, with what is known of it. */
    Told tellFirst(Told before) {
        Told first = untold;
        if (first == null) {
            return before;
        }
        untold = null;
        first.permit.untold = null;
        first.before = before;
        return first;
    }

    // ---- the body

    /** Nobody reads this answer, or has gone on reading it: its head decides. */
    private Told settle(Permit permit, long now, Told before) {
        return settle(permit, permit.finding, now, before);
    }

    /** The verdict on an answer whose body may have said more than its head. */
    Told settle(Permit permit, Finding finding, long now, Told before) {
        Finding head = permit.finding;
        remove(permit);
        permit.finding = null;
        key.verdicts.countTrouble(finding.verdict());
        if (!permit.acted) {
            permit.judgedBlock = finding.verdict().isBlock();
            return key.verdicts.judge(permit, finding, now, before);
        }
        Told told = permit.untold;
        permit.untold = null;
        if (!permit.judgedBlock && finding.counts()) {
            return shownBlock(permit, finding, now, told, before);
        }
        if (told == null) {
            return before;
        }
        boolean last = untold == told;
        untold = last ? null : untold;
        told.before = before;
        told.named(finding);
        if (permit.judgedBlock && finding.verdict() != head.verdict() && key.policy() != null) {
            Circuit c = key.circuit();
            c.reason = last ? told.reason : c.reason;
            key.counters().renamed(head.verdict(), finding.verdict());
            if (finding.verdict().hard() && !head.verdict().hard()) {
                actOnHard(told, now);
            }
        }
        return told;
    }

    /**
     * The body of an answer whose head has only begun a pause shows a block.
     *
     * @param paused what is to be told of the pause; null if it was told
     */
    private Told shownBlock(Permit permit, Finding finding, long now, Told paused, Told before) {
        permit.judgedBlock = true;
        if (paused == null || key.policy() == null) {
            return key.verdicts.judge(permit, finding, now, before);
        }
        untold = untold == paused ? null : untold;
        paused.named(null);
        paused.before = before;
        Told told = key.verdicts.judge(permit, finding, now, paused);
        if (told.effect != Circuit.Effect.NONE) {
            paused.effect = Circuit.Effect.NONE; // one rest is told of once
        }
        return told;
    }

    /** A block that has counted by its head is, by its body, of a type that acts at once. */
    private void actOnHard(Told told, long now) {
        Policy p = key.policy();
        Circuit c = key.circuit();
        Verdicts verdicts = key.verdicts;
        int epoch = told.permit.epoch;
        Circuit.Effect effect = c.hard(epoch, now, verdicts.learning(p, Verdict.RATE_LIMITED, now));
        if (effect == Circuit.Effect.NONE) {
            return;
        }
        key.changed(effect, (x, t) -> x.hard(epoch, t, verdicts.learning(p, Verdict.RATE_LIMITED, t)));
        key.pacer.takeOver(p, now);
        told.before = tellFirst(told.before);
        told.of(c, effect, now, p);
        key.pacer.reschedule(now);
        if (key.fleet != null && key.fleet.record.dirty()) {
            key.fleet.calls.ask(now);
        }
    }

    // ---- answers that nobody reads

    /**
     * Answers that nobody reads have to do with their heads, and places that nobody can give back are free.
     *
     * @return whether there is more to look for later
     */
    static boolean settleUnread(Key key, long now) {
        Told told = null;
        key.lock().lock();
        try {
            PendingVerdicts pending = key.madePending();
            for (Permit u = pending.list.first(), after; u != null; u = after) {
                after = u.next;
                if (unread(u, now)) {
                    told = pending.settleByHead(u, key.circuit(), now, told);
                    after = pending.list.first(); // judging settles others
                }
            }
            Caps k = key.pacer.caps();
            if (k != null && key.pacer.reclaim(k, now)) {
                key.pacer.moveUp(now);
            }
            pending.attended = pending.list.first() != null || k != null && k.answered();
            if (!pending.attended) {
                key.nothingPends();
            }
            return pending.attended;
        } finally {
            key.lock().unlock();
            Told.tell(told, key);
        }
    }

    /** Whether nobody has read on in this answer for a while. */
    private static boolean unread(Permit answer, long now) {
        return now - answer.seen >= UNREAD;
    }

    private Told settleByHead(Permit u, Circuit c, long now, Told told) {
        boolean page = !u.acted && !u.finding.verdict().isBlock();
        if (page && c != null && c.blockedSince(u.seen)) {
            remove(u);
            key.verdicts.countTrouble(u.finding.verdict());
            u.finding = null;
            return told;
        }
        return settle(u, now, told);
    }

    /**
     * Pages that nobody reads, or has gone on reading, were pages. They come before the block that is judged now, but not
     * before earlier ones.
     */
    Told settlePages(Circuit c, long now, Told before) {
        Told told = before;
        for (Permit u = list.first(), after; u != null; u = after) {
            after = u.next;
            if (!u.acted && !u.finding.verdict().isBlock() && (!u.read || unread(u, now))) {
                told = settleByHead(u, c, now, told);
            }
        }
        return told;
    }

    /** The probe's lease is over: if its answer's head is known, that decides, unless its body is being read. */
    Told settleProbe(Circuit c, long now) {
        for (Permit u = list.first(); u != null; u = u.next) {
            if (u.probe > 0 && !u.acted && c.isProbe(u.probe)) {
                return unread(u, now) || !c.extend(u.seen + UNREAD) ? settle(u, now, null) : null;
            }
        }
        return null;
    }
}
