package io.tempolimit.core.limiter;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.Streams;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.pace.Arrival;
import io.tempolimit.core.pace.Common;
import io.tempolimit.core.pace.Redirects;
import io.tempolimit.core.policy.CurrentRules;
import io.tempolimit.core.policy.PathRules;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.Exempt;
import io.tempolimit.core.runtime.RandomSource;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** All keys, and the settings they live by. Thread-safe. Knows no client, does no I/O, starts no thread. */
public final class Limiter {
    /** For {@link #nextEndOfStream}: none ends by itself. */
    public static final long NEVER = Streams.NEVER;

    private final Clock clock;
    private final Listener listener;
    private final CurrentRules rules;
    private final Keys keys;
    private final Common common;
    private final LeftOut leftOut = new LeftOut();
    private final Exempt exempt = new Exempt();
    private final SeenUserAgents agents = new SeenUserAgents();
    /** Null if its limits are its own. Set before the first request. */
    private Fleet fleet;

    /**
     * @param random draws jitter, the lengths of cooldowns, and the seed of hashes
     * @param listener hears what it does
     */
    public Limiter(Clock clock, RandomSource random, Rules rules, Listener listener) {
        this.clock = clock;
        this.listener = listener;
        this.rules = new CurrentRules(rules);
        keys = new Keys(clock, random, listener, this.rules);
        common = new Common(clock, random, listener, this.rules, new Unseen(clock, listener, this.rules, exempt), keys.all());
    }

    /** Shares its limits with other JVMs from now on. To be called before the first request. */
    public void join(Fleet.Factory factory, FleetSettings settings) {
        fleet = FleetEvents.join(factory, settings, keys, common);
    }

    /** The program ends. Nothing happens if its limits are its own. */
    public void leaveFleet() {
        if (fleet != null) {
            FleetEvents.leave(keys);
            fleet.close();
        }
    }

    /** With whom its limits are shared; null if they are its own. */
    public Fleet fleet() {
        return fleet;
    }

    // ---- requests

    /**
     * A request arrives at the gate.
     *
     * @return its permit, granted or waiting; null if it is neither paced nor judged
     * @throws RequestRejectedException if it shall not be sent; has no stack trace yet
     */
    public Permit arrive(Target target) throws RequestRejectedException {
        try {
            return Arrival.announced(arrived(target), target, common.unseen);
        } catch (RuntimeException | Error e) {
            common.unseen.announced(target); // an error of ours lets the request through
            throw e;
        }
    }

    private Permit arrived(Target target) throws RequestRejectedException {
        HostKey key = key(target, true);
        Policy policy = key == null ? null : key.policy();
        Policy own = policy == null ? null : rules.own(key.name(), policy, target);
        if (own == null || own.paths() != PathRules.ALL && !own.paths().covers(Redirects.pathOf(target))) {
            if (key != null) {
                leftOut.add(target, own == null, rules.rules(), listener);
            }
            return null;
        }
        if (own.denied() && !dryRun()) {
            throw Arrival.refused(key, target, Rejection.HOST_BLOCKED);
        }
        if (own.userAgentCheck() != Policy.UserAgentCheck.OFF) {
            agents.check(key, target, own);
        }
        if (policy.streams() != null && Streams.asksFor(target) && !dryRun() && common.streams.turnsAway(key.name(), target.url(),
                policy.streams())) {
            throw Arrival.refused(key, target, Rejection.SSE_CONCURRENCY_LIMIT_EXCEEDED);
        }
        long now = clock.nanos();
        Redirects.Redirect redirect = common.redirects.of(target, now);
        if (redirect == null || policy.retryAfterMax() == 0 || dryRun()) {
            return entered(key, Arrival.arrive(key, target, policy, now));
        }
        Permit later = Arrival.arriveLater(key, target, policy, redirect.from, now);
        common.redirects.followed(redirect);
        return entered(key, later);
    }

    /**
     * A further round on a connection that is leased already: takes its token without waiting, and the next request pays.
     *
     * @return its permit, granted; null if it is neither paced nor judged
     */
    public Permit charge(Target target) {
        try {
            return Arrival.announced(charged(target), target, common.unseen);
        } catch (RuntimeException | Error e) {
            common.unseen.announced(target); // as above
            throw e;
        }
    }

    private Permit charged(Target target) {
        HostKey key = key(target, false);
        Policy policy = key == null ? null : key.policy();
        Policy own = policy == null ? null : rules.own(key.name(), policy, target);
        if (own == null || own.paths() != PathRules.ALL && !own.paths().covers(Redirects.pathOf(target))) {
            return null; // a round of a request that was counted
        }
        return entered(key, Arrival.charge(key, target, policy, clock.nanos()));
    }

    /** A request of this key is on its way in; if the key was forgotten meanwhile, it is not. */
    private Permit entered(HostKey key, Permit permit) {
        if (key.isGone()) {
            keys.back(key, clock.nanos());
        }
        return permit;
    }

