package io.tempolimit.core;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.store.Fleet;

/**
 * When who may go, by this JVM's own bucket, windows and places. A request that has to wait reserves its token at once, and is
 * entered in the {@link WaitQueue}; {@link #reschedule} hands out all turns anew whenever circumstances change.
 *
 * <p>To hand out turns anew, all that waiters have reserved is taken out of the bucket, and reserved again in the queue's
 * order. This is sound only while the bucket is not idle. So where sleepers are late, turns are handed out anew before one of
 * them goes or somebody overtakes them. A request that took its token while that happened sees, when it is entered, that
 * {@link #version} has changed, and all turns are handed out once more.
 *
 * <p>Where a {@link Fleet} decides, turns are its slots, which {@link FleetSlots} hands out to the same queue.
 *
 * <p>All under the key's lock, but for {@link #enter}, {@link #enterBehind}, {@link #enterCapped}, {@link #reserve} and {@link
 * #lateOnesFirst}, which take it where they have to, and what is volatile.
 */
final class LocalPacer {
    private final Key key;
    final TokenBucket bucket;
    /** What holds now: the policy's, or less by what was learnt; null where nothing was ever paced. */
    private volatile Limit limit;
    /** Windows and requests in flight; null as long as neither was ever limited. Its content is guarded by the lock. */
    private volatile Caps caps;
    /** Made for the first who waits. */
    private volatile WaitQueue queue = WaitQueue.NONE;
    /** Grows whenever all turns are handed out anew. */
    private volatile int version;
    /** Grows whenever {@link #forgive} takes something out of the bucket. Written under the lock. */
    private volatile int forgiven;

    LocalPacer(Key key, Limit limit, long now) {
        this.key = key;
        this.limit = limit;
        this.bucket = new TokenBucket(now);
    }

    int version() {
        return version;
    }

    Limit limit() {
        return limit;
    }

    /** Null as long as neither windows nor requests in flight were ever limited. */
    Caps caps() {
        return caps;
    }

    WaitQueue queue() {
        return queue;
    }

    Permit first() {
        return queue.first();
    }

    // ---- a request arrives

    /**
     * Takes a token, and enters the permit among the waiters if it has to wait for it.
     *
     * @param v the version before anything was looked at
     * @return nanoseconds to wait, or {@link TokenBucket#REFUSED}
     */
    long enter(Permit permit, Policy p, int v, long now) {
        Limit l = limit;
        int before = forgiven;
        long extra = permit.extra(l);
        long wait = reserve(l, extra, p.reject() ? 0 : p.maxWait(), now);
        if (wait <= 0) {
            return wait;
        }
        permit.takeTurn(now + wait, l.interval + extra, l);
        key.lock().lock();
        try {
            if (limit != l || forgiven != before) {
                permit.cost = 0; // what it took was another limit's, or was forgiven with that: nobody knows what it has become
                forgive(now);
            }
            madeQueue().append(permit);
            permit.setWake(p);
            if (version != v || key.policy() != p || key.limiter.passing() || key.closed()) {
                reschedule(now);
            }
        } finally {
            key.lock().unlock();
        }
        return wait;
    }

    /**
     * While others wait: with nobody handing out turns between the token and the entry. Of thousands that arrive while
     * those are handed out over and over, because a busy machine wakes everybody late, each would have to do so once more.
     */
    long enterBehind(Permit permit, Policy p, long now) {
        key.lock().lock();
        try {
            return enter(permit, p, version, now);
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * The same where there are windows, or a limit of requests in flight: all under the lock.
     *
     * @return 0 if it goes, and was granted
     */
    long enterCapped(Permit permit, int epoch, long now) {
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || key.limiter.passing()) {
                key.grant(permit, key.epochNow(), now);
                return 0;
            }
            Caps k = caps(p, now);
            if (key.closed()) { // it has come to rest just now
                madeQueue().append(permit);
                reschedule(now);
                return permit.state == Permit.REJECTED ? TokenBucket.REFUSED : Math.max(1, permit.due - now);
            }
            Plan.update(this, p, k, now);
            long wait = Plan.reserve(this, permit, p, k, now);
            if (wait == 0) {
                k.release(permit);
                key.go(permit, epoch, now);
            } else if (wait > 0) {
                Permit last = queue.last();
                if (permit.withoutPlace() && (last == null || !last.withoutPlace())) {
                    permit.due = now + Caps.LOOK;
                }
                madeQueue().append(permit);
                permit.setWake(p);
            }
            return wait;
        } finally {
            key.lock().unlock();
        }
    }

