package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.request.Hosts;
import java.util.Arrays;
import java.util.Collection;

/** An operator's actions, whichever way they come. Thread-safe. */
final class Control implements LimiterControl {
    /** Ten years. */
    private static final long LONGEST = 315_360_000;

    private final Limiter limiter;
    private final Watch watch;
    private final String way;

    /** @param way by which the operator comes, for the log: {@code JMX} */
    Control(Limiter limiter, Watch watch, String way) {
        this.limiter = limiter;
        this.watch = watch;
        this.way = way;
    }

    @Override
    public String getStatsJson() {
        return StatsJson.of(limiter, watch);
    }

    @Override
    public String[] getKeys() {
        Collection<Key> keys = limiter.keys();
        String[] names = new String[keys.size()];
        int n = 0;
        for (Key key : keys) {
            names[n++] = key.name();
        }
        Arrays.sort(names);
        return names;
    }

    @Override
    public boolean isEnabled() {
        return limiter.enabled();
    }

    @Override
    public void setEnabled(boolean on) {
        limiter.setEnabled(on);
        done(on ? "Pacing goes on" : "Pacing stops, requests go as they come");
    }

    @Override
    public boolean isDryRun() {
        return limiter.dryRun();
    }

    @Override
    public void setDryRun(boolean on) {
        limiter.setDryRun(on);
        done(on ? "A dry run begins, requests go as they come" : "The dry run ends");
    }

    @Override
    public String stats(String name) {
        return StatsJson.of(key(name));
    }

    @Override
    public void reset(String name) {
        Key key = key(name);
        key.reset();
        done(key.name() + ": begins anew");
    }

    @Override
    public void resetStats(String name) {
        Key key = key(name);
        key.resetStats();
        done(key.name() + ": its counters begin anew");
    }

    @Override
    public void pause(String name, long seconds) {
        Key key = key(name);
        if (seconds < 1 || seconds > LONGEST) {
            throw new IllegalArgumentException("seconds must be 1 to " + LONGEST + ": " + seconds);
        }
        if (key.pause(seconds * 1_000_000_000L)) {
            done(key.name() + ": paused");
        }
    }

    @Override
    public void resume(String name) {
        Key key = key(name);
        key.resume();
        done(key.name() + ": goes on");
    }

    @Override
    public void setRate(String name, double rate, int burst) {
        Key key = key(name);
        Limit limit = new Limit(rate, burst);
        key.limit(limit);
        done(key.name() + ": held to " + Human.rate(limit.rate()) + " (burst " + Human.count(limit.burst()) + ") until it is reset");
    }

    private Key key(String name) {
        Key key = name == null ? null : limiter.key(name);
        String host = key != null ? null : Hosts.canonical(name);
        key = host != null ? limiter.key(host) : key;
        if (key == null) {
            throw new IllegalArgumentException("There is no key " + name);
        }
        return key;
    }

    private void done(String what) {
        watch.log().info(what + ", by " + way);
    }
}
