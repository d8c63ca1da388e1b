package io.tempolimit.core.key;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.learn.Learning;
import io.tempolimit.core.learn.Traffic;
import io.tempolimit.core.pace.Departure;
import io.tempolimit.core.pace.Outcome;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;

/**
 * What a verdict does: it is counted, {@link Learning} learns from it, the circuit takes it in, and whoever waits gets another
 * turn. Holds what the key has learnt of its site by verdicts, and what pages look like there. All under the key's lock, but
 * for {@link #judged}, which takes it where it has to, and {@link #baseline}.
 */
final class Verdicts {
    private final HostKey key;
    /** What the site tolerates; null until it blocks for the first time, or its ceiling is looked for. */
    private Learning learning;
    /** What has passed; null until there have been {@link Learning#FEW} requests or a block: before that there is nothing to learn from. */
    private Traffic traffic;
    /** Requests of other workers, as long as {@link #traffic} is null. */
    private int others;
    /** What the site itself says of its limit; null while that is nothing. */
    private volatile SiteLimits siteLimits;
    /** What is normal here; null until the first page. */
    private volatile Baseline baseline;
    /** Null while there is no answer whose body may say more than its head, or may be left unread. */
    PendingVerdicts pending;

    Verdicts(HostKey key) {
        this.key = key;
    }

    // ---- a verdict

    /** The verdict on a request that has no body to look at. */
    static void judged(Exchange permit, Finding finding) {
        judged(permit, finding, true, permit.key.now());
    }