    /** Where the bucket has a token although somebody sleeps, all are late, after a pause of the collector, say: nobody overtakes them. */
    void lateOnesFirst(Policy p, long now) {
        if (queue.waiting() > 0 && !p.capped() && bucket.peek(now, limit) == 0) {
            key.lock().lock();
            try {
                if (first() != null) {
                    delayTurns(p, now);
                }
            } finally {
                key.lock().unlock();
            }
        }
    }

    /** Of a request that goes in any case. */
    void takeToken(long now) {
        reserve(limit, 0, Policy.UNLIMITED, now);
    }

    /** See {@link TokenBucket#reserve}. */
    long reserve(Limit l, long extra, long maxWait, long now) {
        long wait = bucket.reserve(now, l, extra, maxWait);
        if (limit != l) { // it may have put hours into a bucket of seconds
            key.lock().lock();
            try {
                forgive(now);
                reschedule(now);
            } finally {
                key.lock().unlock();
            }
        }
        return wait;
    }

    // ---- who waits

    /** One that its client's own queue kept beyond its turn comes before those who have not had theirs. */
    void appendLate(Permit permit, long now) {
        madeQueue().insertLate(permit);
        reschedule(now);
    }

    WaitQueue madeQueue() {
        if (queue == WaitQueue.NONE) {
            queue = new WaitQueue();
        }
        return queue;
    }

    /** One that came later takes its place among the others. */
    void appendLater(Permit permit, long now) {
        queue.removeLater(permit);
        madeQueue().append(permit);
        if (permit.passesOver) {
            caps.passOver(permit);
        }
        reschedule(now);
    }

    void remove(Permit permit) {
        WaitQueue q = queue;
        if (key.fleet != null) {
            key.fleet.slots.leaves(permit);
        }
        q.remove(permit);
        boolean none = q.first() == null;
        if (caps != null) {
            caps.leaves(permit);
            if (none) {
                caps.promiseNothing();
            }
        }
        if (!none && q.outdated()) {
            q.lookSoon(key.limiter.clock().nanos());
        }
        if (none && q.released() > 0) {
            bucket.addAndGet(-q.released());
            q.forgetReleased();
            version++;
        }
    }

    /** A waiter leaves, and what it has reserved may be used by others. */
    void leave(Permit permit, long now) {
        queue.updateTurn(permit, limit);
        remove(permit);
        returnToken(permit, now);
    }

    /** A request that took a token, and was just removed if it was waiting, will not be sent. */
    void returnToken(Permit permit, long now) {
        if (permit.leased == FleetSlots.HAS) {
            key.fleet.slots.notUsed(permit, now);
            return;
        }
        if (permit.cost == 0 || bucket.compareAndSet(permit.slot, permit.slot - permit.cost)) {
            return;
        }
        boolean went = permit.state != Permit.WAITING; // then what has passed since is lost; else it has only waited, for a window perhaps
        long left = went ? permit.cost : Math.min(permit.cost, permit.slot - now);
        if (left <= 0 || permit.slot - left - now < 0) {
            return; // late: without it the bucket would have been full since, and the token have come to nothing
        }
        if (first() == null) {
            bucket.addAndGet(-left);
            version++; // who has taken a turn behind it, but is not entered yet, moves up
        } else {
            queue.release(left);
        }
    }

