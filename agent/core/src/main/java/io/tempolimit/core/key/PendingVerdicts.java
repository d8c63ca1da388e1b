package io.tempolimit.core.key;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.pace.Outcome;
import io.tempolimit.core.pace.Unread;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.runtime.Chain;
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

    private final HostKey key;
    private final Chain<Reservation> list = new Chain<>();
    private int count;
    /** What was done by an answer's head and has not been told, since its body may say better why; null if nothing. */
    private Outcome untold;
    /** Whether it is looked at every now and then, for answers that nobody reads. */
    private boolean attended;

    PendingVerdicts(HostKey key) {
        this.key = key;
    }

    // ---- the list

    private void add(Exchange permit) {
        list.append(permit);
        count++;
    }

    private Exchange first() {
        return (Exchange) list.first();
    }

    private static Exchange after(Exchange permit) {
        return (Exchange) permit.next();
    }

    private void remove(Exchange permit) {
        list.remove(permit);
        count--;
    }

    /** Answers that nobody reads are to be looked for. */
    void attend() {
        if (!attended) {
            attended = true;
            key.common.unread.add(key);
        }
    }

    // ---- the head

    /** An answer's head is there, and its body may say more: what the body cannot take back is done at once. */
    void begun(Exchange permit, Look look, long now) {
        permit.finding = look.head();
        actOnHead(permit, look.atOnce(), now);
        Circuit c = key.circuit();
        if (c != null && permit.probe > 0 && c.answered(permit.probe, now + UNREAD)) {
            key.pacer.moveUp(now);
        }
        add(permit);
        if (count > MOST) {
            settle(first(), now);
        }
        attend();
    }

    /** {@code head}: what of it the body cannot take back; null if that is nothing. The listener hears of it with what the body says. */
    private void actOnHead(Exchange permit, Finding head, long now) {
        Policy p = key.policy();
        if (head == null || p == null || !head.counts() && p.retryAfterMax() == 0) {
            return;
        }
        boolean current = permit.epoch == (key.circuit() == null ? 0 : key.circuit().epoch);
        Outcome outcome = key.madeVerdicts().judge(permit, head, now, false);
        permit.acted = true;
        permit.judgedBlock = head.counts();
        if (current && !head.counts()) {
            permit.epoch = key.circuit().epoch; // a block that the body shows belongs to the pause that its head has begun
        }
        outcome.tellOthers();
        permit.untold = outcome;
        untold = outcome.effect == Circuit.Effect.NONE ? untold : outcome;
    }

    /** Something is done that is to be told: what was done before is told before, with what is known of it. */
    void tellFirst() {
        Outcome first = untold;
        if (first != null) {
            untold = null;
            ((Exchange) first.permit).untold = null;
            key.tell(first);
        }
    }

    // ---- the body

    /** Nobody reads this answer, or has gone on reading it: its head decides. */
    private void settle(Exchange permit, long now) {
        settle(permit, permit.finding, now);
    }

    /** The verdict on an answer whose body may have said more than its head. */
    void settle(Exchange permit, Finding finding, long now) {
        Finding head = permit.finding;
        remove(permit);
        permit.finding = null;
        Verdicts.countTrouble(key, finding.verdict());
        if (!permit.acted) {
            permit.judgedBlock = finding.verdict().isBlock();
            key.madeVerdicts().judge(permit, finding, now);
            return;
        }
        Outcome outcome = permit.untold;
        permit.untold = null;
        if (!permit.judgedBlock && finding.counts()) {
            shownBlock(permit, finding, now, outcome);
        } else if (outcome != null) {
            name(outcome, finding, head, now);
        }
    }

    /** What the head has done is told, with what its body says of it. */
    private void name(Outcome outcome, Finding finding, Finding head, long now) {
        boolean last = untold == outcome;
        untold = last ? null : untold;
        outcome.named(finding);
        boolean acts = false;
        if (((Exchange) outcome.permit).judgedBlock && finding.verdict() != head.verdict() && key.policy() != null) {
            Circuit c = key.circuit();
            c.reason = last ? outcome.reason : c.reason;
            key.counters().renamed(head.verdict(), finding.verdict());
            if (finding.verdict().hard() && !head.verdict().hard()) {
                acts = actOnHard(outcome, now);
            }
        }
        key.tell(outcome);
        if (acts) {
            key.pacer.replan(now);
            key.pacer.tellFleet(now);
        }
    }

    /**
     * The body of an answer whose head has only begun a pause shows a block.
     *
     * @param paused what is to be told of the pause; null if it was told
     */
    private void shownBlock(Exchange permit, Finding finding, long now, Outcome paused) {
        permit.judgedBlock = true;
        if (paused == null || key.policy() == null) {
            key.madeVerdicts().judge(permit, finding, now);
            return;
        }
        untold = untold == paused ? null : untold;
        paused.named(null);
        key.tell(paused);
        Outcome outcome = key.madeVerdicts().judge(permit, finding, now);
        if (outcome.effect != Circuit.Effect.NONE) {
            paused.effect = Circuit.Effect.NONE; // one rest is told of once
        }
    }

    /** A block that has counted by its head is, by its body, of a type that acts at once; whether that does anything. */
    private boolean actOnHard(Outcome outcome, long now) {
        Policy p = key.policy();
        Circuit c = key.circuit();
        Verdicts verdicts = key.madeVerdicts();
        int epoch = outcome.permit.epoch;
        Circuit.Effect effect = c.hard(epoch, now, verdicts.learning(p, Verdict.RATE_LIMITED, now));
        if (effect == Circuit.Effect.NONE) {
            return false;
        }
        key.pacer.changed(effect, (x, t) -> x.hard(epoch, t, verdicts.learning(p, Verdict.RATE_LIMITED, t)));
        key.pacer.takeOver(p, now);
        tellFirst();
        outcome.of(c, effect, now, p);
        return true;
    }

    // ---- answers that nobody reads

    /**
     * Answers that nobody reads have to do with their heads, and places that nobody can give back are free.
     *
     * @return whether there is more to look for later
     */
    static boolean settleUnread(HostKey key, long now) {
        key.lock().lock();
        try {
            PendingVerdicts pending = key.madePending();
            for (Exchange u = pending.first(), after; u != null; u = after) {
                after = after(u);
                if (unread(u, now)) {
                    pending.settleByHead(u, key.circuit(), now);
                    after = pending.first(); // judging settles others
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
        }
    }

    /** Whether nobody has read on in this answer for a while. */
    private static boolean unread(Exchange answer, long now) {
        return now - answer.lastSeen >= UNREAD;
    }

    private void settleByHead(Exchange u, Circuit c, long now) {
        boolean page = !u.acted && !u.finding.verdict().isBlock();
        if (page && c != null && c.blockedSince(u.lastSeen)) {
            remove(u);
            Verdicts.countTrouble(key, u.finding.verdict());
            u.finding = null;
        } else {
            settle(u, now);
        }
    }

    /**
     * Pages that nobody reads, or has gone on reading, were pages. They come before the block that is judged now, but not
     * before earlier ones.
     */
    void settlePages(Circuit c, long now) {
        for (Exchange u = first(), after; u != null; u = after) {
            after = after(u);
            if (!u.acted && !u.finding.verdict().isBlock() && (!u.read || unread(u, now))) {
                settleByHead(u, c, now);
            }
        }
    }

    /** The probe's lease is over: if its answer's head is known, that decides, unless its body is being read. */
    void settleProbe(Circuit c, long now) {
        for (Exchange u = first(); u != null; u = after(u)) {
            if (u.probe > 0 && !u.acted && c.isProbe(u.probe)) {
                if (unread(u, now) || !c.extend(u.lastSeen + UNREAD)) {
                    settle(u, now);
                }
                return;
            }
        }
    }
}
