package io.tempolimit.core.pace;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.queue.WaitQueue;

/**
 * When who may go, by this JVM's own bucket, windows and places. A request that has to wait reserves its token at once, and is
 * entered in the {@link WaitQueue}; {@link #replan} hands out all turns anew whenever circumstances change.
 *
 * <p>To hand out turns anew, all that waiters have reserved is taken out of the bucket, and reserved again in the queue's
 * order. This is sound only while the bucket is not idle. So where sleepers are late, turns are handed out anew before one of
 * them goes or somebody overtakes them. A request that took its token without the lock, while somebody came to wait, sees that
 * {@link #version} has changed, and gives it back.
 *
 * <p>Where several JVMs share limits, a class that extends this one hands out the fleet's slots to the same queue, and does what
 * is done here while the fleet does not answer.
 *
 * <p>All under the key's lock, but for {@link #enter}, {@link #reserveToken} and {@link #lateOnesFirst}, which take it where they have
 * to, and what is volatile.
 */
public class LocalPacer extends Pacer {
    public final PacedKey key;
    /** The key's bucket, which is this very object; see {@link Pacer}. */
    public final TokenBucket bucket = this;
    /** What holds now: the policy's, or less by what was learnt; null where nothing was ever paced. */
    private volatile Limit limit;
    /** Windows and requests in flight; null as long as neither was ever limited. Its content is guarded by the lock. */
    private volatile Caps caps;
    /** Made for the first who waits. */
    private volatile WaitQueue queue = WaitQueue.NONE;
    /** Grows whenever all turns are handed out anew, and when somebody comes to wait where nobody waited. Written under the lock. */
    private volatile int version;
    /** Grows whenever something is taken out of the bucket that may be somebody's token. Written under the lock. */
    private volatile int forgiven;

    protected LocalPacer(PacedKey key, Limit limit, long now) {
        super(now);
        this.key = key;
        this.limit = limit;
    }

    public int version() {
        return version;
    }

    public Limit limit() {
        return limit;
    }

    /** Null as long as neither windows nor requests in flight were ever limited. */
    public Caps caps() {
        return caps;
    }

    public WaitQueue queue() {
        return queue;
    }

    public Reservation first() {
        return queue.first();
    }

    // ---- a request arrives

    /**
     * Takes a token if there is one and nobody waits, without the lock. Else enters the permit among the waiters; then its turn is
     * reserved under the lock, so that turns are in the queue's order.
     *
     * @param v the version before anything was looked at
     * @return nanoseconds to wait, or {@link TokenBucket#REFUSED}; 0 if it goes, or was entered behind somebody whose turn has come
     */
    long enter(Reservation permit, Policy p, int v, long now) {
        Limit l = limit;
        int before = forgiven;
        boolean took = false;
        if (queue.waiting() == 0) {
            took = reserveToken(l, 0, 0, now) == 0;
            if (took ? version == v : p.reject()) {
                return took ? 0 : TokenBucket.REFUSED;
            }
        }
        key.lock().lock();
        try {
            if (took) { // but somebody has come to wait meanwhile; or what it took was another limit's, or has been forgiven
                bucket.addAndGet(limit == l && forgiven == before ? -l.interval : 0);
                replan(now);
            }
            return first() == null || p.reject() ? enterAlone(permit, p, now) : enterBehind(permit, p, now);
        } finally {
            key.lock().unlock();
        }
    }

    private long enterAlone(Reservation permit, Policy p, long now) {
        return reserveToken(limit, 0, 0, now) == 0 ? 0 : p.reject() ? TokenBucket.REFUSED : enterBehind(permit, p, now);
    }