    /** Those in front of this one that nobody waits for any more: nothing must hang on them. */
    void dropLost(Permit before, long now) {
        boolean lost = false;
        for (Permit w; (w = queue.lost(before, now)) != null; ) {
            leave(w, now);
            w.state = Permit.CANCELLED;
            key.counters().cancelled++;
            lost = true;
        }
        if (lost) {
            moveUp(now);
        }
    }

    /** Tells a waiter of its new turn, or rejects it if its patience will not last that long; whether it waits on. */
    boolean settle(Permit w, Policy p, boolean waitsOn, long now) {
        if (!waitsOn) {
            key.rejections().turnAway(w, now);
            w.wakeAt = now;
            w.wake();
            return false;
        }
        w.move(p);
        return true;
    }

    // ---- a waiter looks

    /** Before it is asked whose turn it is: brings its turn up to date. */
    void look(Permit permit, long now) {
        queue.updateTurn(permit, limit);
        if (queue.outdated() && queue.backlog().mayReplan(now)) {
            reschedule(now);
        }
    }

    /** The turn of a waiter has come, as far as it knows: it goes, unless others are late as well, or a cap is in its way. */
    void turn(Permit permit, Policy p, long now) {
        queue.updateTurn(first(), limit);
        if (queue.released() > 0 && (!queue.isLong() || queue.backlog().mayReplan(now))) {
            reschedule(now); // before it goes, into what was released
        } else if (fullSince(now) > 0) {
            delayTurns(p, now); // a full bucket takes in no more, so what was late is lost
            queue.updateTurn(permit, limit);
        }
        Caps k = caps(p, now);
        if (k != null && permit.state == Permit.WAITING && now - permit.due >= 0
                && (permit.withoutPlace() || k.room(now) - now > 0 || !permit.passesOver && !k.free())) {
            reschedule(now); // somebody may have dropped an answer; or another has gone into its room, or its place is not free yet
        }
        if (permit.state == Permit.WAITING && now - permit.due >= 0 && !permit.withoutPlace()) {
            long idle = Math.max(0, now - (bucket.get() - queue.unused())); // a full bucket takes in no more, so that is lost for all
            queue.useUp(idle + limit.interval - permit.cost, permit, limit.interval);
            key.go(permit, key.epochNow(), now);
            remove(permit);
        }
    }

    /** It was looked whether its turn has come: one that waits on may have waited for too long, or has to look again soon. */
    void lookedAt(Permit permit, Policy p, long now) {
        if (permit.state == Permit.WAITING && p.maxWait() != Policy.UNLIMITED && now - permit.arrival >= p.maxWait()) {
            key.rejections().turnAway(permit, now);
            moveUp(now);
        }
        if (permit.state == Permit.WAITING && queue.backlog() != null) {
            queue.updateTurn(permit, limit);
            permit.setWake(p);
            if (permit == first() && queue.outdated()) {
                queue.lookSoon(now);
            }
        }
    }

    // ---- turns are handed out anew

    void moveUp(long now) {
        moveUp(now, false);
    }

    /**
     * After somebody left without a token: who is first now goes as the probe, or all move up.
     *
     * @param more whether more may leave at once, so that those who wait for a place look a little later
     */
    void moveUp(long now, boolean more) {
        Policy p = key.policy();
        if (first() == null || p == null || key.limiter.passing()) {
            return;
        }
        if (key.closed()) {
            key.cooldown().moveUp(p, now);
        } else if (!queue.isLong() || p.concurrency() < Integer.MAX_VALUE && (key.together() || !more)) {
            reschedule(now);
        } else if (key.together()) {
            key.fleet.calls.ask(now); // he may have been the one who was to
        } else if (p.capped()) {
            queue.replanSoon(now);
        }
    }

    /** Hands out all turns anew, in order of arrival. */
    void reschedule(long now) {
        version++;
        queue.updateTurns(limit, now);
        Policy p = key.policy();
        if (p == null || key.limiter.passing()) {
            if (key.fleet != null) {
                key.fleet.slots.lose(now);
            }
            returnAll(); // they go without a token; whoever is paced next shall not pay for them
            queue.letAllGo(now);
        } else if (key.closed()) {
            key.cooldown().reschedule(p, now);
        } else {
            takeTurns(now, p);
        }
    }

