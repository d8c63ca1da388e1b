package io.tempolimit.core.key;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.pace.Arrival;
import io.tempolimit.core.pace.Departure;
import io.tempolimit.core.pace.Outcome;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Verdict;
import java.util.function.Predicate;

/** A request with its answer: the one kind of permit that there is. Its fields are guarded by the key's lock. */
final class Exchange extends Reservation implements Body.Owner {
    final HostKey key;
    /** What the answer's head says, while its body may still say more; else null. */
    Finding finding;
    /** Whether its answer's head has done something already. */
    boolean acted;
    /** What of that has not been told, as the body may say better why; else null. */
    Outcome untold;
    /** Whether it has been judged a block by its head, or by where it led to. */
    boolean judgedBlock;
    /** Whether the answer was one of which nothing was known, and has not been shown since. */
    boolean blind;
    /** Whether anything of the answer's body has been read. */
    volatile boolean read;

    Exchange(HostKey key, Target target, long arrival) {
        super(target, arrival);
        this.key = key;
    }

    @Override
    public HostKey key() {
        return key;
    }

    @Override
    public String host() {
        return key.common.rules.ownHost(key.name(), target);
    }

    // ---- it waits

    @Override
    public void waitWith(Waiter w) {
        key.lock().lock();
        try {
            waiter(w);
        } finally {
            key.lock().unlock();
        }
    }

    @Override
    public boolean turnComes() {
        return key.turnComes(this, key.now());
    }

    @Override
    public Waiter ahead(Predicate<Waiter> which) {
        return key.ahead(this, which, key.now());
    }

    @Override
    public boolean poll() {
        return key.poll(this, key.now());
    }

    @Override
    public long goAhead(long longerThan, boolean byBurst) {
        return Arrival.goAhead(key, this, longerThan, byBurst);
    }

    @Override
    public boolean cancel() {
        return key.cancel(this, key.now());
    }

    @Override
    public RequestRejectedException rejection() {
        return rejection == null ? null : (RequestRejectedException) key.rejections().explain(this).fillInStackTrace();
    }

    @Override
    public void owner(Thread thread) {
        if (key.capped()) {
            Arrival.owner(key, this, thread);
        }
    }

    // ---- it goes, and ends

    @Override
    public Permit depart() throws RequestRejectedException {
        Reservation goes = Departure.depart(key, this);
        if (goes.announced() == null) {
            goes.announced(key.common.unseen.departs(target));
        }
        return goes;
    }

    @Override
    public Body answered(Head head) {
        int status = head.status();
        return status >= 200 || status == 101 ? Answers.answered(this, head) : null;
    }

    @Override
    public void answered(int status) {
        if (status >= 200 || status == 101) {
            Verdicts.judged(this, Finding.of(Verdict.of(status), status));
        }
    }

    @Override
    public void answered() {
        blind = granted();
        Verdicts.judged(this, Finding.of(Verdict.NEUTRAL, 0));
    }

    @Override
    public boolean landed(String url) {
        return Answers.landed(this, url);
    }

    @Override
    public void showed(String document) {
        Answers.showed(this, document);
    }

    @Override
    public boolean wantsDocument() {
        Policy p = key.common.rules.own(key.name(), key.policy(), target);
        return p != null && p.detection().browser();
    }

    @Override
    public void failed(Throwable failure) {
        Verdicts.judged(this, Finding.of(Verdict.of(failure), 0));
    }

    @Override
    public void unused() {
        Departure.unused(key, this);
    }

    @Override
    public void abandoned() {
        Departure.abandoned(key, this);
    }

    // ---- its body

    @Override
    public boolean holdsPlace() {
        return place != null;
    }

    @Override
    public void passed() {
        lastSeen = key.now();
    }

    @Override
    public void read() {
        read = true;
        lastSeen = key.now();
    }

    @Override
    public void judged(Finding by) {
        Answers.read(this, by);
    }

    @Override
    public void unreadable(String encoding) {
        if (key.common.tellsEncoding()) {
            key.common.listener.unreadableEncoding(key, encoding);
        }
    }

    @Override
    public void crawlDelay(long nanos) {
        SiteLimits.crawlDelay(key, nanos);
    }

    @Override
    public void over() {
        Departure.left(key, this);
    }
}