    /** Threads whose requests are none. */
    public Exempt exempt() {
        return exempt;
    }

    /** How many requests the settings left out so far: they were neither paced nor judged. */
    public long leftOut() {
        return leftOut.count();
    }

    /** Requests that never came to the limiter. */
    public Unseen unseen() {
        return common.unseen;
    }

    // ---- answers

    /** The time, by the limiter's clock, at which to {@link #endStreams} next; {@link #NEVER} if there is none. */
    public long nextEndOfStream() {
        return common.streams.nextEnd();
    }

    /** Closes the event streams that have been open for too long. */
    public void endStreams() {
        for (Body over : common.streams.expired(clock.nanos())) {
            if (!dryRun()) {
                Streams.close(over, "closed after its time (stream-timeout)", listener);
            }
        }
    }

    /**
     * Names who has {@link #settleUnread} called a part of a second after this is run: there are answers then that may be
     * left unread. To be called before the first request.
     */
    public void whenUnread(Runnable alarm) {
        common.unread.alarm(alarm);
    }

    /** Answers that nobody reads are judged by their heads, and what they hold is given back. */
    public void settleUnread() {
        common.unread.look(clock.nanos());
    }

    // ---- keys

    /** @param arrives whether it is to be counted if it is left out */
    private HostKey key(Target target, boolean arrives) {
        if (!enabled() || exempt.here()) {
            return null;
        }
        String given = target.host();
        HostKey known = given != null && rules.byHost() ? keys.get(given) : null; // most are given as their keys are named
        if (known != null) {
            return known;
        }
        String host = Hosts.canonical(given);
        if (host == null) {
            return null;
        }
        String name = rules.key(host, target);
        HostKey key = keys.get(name);
        if (key != null) {
            return key;
        }
        if (rules.shared() && rules.ofHost(host, name) == null) {
            if (arrives) {
                leftOut.add(target, true, rules.rules(), listener);
            }
            return null; // hosts that are left alone make no key
        }
        Rules by = rules.rules();
        return keys.add(new HostKey(common, name, rules.policy(name), clock.nanos()), by);
    }

    /** Whether the target is one of this permit's key; a request may get another host or account after it was granted one. */
    public boolean sameKey(Permit permit, Target target) {
        String host = Hosts.canonical(target.host());
        return host != null && permit.key().name().equals(rules.key(host, target));
    }

    /** Whether its key cannot be told yet, since headers may be added to the request that are part of it. */
    public boolean undecided(Target target) {
        return rules.undecided(target);
    }

    /** The keys that are paced. */
    public Collection<Key> keys() {
        List<Key> paced = new ArrayList<>();
        for (HostKey key : keys.all()) {
            if (key.policy() != null) {
                paced.add(key);
            }
        }
        return paced;
    }

    /** The key of this name, or null. */
    public Key key(String name) {
        HostKey key = keys.get(name);
        return key == null || key.policy() == null ? null : key;
    }

    /** How many keys were forgotten so far. */
    public long evictions() {
        return keys.evictions();
    }

    /** Forgets keys that were idle for longer than the settings allow; meant to be called every now and then. */
    public void sweep() {
        keys.sweep(rules.rules().keyIdle(), rules.rules().maxKeys());
    }

    // ---- over a restart

    /** From now on what keys know is to be kept over a restart; this is what they knew before. To be called before the first request. */
    public void remember(Map<String, Remembered> before) {
        keys.remember(before);
    }

    /** What all keys know, those of this run and, beyond them up to {@code max-keys}, those that have not been used in it. */
    public Map<String, Remembered> remembered() {
        return keys.remembered();
    }

    /** A number that is another one whenever {@link #remembered} might be. */
    public long changes() {
        long sum = keys.evictions();
        for (HostKey key : keys.all()) {
            sum += key.changes();
        }
        return sum;
    }

    // ---- settings

    /** New settings; they hold for requests that wait already, too. */
    public void rules(Rules newRules) {
        rules.rules(newRules);
        applyAll();
    }

    /** The settings that hold. */
    public Rules rules() {
        return rules.rules();
    }

    /** Stops ({@code false}) or resumes pacing; whoever waits goes at once when it stops. */
    public void setEnabled(boolean on) {
        rules.setEnabled(on);
        applyAll();
    }

    /** Whether requests are paced. */
    public boolean enabled() {
        return rules.enabled();
    }

    /** Starts or ends the dry run; whoever waits goes at once when it starts. */
    public void setDryRun(boolean on) {
        rules.setDryRun(on);
        applyAll();
    }

    /** Whether everything is reported, and nothing delayed or rejected. */
    public boolean dryRun() {
        return rules.dryRun();
    }

    private void applyAll() {
        for (HostKey key : keys.all()) {
            key.apply(clock.nanos());
        }
    }
}