    /** Enters it before its turn is reserved: who takes a token without the lock looks afterwards whether somebody has come to wait. */
    private long enterBehind(Reservation permit, Policy p, long now) {
        Limit l = limit;
        long extra = permit.extra(l);
        version += first() == null ? 1 : 0;
        madeQueue().append(permit);
        long wait = bucket.reserve(now, l, extra, p.maxWait());
        if (wait < 0) {
            queue.takeBack(permit);
            return wait;
        }
        permit.reserve(now + wait, l.interval + (wait == 0 ? 0 : extra), l);
        queue.reserve(permit.reservedNanos);
        permit.setWake(p);
        if (wait == 0 || key.policy() != p || key.passing() || key.closed()) {
            replan(now);
        }
        return wait;
    }

    /** Where the bucket has a token although somebody sleeps, all are late, after a pause of the collector, say: nobody overtakes them. */
    void lateOnesFirst(Policy p, long now) {
        if (queue.waiting() > 0 && !p.capped() && bucket.peek(now, limit) == 0) {
            key.lock().lock();
            try {
                if (first() != null) {
                    delayAll(p, now);
                }
            } finally {
                key.lock().unlock();
            }
        }
    }

    /** A request goes in any case, and the next one pays. Takes the lock where it has to. */
    protected void charge(Policy p, long now) {
        lateOnesFirst(p, now);
        takeToken(now);
    }

    /** Of a request that goes in any case. */
    public void takeToken(long now) {
        reserveToken(limit, 0, Policy.UNLIMITED, now);
    }

    /** See {@link TokenBucket#reserve}. Another limit may come to hold meanwhile. */
    long reserveToken(Limit l, long extra, long maxWait, long now) {
        long wait = bucket.reserve(now, l, extra, maxWait);
        if (limit != l) { // it may have put hours into a bucket of seconds
            key.lock().lock();
            try {
                forgive(now);
                replan(now);
            } finally {
                key.lock().unlock();
            }
        }
        return wait;
    }

    // ---- who waits

    /** One that its client's own queue kept beyond its turn comes before those who have not had theirs. */
    void appendLate(Reservation permit, long now) {
        madeQueue().append(permit);
        replan(now);
    }

    public WaitQueue madeQueue() {
        queue = queue == WaitQueue.NONE ? new WaitQueue() : queue;
        return queue;
    }

    /** One that came later takes its place among the others. */
    void appendLater(Reservation permit, long now) {
        queue.removeLater(permit);
        madeQueue().append(permit);
        if (permit.reentrant) {
            caps.makeReentrant(permit);
        }
        replan(now);
    }

    public void remove(Reservation permit) {
        WaitQueue q = queue;
        q.remove(permit);
        boolean none = q.first() == null;
        if (caps != null) {
            caps.leaves(permit);
            if (none) {
                caps.promiseNothing();
            }
        }
        if (!none && q.outdated()) {
            q.lookSoon(key.now());
        }
        if (none && q.released() > 0) {
            bucket.addAndGet(-q.released());
            q.forgetReleased();
        }
    }

    /** A waiter leaves, and what it has reserved may be used by others. */
    void leave(Reservation permit, long now) {
        queue.update(permit, limit);
        remove(permit);
        returnToken(permit, now);
    }

    /** A request that took a token, and was just removed if it was waiting, will not be sent. {@code then} may be a while ago. */
    protected void returnToken(Reservation permit, long then) {
        boolean went = permit.state != Reservation.WAITING; // then what has passed since is lost; else it has only waited
        if (permit.reservedNanos == 0 || went && permit.grantedBy != limit // nobody knows what one of another limit is worth by now
                || bucket.compareAndSet(permit.reservedUntil, permit.reservedUntil - permit.reservedNanos)) {
            return;
        }
        for (;;) {
            long full = bucket.get();
            long now = key.now(); // after that: by this time the others have gone
            long left = went ? permit.reservedNanos : Math.min(permit.reservedNanos, permit.reservedUntil - now);
            if (left <= 0 || permit.reservedUntil - left - now < 0) {
                return; // late: without it the bucket would have been full since, and the token have come to nothing
            }
            if (first() != null) {
                queue.release(left);
                return;
            }
            if (bucket.compareAndSet(full, full - left)) {
                return;
            }
        }
    }

