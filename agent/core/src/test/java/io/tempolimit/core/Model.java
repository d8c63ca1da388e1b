package io.tempolimit.core;

import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What section 4 and 6 of the contract say of one key, written down as plainly as possible and without a look at how {@link Key} does it:
 * an account of tokens that fills with time, a queue, and the state of a cooldown. Single-threaded; goes from event to event.
 */
final class Model {
    /** A request, as the model sees it. */
    static final class Request {
        final long arrival;
        /** When its wait was over; meaningless while it waits. */
        long end;
        boolean waiting = true;
        boolean granted;
        boolean rejected;
        int epoch;
        int probe;

        Request(long arrival) {
            this.arrival = arrival;
        }
    }

    long now;
    final List<Request> queue = new ArrayList<>();
    Policy policy;
    boolean dryRun;
    boolean enabled = true;

    /** Nanoseconds of the account: an interval's worth is a token. */
    long credit;
    boolean closed;
    boolean probing;
    /** When the pause, or the probe's 30 s, are over. */
    long until;
    int count;
    private long lastBlock;
    private int epoch;
    private int probes;

    Model(long now, Policy policy) {
        this.now = now;
        this.policy = policy;
        this.credit = interval() * policy.limit().burst();
    }

    private long interval() {
        return policy.limit().interval;
    }

    private boolean paced() {
        return policy != null && enabled && !dryRun;
    }

    Request arrive() {
        Request r = new Request(now);
        if (dryRun) {
            boolean token = credit >= interval();
            credit -= token ? interval() : 0;
            if (closed && now >= until && token) {
                send(r);
            } else {
                grant(r);
            }
            return r;
        }
        if (closed) {
            long expected = restLeft() + queue.size() * interval();
            if (queue.isEmpty() && now >= until && credit >= interval()) {
                probe(r);
            } else if (policy.reject() || expected > policy.maxWait()) {
                reject(r);
            } else {
                queue.add(r);
            }
        } else {
            long wait = Math.max(0, (queue.size() + 1) * interval() - credit);
            if (wait > (policy.reject() ? 0 : policy.maxWait())) {
                reject(r);
            } else {
                queue.add(r);
                work();
            }
        }
        return r;
    }

    private void grant(Request r) {
        end(r);
        r.granted = true;
        r.epoch = closed ? -1 : epoch;
    }

    private long restLeft() {
        return Math.max(probing ? 0 : until - now, Math.max(0, interval() - credit));
    }

    private void probe(Request r) {
        credit -= interval();
        send(r);
    }

    private void send(Request r) {
        grant(r);
        r.epoch = epoch;
        r.probe = ++probes;
        probing = true;
        until = now + 30_000_000_000L;
    }

    private void reject(Request r) {
        end(r);
        r.rejected = true;
    }

    private void end(Request r) {
        r.waiting = false;
        r.end = now;
    }

    void cancel(Request r) {
        queue.remove(r);
        end(r);
        work();
    }

    /** Whatever can be done now. */
    private void work() {
        if (!paced()) {
            while (!queue.isEmpty()) {
                grant(queue.remove(0));
            }
        } else if (closed) {
            if (!queue.isEmpty() && now >= until && credit >= interval()) {
                probe(queue.remove(0));
            }
            for (Iterator<Request> i = queue.iterator(); i.hasNext(); ) {
                Request r = i.next();
                if (policy.maxWait() != Policy.UNLIMITED && now >= r.arrival + policy.maxWait()) {
                    i.remove();
                    reject(r);
                }
            }
        } else {
            while (!queue.isEmpty() && credit >= interval()) {
                credit -= interval();
                grant(queue.remove(0));
            }
        }
    }

    /** Rejects those whose patience will not last. */
    private void patience() {
        if (!paced() || policy.maxWait() == Policy.UNLIMITED) {
            return;
        }
        long pause = restLeft();
        int ahead = 0;
        for (Iterator<Request> i = queue.iterator(); i.hasNext(); ) {
            Request r = i.next();
            long wait = closed ? pause : Math.max(0, (ahead + 1) * interval() - credit);
            if (now + wait - r.arrival > policy.maxWait()) {
                i.remove();
                reject(r);
            } else {
                ahead++;
            }
        }
    }

    /** When something will happen by itself; {@code Long.MAX_VALUE} for never. */
    long nextEvent() {
        long next = Long.MAX_VALUE;
        if (policy == null) {
            return next;
        }
        if (credit < interval()) {
            next = now + interval() - credit;
        }
        if (closed) {
            if (until > now) {
                next = Math.min(next, until);
            }
            if (policy.maxWait() != Policy.UNLIMITED) {
                for (Request r : queue) {
                    next = Math.min(next, r.arrival + policy.maxWait());
                }
            }
        }
        return next;
    }

    void advance(long to) {
        for (long t; (t = nextEvent()) <= to; ) {
            fill(t);
            work();
        }
        fill(to);
        work();
    }

    private void fill(long t) {
        if (policy != null) {
            credit = Math.min(policy.limit().burst() * interval(), credit + t - now);
        }
        now = t;
    }

    void judge(Request r, Verdict v) {
        if (policy == null || r.epoch != epoch) {
            return;
        }
        if (v.isBlock()) {
            if (now - lastBlock > policy.cooldownMemory()) {
                count = 0;
            }
            count++;
            lastBlock = now;
            if (closed || count >= policy.cooldownThreshold()) {
                pause();
            }
            return;
        }
        if (v == Verdict.SUCCESS) {
            count = 0;
        }
        if (closed) {
            if (v == Verdict.SUCCESS || v == Verdict.NEUTRAL) {
                closed = false;
                probing = false;
                credit = 0;
                patience();
                work();
            } else {
                pause();
            }
        }
    }

    private void pause() {
        closed = true;
        probing = false;
        until = now + policy.cooldownMin();
        epoch++;
        patience();
        work();
    }

    /** The application lost interest in it. */
    void lost(Request r) {
        if (probing && r.probe == probes) {
            until = now;
            work();
        }
    }

    void settings(Policy p, boolean on, boolean dry) {
        if (p != null && policy != null) {
            credit = (long) (Math.min((double) credit / interval(), p.limit().burst()) * p.limit().interval);
        }
        policy = p;
        enabled = on;
        dryRun = dry;
        patience();
        work();
    }
}
