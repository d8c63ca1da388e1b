package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Finding;
import java.util.Arrays;

/**
 * Hands on what the limiter tells, to any number of listeners in turn. An error of one of them is told, and the others
 * hear of the event all the same. Allocates nothing.
 */
abstract class FanOut implements Listener {
    private volatile Listener[] hearers = {};

    synchronized void add(Listener hearer) {
        Listener[] more = Arrays.copyOf(hearers, hearers.length + 1);
        more[more.length - 1] = hearer;
        hearers = more;
    }

    /** Those who hear it. */
    Listener[] hearers() {
        return hearers;
    }

    /** Tells of an error; never throws. */
    @Override
    public abstract void trouble(Throwable error);

    @Override
    public Object waits(Key key) {
        Object begun = null;
        for (Listener hearer : hearers()) {
            try {
                Object its = hearer.waits(key);
                begun = its != null ? its : begun;
            } catch (Throwable e) {
                trouble(e);
            }
        }
        return begun;
    }

    @Override
    public void delayed(Key key, long expectedWaitNanos, Rejection why) {
        for (Listener hearer : hearers()) {
            try {
                hearer.delayed(key, expectedWaitNanos, why);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void leftOut(String host, String why) {
        for (Listener hearer : hearers()) {
            try {
                hearer.leftOut(host, why);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void unseen(String host, String by, boolean http2) {
        for (Listener hearer : hearers()) {
            try {
                hearer.unseen(host, by, http2);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void throttled(Key key, Target target, long waitedNanos, Object begun) {
        for (Listener hearer : hearers()) {
            try {
                hearer.throttled(key, target, waitedNanos, begun);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        for (Listener hearer : hearers()) {
            try {
                hearer.blocked(key, target, finding, consecutive, counts);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
        for (Listener hearer : hearers()) {
            try {
                hearer.cooldownStarted(key, durationNanos, reason, rung, refusing);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void lifetimeBlocked(Key key, String reason) {
        for (Listener hearer : hearers()) {
            try {
                hearer.lifetimeBlocked(key, reason);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void cooldownEnded(Key key) {
        for (Listener hearer : hearers()) {
            try {
                hearer.cooldownEnded(key);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void rejected(Key key, Target target, Rejection code) {
        for (Listener hearer : hearers()) {
            try {
                hearer.rejected(key, target, code);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void evicted(Key key) {
        for (Listener hearer : hearers()) {
            try {
                hearer.evicted(key);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void streamClosed(Key key, String why) {
        for (Listener hearer : hearers()) {
            try {
                hearer.streamClosed(key, why);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void crawlDelay(Key key, int millis) {
        for (Listener hearer : hearers()) {
            try {
                hearer.crawlDelay(key, millis);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void unreadableEncoding(Key key, String encoding) {
        for (Listener hearer : hearers()) {
            try {
                hearer.unreadableEncoding(key, encoding);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void announced(Key key, Announced says) {
        for (Listener hearer : hearers()) {
            try {
                hearer.announced(key, says);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void fleetLost(Fleet.State how, String why) {
        for (Listener hearer : hearers()) {
            try {
                hearer.fleetLost(how, why);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }

    @Override
    public void fleetRestored(boolean again) {
        for (Listener hearer : hearers()) {
            try {
                hearer.fleetRestored(again);
            } catch (Throwable e) {
                trouble(e);
            }
        }
    }
}