    /** Nobody has reserved anything. */
    void returnAll() {
        bucket.addAndGet(-queue.unused());
        queue.forgetReserved();
        if (caps != null) {
            caps.promiseNothing();
        }
    }

    private void takeTurns(long now, Policy p) {
        if (key.together()) {
            key.fleet.slots.takeTurns(now, p);
            return;
        }
        if (first() == null && queue.unused() == 0) {
            return; // nobody's turn, and the bucket is not touched while others take from it
        }
        Caps k = caps(p, now);
        if (k != null) {
            reclaim(k, now);
        }
        Plan.takeTurns(this, p, k, now);
    }

    /**
     * Sleepers are late: nobody overtakes them, and nobody goes with them as a herd. In a long queue all turns move by as much. Where that
     * may be too much, for windows know better, or longer than some wait, turns are handed out anew as soon as there is time for it.
     */
    private void delayTurns(Policy p, long now) {
        if (!queue.isLong() || p.concurrency() < Integer.MAX_VALUE || key.together()) { // where places are few, few have turns
            reschedule(now);
            return;
        }
        queue.updateTurn(first(), limit);
        long late = fullSince(now);
        if (late > 0) {
            bucket.addAndGet(late);
            queue.backlog().delay(late);
            version++;
            if (p.capped() || p.maxWait() != Policy.UNLIMITED) {
                queue.replanSoon(now);
            }
        }
    }

    /** For how long the bucket would be full if nobody waited, if that is above 0. */
    private long fullSince(long now) {
        return now - (first().slot - limit.interval);
    }

    /** A rest ended then, with an empty bucket. To be called before the circuit opens: who arrives now must not overtake those who wait. */
    void beginAnew(Policy p, long end, long now) {
        bucket.empty(end, limit);
        queue.forgetReleased();
        queue.forgetReasons();
        queue.updateTurns(limit, now);
        takeTurns(now, p);
        version++;
    }

    // ---- windows and places

    /** The caps as the settings want them; null if they want none. */
    Caps caps(Policy p, long now) {
        Caps k = caps;
        if (k == null && p.capped()) {
            k = new Caps();
            caps = k;
        }
        if (k != null) {
            k.limits(key.fleet == null ? p.windows() : key.fleet.fallback.windows(p.windows()), p.concurrency(), now);
        }
        return p.capped() ? k : null;
    }

    /** See {@link Caps#reclaim}; whether places were taken back. */
    boolean reclaim(Caps k, long now) {
        int before = k.inFlight();
        int lost = k.reclaim(now);
        if (lost > 0) {
            key.ended(lost);
        }
        return k.inFlight() < before;
    }

    // ---- the limit

    /** Makes the limit what the policy, what was learnt, what the site says and the fleet allow; whether it is another one than before. */
    boolean takeOver(Policy p, long now) {
        Limit to = key.verdicts.limit(p, now);
        if (key.fleet != null) {
            to = key.fleet.fallback.limit(to);
        }
        Limit from = limit;
        if (from == to) {
            return false;
        }
        limit = to;
        if (from != null) {
            bucket.keepTokens(from, to, queue.unused(), now);
        }
        return true;
    }

    /** Nanoseconds by which the bucket is ahead of now, without what waiters have reserved of it. */
    long ahead(long now) {
        return bucket.get() - queue.unused() - now;
    }

    /**
     * A bucket cannot be more than empty: takes out of it what was put in by other limits than the one that holds now. It cannot tell that
     * from the token of one that is about to enter, which is why {@link #enter} looks whether it was meanwhile.
     */
    void forgive(long now) {
        if (key.policy() != null) {
            long debt = ahead(now) - limit.tolerance - limit.interval;
            if (debt > 0) {
                forgiven++;
                bucket.addAndGet(-debt);
            }
        }
    }
}
