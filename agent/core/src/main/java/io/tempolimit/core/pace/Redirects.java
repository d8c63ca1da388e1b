package io.tempolimit.core.pace;

import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Locale;

/**
 * Redirects that ask whoever follows them to wait first (RFC 9110, 10.2.3). That is about one request and not about
 * its host: the next one that goes where such a redirect leads is taken for the one that follows it, be it sent by the
 * client or by the application itself. Thread-safe.
 */
public final class Redirects {
    /** More are not remembered; the oldest goes. */
    private static final int MOST = 256;

    /** One that nobody has followed yet. */
    public static final class Redirect {
        private final String to;
        /** When it may be followed. */
        public final long from;

        private Redirect(String to, long from) {
            this.to = to;
            this.from = from;
        }
    }

    private final ArrayDeque<Redirect> open = new ArrayDeque<>();
    /** Read without the lock, so that requests do not meet here where no site does such a thing. */
    private volatile boolean any;

    /** A redirect to this target may be followed from then on. */
    public synchronized void add(Target to, long from) {
        String address = address(to);
        if (address != null) {
            open.add(new Redirect(address, from));
            if (open.size() > MOST) {
                open.remove();
            }
            any = true;
        }
    }

    /** The one that a request to there follows too early; null if there is none. */
    public Redirect of(Target target, long now) {
        return any ? find(address(target), now) : null;
    }

    private synchronized Redirect find(String address, long now) {
        Redirect found = null;
        for (Iterator<Redirect> all = open.iterator(); all.hasNext(); ) {
            Redirect r = all.next();
            if (r.from - now <= 0) {
                all.remove();
            } else if (found == null && r.to.equals(address)) {
                found = r;
            }
        }
        any = !open.isEmpty();
        return found;
    }

    /** How long a request to there has to wait in a dry run, as it follows a redirect; 0 if it does not. */
    long left(Target target, long now) {
        Redirect redirect = of(target, now);
        if (redirect == null) {
            return 0;
        }
        followed(redirect);
        return redirect.from - now;
    }

    /** A request waits for this one: others to there have nothing to do with it. */
    public synchronized void followed(Redirect redirect) {
        open.remove(redirect);
        any = !open.isEmpty();
    }

    /** The path; the root's where there is none. */
    public static String pathOf(Target target) {
        String path = target.path();
        return path == null || path.isEmpty() ? "/" : path;
    }

    /** Without the query, which a target does not have. */
    private static String address(Target t) {
        String host = Hosts.canonical(t.host());
        return host == null ? null : t.scheme().toLowerCase(Locale.ROOT) + "://" + host + ":" + Keying.port(t) + pathOf(t);
    }
}
