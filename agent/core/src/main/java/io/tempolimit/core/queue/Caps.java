package io.tempolimit.core.queue;

import io.tempolimit.core.Body;
import io.tempolimit.core.bucket.Window;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.runtime.Chain;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What caps one key beside its bucket: sliding windows, and requests in flight. A request needs a free place and room in every window
 * at the moment at which it goes.
 *
 * <p>The windows hold what really went. Turns of those who wait are planned in copies ({@link #plan}, then {@link #roomInPlan} and {@link
 * #promise} for each in order of arrival), which are made anew whenever turns are handed out anew. When a place becomes free nobody
 * knows, so waiters have a turn only as far as there are free places; the others get theirs when one is given back.
 *
 * <p>An answer that asks for another request (401, 407, a redirect) gives its place back when its head is there: who
 * goes on from there, a client or an application that fetches a token, may need that place before the answer's body is over.
 *
 * <p>Not thread-safe: guarded by its key's lock.
 */
public final class Caps {
    /** How long a place is kept after the last byte was read (the contract's figure). */
    public static final long LEASE = 60_000_000_000L;
    /**
     * How long a request without an answer has a place: longer than clients wait for one by themselves. Some wait for ever, and
     * a program may never send what it has begun.
     */
    public static final long UNANSWERED = 300_000_000_000L;
    /** What was collected is looked for this often, while somebody waits for a place. */
    public static final long LOOK = 1_000_000_000L;
    private static final Window[] NONE = {};

    /**
     * A request in flight: from its grant to its body's end. Refers weakly to its permit, which is collected when it was lost:
     * when neither the client nor the application can end it any more.
     */
    public static final class Place extends WeakReference<Reservation> implements Chain.Link<Place> {
        private final long since;
        /** The body once there is one; nothing but the application's response refers to it, so it is collected with that. */
        private WeakReference<Body> body;
        /** Whether it counts as active no more: its permit has ended. */
        private boolean ended;
        /** Who waits for the answer, where a thread does. A thread that has ended may still refer to its task, and that to the body. */
        private WeakReference<Thread> owner;
        private Place previous;
        private Place next;

        private Place(Reservation permit, long since) {
            super(permit);
            this.since = since;
        }

        /** The answer's body, which is over when nobody reads it any more. Under the lock. */
        public void body(Body b) {
            body = new WeakReference<>(b);
        }

        /** Its permit has ended. */
        void ended() {
            ended = true;
        }

        /** This thread waits for the answer. Under the lock. */
        public void owner(Thread thread) {
            owner = new WeakReference<>(thread);
        }

        @Override
        public Place previous() {
            return previous;
        }

        @Override
        public Place next() {
            return next;
        }

        @Override
        public void previous(Place p) {
            previous = p;
        }

        @Override
        public void next(Place p) {
            next = p;
        }

        /** Whether nobody will give it back, or nobody has for too long. */
        private boolean over(long now) {
            Reservation permit = get();
            if (permit == null || body != null && body.get() == null) {
                return true;
            }
            return permit.state == Reservation.DONE ? now - permit.lastSeen >= LEASE : now - since >= UNANSWERED;
        }
    }

    /** Counts what goes from some moment on, too. Few keys have one, so its fields are not in each. */
    private static final class Also {
        private final Caps there;
        private final long from;

        Also(Caps there, long from) {
            this.there = there;
            this.from = from;
        }
    }

    private WindowLimit[] limits = {};
    private Window[] windows = NONE;
    /** Copies that also hold what was promised to those who wait. */
    private Window[] planned = NONE;
    /** Null if nothing else counts what goes. */
    private Also also;
    private int concurrency = Integer.MAX_VALUE;
    /** Null as long as none was taken. */
    private Chain<Place> places;
    private int inFlight;
    private int promised;
    /** Waiters that need no place. */
    private int waitingReentrant;

    /** Takes over settings; what went stays counted as far as it is remembered. */
    public void limits(WindowLimit[] now, int places, long time) {
        concurrency = places;
        if (now == limits) {
            return;
        }
        limits = now;
        windows = like(windows, now, time);
        planned = NONE;
    }

    /** Counts what that one has counted. */
    public void takeOver(Caps other, long now) {
        windows = like(other.windows, limits, now);
    }

    /** What goes from now on counts there, too; null: nowhere else. */
    public void countAlso(Caps there, long now) {
        if (there == null) {
            also = null;
        } else if (also == null || also.there != there) {
            also = new Also(there, now);
        }
    }

    private static Window[] like(Window[] old, WindowLimit[] limits, long time) {
        Window[] made = new Window[limits.length];
        for (int i = 0; i < limits.length; i++) {
            Window like = like(old, limits[i]);
            made[i] = like == null ? new Window(limits[i]) : new Window(like, limits[i], time);
        }
        return made;
    }

    /** The old window that knows most of what the new one must know. */
    private static Window like(Window[] windows, WindowLimit limit) {
        Window best = null;
        for (Window w : windows) {
            if (w == null) {
                continue;
            }
            long has = w.limit().duration;
            long had = best == null ? 0 : best.limit().duration;
            best = best == null || had < limit.duration && has > had || has >= limit.duration && has < had ? w : best;
        }
        return best;
    }

    // ---- what really goes

    /** When the windows let the next request go: now, or later. */
    public long room(long now) {
        return earliest(windows, now);
    }

    /** Whether there is a place. */
    public boolean free() {
        return inFlight < concurrency;
    }

    /** A request goes: counts in every window. */
    public void takeRoom(long now) {
        for (Window w : windows) {
            w.take(now);
        }
        if (also != null) {
            also.there.takeRoom(now);
        }
    }

    /** A request goes: is in flight from now on, where that is limited. */
    public void takePlace(Reservation permit, long now) {
        if (concurrency < Integer.MAX_VALUE) {
            Place place = new Place(permit, now);
            places = places == null ? new Chain<>() : places;
            places.append(place);
            inFlight++;
            permit.place = place;
        }
    }

    /** The request that went then was not sent after all. */
    public void notSent(long then) {
        for (Window w : windows) {
            w.giveBack(then);
        }
        if (also != null && then - also.from >= 0) {
            also.there.notSent(then);
        }
    }

    private Place first() {
        return places == null ? null : places.first();
    }

    /** Its answer is over; whether it had a place until now. */
    public boolean left(Reservation permit) {
        Place place = permit.place;
        if (place == null) {
            return false;
        }
        permit.place = null;
        remove(place);
        return true;
    }

    private void remove(Place place) {
        places.remove(place);
        inFlight--;
    }

    /**
     * Takes back the places of requests and bodies that nobody can end any more, and of those that nobody has gone on with
     * for long.
     *
     * @return how many of them were lost before they had an answer
     */
    public int reclaim(long now) {
        int lost = 0;
        for (Place place = first(), next; place != null; place = next) {
            next = place.next();
            if (place.over(now)) {
                Reservation permit = place.get();
                if (permit == null) {
                    lost += place.ended ? 0 : 1;
                } else {
                    permit.place = null;
                }
                remove(place);
            }
        }
        return lost;
    }

    /** Whether a place is held by an answer, which may be left unread. */
    public boolean answered() {
        for (Place place = first(); place != null; place = place.next()) {
            Reservation permit = place.get();
            if (permit == null || permit.state == Reservation.DONE) {
                return true;
            }
        }
        return false;
    }

    /** Whether this thread has a place: then it must not wait for another, which may never come. */
    public boolean holds(Thread thread) {
        for (Place place = first(); place != null; place = place.next()) {
            if (place.owner != null && place.owner.get() == thread) {
                return true;
            }
        }
        return false;
    }

    public int inFlight() {
        return inFlight;
    }

    /** Whether forgetting it would forget nothing. */
    public boolean unused(long now) {
        return inFlight == 0 && counted(now) == 0;
    }

    /** How many count now, in the window that has most of them. */
    public int counted(long now) {
        int most = 0;
        for (Window w : windows) {
            most = Math.max(most, w.used(now));
        }
        return most;
    }

    /** When all windows will be empty. */
    public long emptyAt(long now) {
        long empty = now;
        for (Window w : windows) {
            long at = w.emptyAt(now);
            empty = at - empty > 0 ? at : empty;
        }
        return empty;
    }

    // ---- turns of those who wait

    /** Begins a new plan, with nobody in it. */
    public void plan(long now) {
        promised = 0;
        planRoom(now);
    }

    private void planRoom(long now) {
        if (planned.length != windows.length) {
            planned = new Window[windows.length];
        }
        for (int i = 0; i < windows.length; i++) {
            planned[i] = new Window(windows[i], limits[i], now);
        }
    }

    /** Nobody has a turn. */
    public void promiseNothing() {
        promised = 0;
        planned = NONE; // a copy that only a key with waiters has to have
    }

    /** Whether there is a place for one more of those who wait. */
    public boolean freeInPlan() {
        return promised < concurrency - inFlight;
    }

    /** When the windows let the next one in the plan go, or one that goes without a plan: this time, or later. */
    public long roomInPlan(long time) {
        return earliest(planned.length == 0 ? windows : planned, time);
    }

    /** This one goes then. */
    public void promise(Reservation permit, long time) {
        takeInPlan(time);
        keepPlace(permit);
    }

    private void takeInPlan(long time) {
        for (Window w : planned) {
            w.take(time);
        }
    }

    /** This one goes, and when is not decided here. */
    public void keepPlace(Reservation permit) {
        permit.placePromised = !permit.reentrant;
        promised += permit.placePromised ? 1 : 0;
    }

    /** When requests go that may go at these times, in order, as far as the windows are concerned. */
    public void delay(long[] times, int n, long now) {
        planRoom(now);
        for (int i = 0; i < n; i++) {
            times[i] = roomInPlan(times[i]);
            takeInPlan(times[i]);
        }
        planned = NONE;
    }

    /** What was promised is taken, or not needed any more. */
    public void release(Reservation permit) {
        promised -= permit.placePromised ? 1 : 0;
        permit.placePromised = false;
    }

    /** This one waits no longer. */
    public void leaves(Reservation permit) {
        release(permit);
        waitingReentrant -= permit.reentrant ? 1 : 0;
    }

    /** This waiting one needs no place. */
    public void makeReentrant(Reservation permit) {
        permit.reentrant = true;
        waitingReentrant++;
    }

    public boolean noneReentrant() {
        return waitingReentrant == 0;
    }

    private static long earliest(Window[] windows, long time) {
        long at = time;
        for (boolean later = windows.length > 0; later; ) { // with several, a later time may be too early for one that was asked before
            later = false;
            for (Window w : windows) {
                long t = w.earliest(at);
                later |= t - at > 0;
                at = t;
            }
            later &= windows.length > 1;
        }
        return at;
    }

    // ---- over a restart

    /** What each window holds, as {@code count/nanoseconds:content}. */
    public List<String> save(long now) {
        List<String> all = new ArrayList<>();
        for (Window w : windows) {
            if (w.used(now) > 0) {
                all.add(w.limit().count + "/" + w.limit().duration + ":" + w.save(now));
            }
        }
        return all;
    }

    /**
     * Takes in what {@link #save} gave, perhaps under other settings, into windows in which nothing was taken yet:
     * each window what the one that knows most of what it must know has held.
     *
     * @return whether all of it could be read; what could not is left out
     */
    public boolean restore(List<String> saved, long ago, long now) {
        boolean good = true;
        Window[] old = new Window[saved.size()];
        for (int i = 0; i < old.length; i++) {
            String text = saved.get(i);
            int slash = text.indexOf('/');
            int colon = text.indexOf(':');
            try {
                old[i] = new Window(new WindowLimit(Integer.parseInt(text.substring(0, Math.max(0, slash))),
                        Long.parseLong(text.substring(slash + 1, Math.max(slash + 1, colon)))));
                old[i].restore(text.substring(colon + 1), ago, now);
            } catch (IllegalArgumentException e) { // a NumberFormatException too
                old[i] = null;
                good = false;
            }
        }
        for (int i = 0; i < windows.length; i++) {
            Window like = like(old, limits[i]);
            windows[i] = like == null ? windows[i] : new Window(like, limits[i], now);
        }
        return good;
    }

    // ---- for messages

    /** The window that is fullest; null if there is none. */
    public Window fullest(long now) {
        Window fullest = null;
        for (Window w : windows) {
            if (fullest == null || (double) w.used(now) / w.limit().count > (double) fullest.used(now) / fullest.limit().count) {
                fullest = w;
            }
        }
        return fullest;
    }
}