    /** Tells a waiter of its new turn, or rejects it if its patience will not last that long; whether it waits on. */
    public boolean settle(Reservation w, Policy p, boolean waitsOn, long now) {
        if (!waitsOn) {
            key.rejections().rejectWaiter(w, now);
            w.wakeAt(now);
            return false;
        }
        w.move(p);
        return true;
    }

    // ---- a waiter looks

    /** Before it is asked whose turn it is: brings its turn up to date. */
    void look(Reservation permit, long now) {
        queue.update(permit, limit);
        if (queue.outdated() && queue.backlog().mayReplan(now)) {
            replan(now);
        }
    }

    /** A waiter looks. If its turn has come as far as it knows, it goes, unless others are late as well, or a cap is in its way. */
    protected void tryGrant(Reservation permit, Policy p, long now) {
        if (now - permit.dueAt < 0) {
            return;
        }
        queue.update(first(), limit);
        if (queue.released() > 0 && (!queue.isLong() || queue.backlog().mayReplan(now))) {
            replan(now); // before it goes, into what was released
        } else if (fullSince(now) > 0) {
            delayAll(p, now); // a full bucket takes in no more, so what was late is lost
            queue.update(permit, limit);
        }
        Caps k = caps(p, now);
        if (k != null && permit.state == Reservation.WAITING && now - permit.dueAt >= 0
                && (permit.withoutPlace() || k.room(now) - now > 0 || !permit.reentrant && !k.free())) {
            replan(now); // somebody may have dropped an answer; or another has gone into its room, or its place is not free yet
        }
        if (permit.state == Reservation.WAITING && now - permit.dueAt >= 0 && !permit.withoutPlace()) {
            long idle = Math.max(0, now - (bucket.get() - queue.unused())); // a full bucket takes in no more, so that is lost for all
            queue.useUp(idle + limit.interval - permit.reservedNanos, permit, limit.interval);
            key.go(permit, key.epochNow(), now);
            remove(permit);
            permit.reservedUntil = Math.min(permit.reservedUntil, bucket.get() - queue.unused()); // late ones in front took nothing yet
        }
    }

    /** It was looked whether its turn has come: one that waits on may have waited for too long, or has to look again soon. */
    void lookedAt(Reservation permit, Policy p, long now) {
        if (permit.state == Reservation.WAITING && p.maxWait() != Policy.UNLIMITED && now - permit.arrival >= p.maxWait()) {
            key.rejections().rejectWaiter(permit, now);
            moveUp(now);
        }
        if (permit.state == Reservation.WAITING && queue.backlog() != null) {
            queue.update(permit, limit);
            permit.setWake(p);
            if (permit == first() && queue.outdated()) {
                queue.lookSoon(now);
            }
        }
    }

    // ---- turns are handed out anew

    public void moveUp(long now) {
        moveUp(now, false);
    }

    /**
     * After somebody left without a token: who is first now goes as the probe, or all move up.
     *
     * @param more whether more may leave at once, so that those who wait for a place look a little later
     */
    void moveUp(long now, boolean more) {
        Policy p = key.policy();
        if (first() == null || p == null || key.passing()) {
            return;
        }
        if (key.closed()) {
            key.cooldown().moveUp(p, now);
        } else {
            closeUp(p, more, now);
        }
    }

    /** Those who wait at an open key move up. */
    protected void closeUp(Policy p, boolean more, long now) {
        if (!queue.isLong() || !more && p.concurrency() < Integer.MAX_VALUE) {
            replan(now);
        } else if (p.capped()) {
            queue.replanSoon(now);
        }
    }

    /** Hands out all turns anew, in order of arrival. */
    public void replan(long now) {
        version++;
        queue.updateAll(limit, now);
        Policy p = key.policy();
        if (p == null || key.passing()) {
            loseSlots(now);
            returnAll(); // they go without a token; whoever is paced next shall not pay for them
            queue.letAllGo(now);
        } else if (key.closed()) {
            key.cooldown().replan(p, now);
        } else {
            reserveAll(now, p);
        }
    }