    /** @param over whether its answer is over with it */
    static void judged(Exchange permit, Finding finding, boolean over, long now) {
        HostKey key = permit.key;
        if (!permit.finish(now)) {
            return;
        }
        key.ended(1);
        key.answered(finding.status());
        if (over) {
            Departure.left(key, permit);
        }
        Circuit c = key.circuit();
        Policy p = key.policy();
        if (p == null) {
            Departure.probeLost(key, permit, now);
            return;
        }
        boolean quiet = c == null ? !p.global() : c.open() && (finding.verdict() != Verdict.SUCCESS || c.clean());
        boolean nothing = quiet && !finding.verdict().isBlock() && finding.retryAfter() <= 0 && !p.learns();
        if (nothing && !finding.verdict().trouble()) {
            return;
        }
        key.lock().lock();
        try {
            countTrouble(key, finding.verdict());
            if (key.verdicts() == null && key.circuit() == null && saysNothing(key, finding, p)) {
                key.took(finding.verdict());
            } else if (!nothing) {
                key.madeVerdicts().judge(permit, finding, now);
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** Whether it is one of the first answers of a host that gives nothing but pages: there is nothing to learn yet. */
    private static boolean saysNothing(HostKey key, Finding finding, Policy p) {
        return key.total() < Learning.FEW && !teaches(key, finding.verdict()) && finding.retryAfter() <= 0 && !p.global();
    }

    static void countTrouble(HostKey key, Verdict verdict) {
        if (verdict.trouble()) {
            key.counters().troubled(verdict);
        }
    }

    /** Takes in a verdict; gives what it did, of which the listener is told. Null for nothing. */
    Outcome judge(Exchange permit, Finding finding, long now) {
        return judge(permit, finding, now, true);
    }

    /**
     * Takes in a verdict.
     *
     * @param tells whether the listener is told; else whoever calls this sees to that
     * @return what it did; null for nothing
     */
    Outcome judge(Exchange permit, Finding finding, long now, boolean tells) {
        Policy p = key.policy();
        if (p == null) {
            Departure.probeLost(key, permit, now);
            return null;
        }
        Verdict verdict = finding.verdict();
        key.took(verdict);
        boolean teaches = teaches(key, verdict);
        if (teaches) {
            key.pacer.countOthers(now);
        }
        Learning l = lasted(permit, learning(p, verdict, now), verdict, p, now);
        if (key.circuit() == null && !teaches && finding.retryAfter() <= 0 && !p.global() && (l == null || !l.rests())) {
            if (verdict.took()) {
                passed(permit, l, p, now);
            }
            return null;
        }
        Circuit c = key.circuit(p);
        if (l == null && traffic != null && verdict.took() && permit.epoch == c.epoch) {
            traffic.good(permit.answeredAt(now));
        }
        PendingVerdicts pending = verdict.isBlock() ? key.pending() : null;
        if (pending != null) {
            pending.settlePages(c, now);
        }
        Outcome outcome = new Outcome(key, permit, finding);
        outcome.counts = verdict.isBlock() && finding.counts() && permit.epoch == c.epoch;
        act(outcome, tells, c, l, p, now);
        return outcome;
    }

    /** How long it took is told. Slow answers are something to learn from, as blocks are. */
    private Learning lasted(Exchange permit, Learning learning, Verdict verdict, Policy p, long now) {
        if (!p.learns() || !verdict.took() || traffic == null) {
            return learning;
        }
        traffic.took(permit.answeredAt(now) - permit.dueAt);
        return traffic.slow() == 1 ? learning(p, Verdict.RATE_LIMITED, now) : learning;
    }

    /** With how many others it went is told, right before its verdict. */
    private void inFlight(Reservation permit, Learning l) {
        if (l != null) {
            l.flight().next(key.pacer.inFleet() ? 0 : permit.inFlight);
        }
    }

    /** The site has taken a request, and has never blocked one. */
    private void passed(Exchange permit, Learning l, Policy p, long now) {
        if (l != null) {
            inFlight(permit, l);
            l.good(permit.answeredAt(now));
            if (key.pacer.takeOver(p, now)) {
                key.pacer.learned();
                key.pacer.replan(now);
            }
        } else if (traffic != null) {
            traffic.good(permit.answeredAt(now));
        }
    }

    /**
     * The circuit takes in a verdict. The order matters: it judges, the limit follows, the fleet hears of it, and turns are
     * handed out anew.
     */
    private void act(Outcome outcome, boolean tells, Circuit c, Learning l, Policy p, long now) {
        Finding finding = outcome.finding;
        boolean rested = !c.open();
        long since = c.since;
        int count = c.count();
        Reservation permit = outcome.permit;
        int epoch = permit.epoch;
        inFlight(permit, l);
        Circuit.Effect effect = c.judge(finding, epoch, permit.answeredAt(now), now, p, l);
        boolean other = key.pacer.takeOver(p, now);
        if (effect != Circuit.Effect.NONE || other || c.count() != count) {
            key.pacer.changed(effect, (x, t) -> x.judge(finding, epoch, permit.answeredAt(now), t, p, learning(p, finding.verdict(), t)));
        }
        if (finding.verdict().isBlock() && finding.counts()) {
            key.counters().blocked(finding.verdict());
        }
        if (rested) {
            key.counters().rested((effect == Circuit.Effect.OPENED ? now : c.since) - since);
        }
        if (effect != Circuit.Effect.NONE) {
            key.tellFirst();
        }
        if (effect == Circuit.Effect.PAUSED && finding.verdict().took() && finding.retryAfter() <= 0) {
            outcome.reason = Listener.BUDGET;
        }
        outcome.of(c, effect, now, p);
        outcome.gaveBack = l != null && l.gaveBack();
        if (tells) {
            key.tell(outcome);
        }
        if (p.global() && outcome.counts && effect == Circuit.Effect.NONE) {
            String reason = outcome.reason;
            key.common.globalCount().counted(() -> key.cooldown().tripLate(reason));
        }
        if (effect == Circuit.Effect.OPENED) {
            key.cooldown().open(p, now, now);
        } else {
            if (effect == Circuit.Effect.TRIPPED || effect == Circuit.Effect.BLOCKED_FOR_LIFE) {
                key.counters().tripped();
            }
            if (effect != Circuit.Effect.NONE || other) {
                key.pacer.replan(now);
            }
        }
        if (l != null && l.flight().changed()) {
            key.apply(now);
        }
        key.pacer.tellFleet(now);
    }

    // ---- what is learnt

    /** The settings, with fewer requests in flight where the site does not take so many. */
    Policy capped(Policy p) {
        return p == null || learning == null || !p.learns() ? p : p.atMost(learning.flight().most());
    }

    /** Whether learning begins with it. A host that has never answered is not there, which no lower rate mends. */
    private static boolean teaches(HostKey key, Verdict verdict) {
        return verdict.isBlock() || verdict.trouble() && key.took();
    }

    /** What learns from such an answer; null where nothing does, or there is nothing to learn from yet. */
    Learning learning(Policy p, Verdict verdict, long now) {
        boolean teaches = teaches(key, verdict);
        if (!p.learns() || verdict.trouble() && !teaches) {
            return null;
        }
        if (traffic == null && (teaches || key.total() + others >= Learning.FEW)) {
            traffic = new Traffic(now);
            for (long before = Math.min(Learning.FEW, key.sent() + others) - 1; before > 0; before--) {
                traffic.good(now); // those that went before there was anything to learn from
            }
        }
        if (learning == null && traffic != null && (teaches || p.auto())) {
            learning = new Learning(p.auto(), p.ceiling(), p.limit().burst(), traffic);
        }
        return learning;
    }

    /** Whether another limit than the settings' was learnt. */
    boolean learnt(Policy p) {
        return learning != null && (learning.learnt() || p.auto());
    }

    /** Requests a second that the site was found to tolerate, if {@link #learnt}. */
    double learnedRate(Policy p) {
        return Math.min(learning.rate(), p.ceiling());
    }

    /** What the settings, what was learnt, and what the site says allow. */
    Limit limit(Policy p, long now) {
        Limit to = learnt(p) ? Limit.of(learnedRate(p), learning.burst(), key.limit()) : p.limit();
        return siteLimits == null ? to : siteLimits.lower(to, p, now);
    }

    /** Other settings are about to hold. */
    void settings(Policy p) {
        if (!p.learns()) {
            forget();
        } else if (learning != null) {
            learning.limits(p.auto(), p.ceiling(), p.limit().burst());
        }
    }

    /** Forgets what was learnt, and from what. */
    void forget() {
        learning = null;
        traffic = null;
    }

    /** Forgets what was learnt. */
    void forgetLearned() {
        learning = null;
    }

    /** Null while the site says nothing of its limit. May be called without the lock. */
    SiteLimits siteLimits() {
        return siteLimits;
    }

    SiteLimits madeSiteLimits() {
        if (siteLimits == null) {
            siteLimits = new SiteLimits(key);
        }
        return siteLimits;
    }

    /** What is normal here; null until the first page. May be called without the lock. */
    Baseline baseline() {
        return baseline;
    }

    Baseline madeBaseline() {
        baseline = baseline == null ? new Baseline() : baseline;
        return baseline;
    }

    // ---- what other workers have learnt

    /** So many requests of other workers have gone between these times, as far as is known to pages. */
    void othersWent(int n, long from, long to, long now) {
        Policy p = key.policy();
        if (p == null || !p.learns() || key.closed()) {
            return;
        }
        others += traffic == null ? n : 0;
        Learning l = learning(p, Verdict.SUCCESS, now);
        long step = (to - from) / n; // a burst that there was not would say that the site bears it
        for (long time = from + step, i = 0; i < n; i++, time += step) {
            if (l != null) {
                l.good(time);
            } else if (traffic != null) {
                traffic.good(time);
            }
        }
        if (l != null && key.pacer.takeOver(p, now)) {
            key.pacer.learned();
        }
    }

    /** What all workers shall know of the key, made from that version. */
    Incident incident(long v, long now) {
        Policy p = key.policy();
        Limit set = key.common.rules.overruled(key.name());
        if (set != null) {
            return key.circuit(p).record(v, set.interval, set.burst(), Incident.SET, now);
        }
        boolean learnt = learnt(p);
        String learned = learning != null ? learning.save(now) : Incident.NOTHING_LEARNED;
        return key.circuit(p).record(v, learnt ? 1e9 / learnedRate(p) : 0, learnt ? learning.burst() : 0, learned, now);
    }

    /** Takes over what another worker has learnt, or an operator has set there. */
    void learned(Incident i, Policy p, long now) {
        boolean set = i.learned.equals(Incident.SET) && i.interval > 0;
        if (set || key.common.rules.overruled(key.name()) != null) {
            key.overrule(set ? new Limit(1e9 / i.interval, Math.max(1, i.burst)) : null);
        }
        if (!p.learns() || set) {
            return;
        }
        if (i.learned.equals(Incident.NOTHING_LEARNED)) {
            learning = null;
            return;
        }
        boolean first = traffic == null;
        Learning l = new Learning(p.auto(), p.ceiling(), p.limit().burst(), first ? new Traffic(now) : traffic);
        try {
            l.restore(i.learned, Math.max(0, now - i.saved), first, now);
            learning = l;
            traffic = l.traffic();
        } catch (IllegalArgumentException e) {
            // not one of ours: what is known here stays
        }
    }

    // ---- over a restart

    /** What was learnt, as text; null for nothing. */
    String save(long now) {
        Policy p = key.policy();
        if (learning == null && traffic != null && p != null) {
            return new Learning(p.auto(), p.ceiling(), p.limit().burst(), traffic).save(now);
        }
        return learning == null ? null : learning.save(now);
    }

    /** Takes in what {@link #save} gave; whether it could be read. Before anybody uses the key. */
    boolean restore(String learned, long ago, Policy p, long now) {
        Learning l = new Learning(p.auto(), p.ceiling(), p.limit().burst(), now);
        try {
            l.restore(learned, ago, true, now);
            learning = l;
            traffic = l.traffic();
            key.pacer.takeOver(p, now);
            return true;
        } catch (RuntimeException e) { // whatever a damaged file holds
            return false;
        }
    }

    /** Whether there is something to remember. */
    boolean known() {
        return learning != null && learning.learnt();
    }
}
