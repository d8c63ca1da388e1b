package io.tempolimit.core.key;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Streams;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.pace.Common;
import io.tempolimit.core.pace.Departure;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.StreamLimits;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Detector;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Look;
import io.tempolimit.detect.Robots;
import io.tempolimit.detect.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens with a site's answer, from its head to the end of its body: the detector looks, what it says goes to the {@link
 * Verdicts}, at once or by {@link PendingVerdicts}, and a place is given back. Has no state but the permits'. Called on the
 * threads of clients; takes the key's lock itself.
 */
final class Answers {
    private Answers() {
    }

    /** The site's answer has begun; gives who is to see its body, or null if that changes nothing. */
    static Body answered(Exchange permit, Head head) {
        HostKey key = permit.key;
        Target target = permit.target;
        Common common = key.common;
        Policy p = policy(permit);
        if (permit.state != Reservation.GRANTED) {
            return null;
        }
        if (p == null) {
            Verdicts.judged(permit, Finding.of(Verdict.NEUTRAL, head.status()));
            return null;
        }
        Look look = detector(permit).look(target.method(), permit.host(), target.path(), head, p.detection(), key.baseline());
        long now = key.now();
        permit.lastSeen = now;
        SiteLimits.announced(key, look.announced(), now);
        if (look.redirectWait() > 0 && p.retryAfterMax() > 0) {
            common.redirects.add(PageUrl.of(look.location(), target.url()), now + Circuit.withMargin(look.redirectWait()));
        }
        Policy keys = key.policy();
        if (asksAgain(look, head.status()) || keys != null && keys.flightLearned()) {
            Departure.left(key, permit);
        }
        boolean empty = empty(permit, head.status());
        StreamLimits streams = keys != null && !empty && look.eventStream() && common.rules.enabled() ? keys.streams() : null;
        boolean settled = streams != null || look.settled(); // nobody looks for a block in a stream
        Caps.Place place = permit.place;
        Robots robots = p.robots() ? robots(permit, head) : null;
        Body body = empty || place == null && streams == null ? null : new Body(permit, settled ? null : look, robots);
        if (body != null && place != null) {
            place.body(body);
        }
        if (!settled) {
            return !pends(permit, look, now) ? null : body == null ? new Body(permit, look, robots) : body;
        }
        permit.judgedBlock = look.head().verdict().isBlock();
        Verdicts.judged(permit, look.head(), body == null, now);
        if (body != null && place != null) {
            attendPlaces(key);
        }
        if (streams != null) {
            opened(body, permit, streams);
        }
        return body == null && robots != null ? new Body(permit, null, robots) : body;
    }

    /** An answer has turned out to be an event stream. Makes room for it, or has it closed, which its client is asked for. */
    private static void opened(Body body, Exchange permit, StreamLimits limits) {
        HostKey key = permit.key;
        Common common = key.common;
        String url = permit.target.url();
        StreamLimits l = limits;
        if (common.rules.dryRun()) {
            l = StreamLimits.NONE;
            if (common.streams.turnsAway(key.name(), url, limits)) {
                key.rejections().rejectStream(permit);
            }
        }
        List<Body> victims = new ArrayList<>(0);
        boolean open = common.streams.open(body, key.name(), url, l, key.now(), victims);
        for (Body victim : victims) {
            Streams.close(victim, "closed to make room for a newer one (stream-policy=evict-oldest)", common.listener);
        }
        if (!open) {
            Streams.reject(body, key.rejections().rejectStream(permit));
        }
    }

    /** The body of this answer may say more than its head; false if it has been judged meanwhile. */
    private static boolean pends(Exchange permit, Look look, long now) {
        if (!permit.finish(now)) {
            return false;
        }
        HostKey key = permit.key;
        key.ended(1);
        key.lock().lock();
        try {
            key.answered(look.head().status());
            key.madePending().begun(permit, look, now);
        } finally {
            key.lock().unlock();
        }
        key.common.unread.lookLater();
        return true;
    }

    /** What reads this answer if it is the host's robots.txt, which the application has fetched; else null. */
    private static Robots robots(Exchange permit, Head head) {
        Target target = permit.target;
        if (!"/robots.txt".equals(target.path()) || !target.method().equals("GET")) {
            return null;
        }
        if (head.status() == 404 || head.status() == 410) {
            SiteLimits.crawlDelay(permit.key, 0); // the host has none any more
        }
        String userAgent = target.header("User-Agent");
        return Robots.of(head, userAgent == Target.UNKNOWN ? null : userAgent);
    }

    /** Whether such an answer is one that somebody goes on from, with another request of this host perhaps, before its body is over. */
    private static boolean asksAgain(Look look, int status) {
        return status == 401 || status == 407 || look.location() != null;
    }

    /** Whether such an answer has no body that could end. */
    private static boolean empty(Exchange permit, int status) {
        return status == 101 || status == 204 || status == 304 || permit.target.method().equals("HEAD");
    }

    /** Places are held by answers that may be left unread. */
    private static void attendPlaces(HostKey key) {
        key.lock().lock();
        try {
            key.madePending().attend();
        } finally {
            key.lock().unlock();
        }
        key.common.unread.lookLater();
    }

    /** An answer's body has been looked at, as far as the application has read it. */
    static void read(Exchange permit, Finding finding) {
        HostKey key = permit.key;
        key.lock().lock();
        try {
            long now = key.now();
            if (permit.finding != null) {
                key.pending().settle(permit, finding, now);
            } else if (finding.verdict().isBlock() && !permit.judgedBlock) {
                key.madeVerdicts().judge(permit, finding, now); // by its head it was a page; now we know better
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** See {@link Permit#landed}. */
    static boolean landed(Exchange permit, String url) {
        Policy p = policy(permit);
        Finding finding = p == null ? null : detector(permit).landed(url, p.detection());
        if (finding == null || !finding.verdict().isBlock()) {
            return false;
        }
        known(permit, finding);
        return true;
    }

    /**
     * See {@link Permit#showed}.
     */
    static void showed(Exchange permit, String document) {
        Policy p = policy(permit);
        if (p == null) {
            return;
        }
        Finding finding = detector(permit).shown(document, permit.host(), permit.target.path(), p.detection());
        if (finding.verdict().isBlock() || (permit.blind || permit.granted()) && finding.verdict() == Verdict.SUCCESS) {
            permit.blind = false;
            known(permit, finding);
        }
    }

    private static Policy policy(Exchange permit) {
        return permit.key.common.rules.own(permit.key.name(), permit.key.policy(), permit.target);
    }

    private static Detector detector(Exchange permit) {
        return permit.key.common.rules.rules().detector();
    }

    /** More is known of an answer that may have ended; a block counts once. */
    private static void known(Exchange permit, Finding finding) {
        HostKey key = permit.key;
        if (permit.finish(key.now())) {
            key.ended(1);
            Departure.left(key, permit);
        }
        key.lock().lock();
        try {
            if (!permit.judgedBlock) {
                permit.judgedBlock = finding.verdict().isBlock();
                key.madeVerdicts().judge(permit, finding, key.now());
            }
        } finally {
            key.lock().unlock();
        }
    }
}