    /** Nobody has reserved anything. */
    public void returnAll() {
        bucket.addAndGet(-queue.unused());
        queue.forgetReserved();
        if (caps != null) {
            caps.promiseNothing();
        }
    }

    protected void reserveAll(long now, Policy p) {
        if (first() == null && queue.unused() == 0) {
            return; // nobody's turn, and the bucket is not touched while others take from it
        }
        Caps k = caps(p, now);
        if (k != null) {
            reclaim(k, now);
        }
        Plan.reserveAll(this, p, k, now);
    }

    /**
     * Sleepers are late: nobody overtakes them, and nobody goes with them as a herd. In a long queue all turns move by as much. Where that
     * may be too much, for windows know better, or longer than some wait, turns are handed out anew as soon as there is time for it.
     */
    private void delayAll(Policy p, long now) {
        if (!queue.isLong() || p.concurrency() < Integer.MAX_VALUE || together()) { // where places are few, few have turns
            replan(now);
            return;
        }
        queue.update(first(), limit);
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

    /** For how long the bucket would be full if nobody waited, if that is above 0. A first without a place has reserved nothing. */
    private long fullSince(long now) {
        Reservation first = first();
        return now - (first.reservedNanos == 0 ? bucket.get() - queue.unused() : first.reservedUntil - limit.interval);
    }

    /** A cooldown ended then, with an empty bucket. */
    private void beginAnew(Policy p, long end, long now) {
        bucket.empty(end, limit);
        forgiven++;
        queue.forgetReleased();
        queue.forgetReasons();
        queue.updateAll(limit, now);
        reserveAll(now, p);
        version++;
    }

    // ---- windows and places

    /** The caps as the settings want them; null if they want none. */
    public Caps caps(Policy p, long now) {
        Caps k = caps;
        if (k == null && p.capped()) {
            k = new Caps();
            caps = k;
        }
        if (k != null) {
            k.limits(windows(p.windows()), p.concurrency(), now);
        }
        return p.capped() ? k : null;
    }

    /** See {@link Caps#reclaim}; whether places were taken back. */
    public boolean reclaim(Caps k, long now) {
        int before = k.inFlight();
        int lost = k.reclaim(now);
        if (lost > 0) {
            key.ended(lost);
        }
        return k.inFlight() < before;
    }

    // ---- the limit

    /** Makes the limit what the policy, what was learnt, what the site says and the fleet allow; whether it is another one than before. */
    public boolean takeOver(Policy p, long now) {
        Limit to = part(key.allowed(p, now));
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
    public long ahead(long now) {
        return bucket.get() - queue.unused() - now;
    }

    /** A bucket cannot be more than empty: takes out of it what was put in by other limits than the one that holds now. */
    public void forgive(long now) {
        if (key.policy() != null) {
            long debt = ahead(now) - limit.tolerance - limit.interval;
            if (debt > 0) {
                forgiven++;
                bucket.addAndGet(-debt);
            }
        }
    }

    // ---- in a cooldown

    /** When the next probe may go: after the pause, and when the bucket has a token, which it takes like any other request. */
    protected long probeDue(Circuit c, Policy p, long now) {
        long due = now + Math.max(c.until - now, bucket.peek(now, limit));
        Caps k = caps(p, now);
        if (k == null) {
            return due;
        }
        reclaim(k, now);
        long room = k.room(due);
        return k.free() ? room : Math.max(room - now, Caps.LOOK) + now;
    }

    /** How long a cooldown goes on at least. How long a probe will take nobody knows. */
    protected long restLeft(Circuit c, long now) {
        return Math.max(c.pauseLeft(now), bucket.peek(now, limit));
    }

    /** The circuit opens, from a bucket that was empty then. */
    protected void open(Circuit c, Policy p, long end, long now) {
        beginAnew(p, end, now); // before it opens: who arrives now must not overtake those who wait
        c.opened();
    }
}
