package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.PathRules;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.policy.StreamLimits;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.Exempt;
import io.tempolimit.core.runtime.RandomSource;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All keys, and the settings they live by. Thread-safe. Knows no client, does no I/O, starts no thread. */
public final class Limiter {
    /** For {@link #nextEndOfStream}: none ends by itself. */
    public static final long NEVER = Streams.NEVER;

    /** A power of two. Keys share these locks; a lock a key would cost 48 bytes each. */
    private static final int LOCKS = 64;

    private final Keys keys;
    private final KeyLock[] locks = new KeyLock[LOCKS];
    private final Clock clock;
    private final RandomSource random;
    private final Listener listener;
    /** Null if a key is simply a host. */
    private final Keying keying;
    private volatile Rules rules;
    /** Null: as the rules say. An operator may overrule them. */
    private volatile Boolean enabled;
    private volatile Boolean dryRun;
    /** By the key's name, what an operator has set. */
    private final ConcurrentHashMap<String, Limit> limits = new ConcurrentHashMap<>();
    private final LeftOut leftOut = new LeftOut();
    private final Unseen unseen = new Unseen(this);
    private final Exempt exempt = new Exempt();
    /** For keys whose blocks are counted together; in a fleet {@link #fleetCount}. Set before the first request. */
    private Count globalCount = new Count();
    private volatile FleetCount fleetCount;
    private volatile GlobalRest globalRest;
    private final SeenUserAgents agents = new SeenUserAgents();
    private final Streams streams = new Streams();
    private final Redirects redirects = new Redirects();
    private final Unread unread = new Unread();
    /** Null if its limits are its own. Set before the first request. */
    private Fleet fleet;
    private FleetSettings fleetSettings;

    public Limiter(Clock clock, Rules rules, Listener listener) {
        this(clock, RandomSource.SYSTEM, rules, listener);
    }

    Limiter(Clock clock, RandomSource random, Rules rules, Listener listener) {
        this.clock = clock;
        this.random = random;
        this.rules = rules;
        this.keying = rules.keying();
        this.listener = listener;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new KeyLock(listener);
        }
        keys = new Keys(this, clock.nanos());
    }

    /** Shares its limits with other JVMs from now on. To be called before the first request. */
    public void join(Fleet.Factory factory, FleetSettings settings) {
        fleetSettings = settings;
        fleet = factory.start(settings, new FleetEvents(this, keys));
        fleetCount = new FleetCount(this, fleet.key(FleetCount.NAME));
        globalCount = fleetCount;
        keys.share();
    }

    /** With whom its limits are shared; null if they are its own. */
    public Fleet fleet() {
        return fleet;
    }

    FleetSettings fleetSettings() {
        return fleetSettings;
    }

    /**
     * A request arrives at the gate.
     *
     * @return its permit, granted or waiting; null if it is neither paced nor judged
     * @throws RequestRejectedException if it shall not be sent; has no stack trace yet
     */
    public Permit arrive(Target target) throws RequestRejectedException {
        unseen.announced(target);
        try {
            return arrived(target);
        } catch (RequestRejectedException e) {
            unseen.notSent(target);
            throw e;
        }
    }

    private Permit arrived(Target target) throws RequestRejectedException {
        Key key = key(target, true);
        Policy policy = key == null ? null : key.policy();
        Policy own = policy == null ? null : own(key, target);
        if (own == null || own.paths() != PathRules.ALL && !own.paths().covers(pathOf(target))) {
            if (key != null) {
                leftOut.add(target, own == null, rules, listener);
            }
            return null;
        }
        if (own.denied() && !dryRun()) {
            throw Arrival.refused(key, target, Rejection.HOST_BLOCKED);
        }
        if (own.userAgentCheck() != Policy.UserAgentCheck.OFF) {
            agents.check(key, target, own);
        }
        if (policy.streams() != null && Streams.asksFor(target) && !dryRun() && streams.turnsAway(key.name(), target.url(),
                policy.streams())) {
            throw Arrival.refused(key, target, Rejection.SSE_CONCURRENCY_LIMIT_EXCEEDED);
        }
        long now = clock.nanos();
        Redirects.Redirect redirect = redirects.of(target, now);
        if (redirect == null || policy.retryAfterMax() == 0 || dryRun()) {
            return entered(Arrival.arrive(key, target, policy, now));
        }
        Permit later = Arrival.arriveLater(key, target, policy, redirect.from, now);
        redirects.followed(redirect);
        return entered(later);
    }

    /** A redirect from there asks to wait before it is followed. */
    void redirected(Target from, String location, long nanos, long now) {
        redirects.add(PageUrl.of(location, from.url()), now + nanos);
    }

    /** How long a request to there has to wait in a dry run, as it follows a redirect; 0 if it does not. */
    long redirectLeft(Target target, long now) {
        Redirects.Redirect redirect = redirects.of(target, now);
        if (redirect == null) {
            return 0;
        }
        redirects.followed(redirect);
        return redirect.from - now;
    }

    /** An answer has turned out to be an event stream. Makes room for it, or has it closed, which its client is asked for. */
    void opened(Body body, Permit permit, StreamLimits limits) {
        Key key = permit.key;
        String url = permit.target.url();
        StreamLimits l = limits;
        if (dryRun()) {
            l = StreamLimits.NONE;
            if (streams.turnsAway(key.name(), url, limits)) {
                key.rejections().turnedAway(permit);
            }
        }
        List<Body> victims = new ArrayList<>(0);
        Streams.Stream stream = streams.open(body, key.name(), url, l, clock.nanos(), victims);
        body.stream = stream;
        for (Body victim : victims) {
            close(victim, "closed to make room for a newer one (stream-policy=evict-oldest)");
        }
        if (stream == null) {
            body.close(key.rejections().turnedAway(permit));
        }
    }

    private void close(Body stream, String why) {
        stream.close(new IOException("event stream " + why + " (Tempolimit)"));
        listener.streamClosed(stream.key(), why);
    }

    /** The time, by the limiter's clock, at which to {@link #endStreams} next; {@link #NEVER} if there is none. */
    public long nextEndOfStream() {
        return streams.nextEnd();
    }

    /** Closes the event streams that have been open for too long. */
    public void endStreams() {
        for (Body over : streams.expired(clock.nanos())) {
            if (!dryRun()) {
                close(over, "closed after its time (stream-timeout)");
            }
        }
    }

    Streams streams() {
        return streams;
    }

    /**
     * Names who has {@link #settleUnread} called a part of a second after this is run: there are answers then that may be
     * left unread. To be called before the first request.
     */
    public void whenUnread(Runnable alarm) {
        unread.alarm(alarm);
    }

    /** Answers that nobody reads are judged by their heads, and what they hold is given back. */
    public void settleUnread() {
        unread.look(clock.nanos());
    }

    Unread unread() {
        return unread;
    }

    /**
     * A further round on a connection that is leased already: takes its token without waiting, and the next request pays.
     *
     * @return its permit, granted; null if it is neither paced nor judged
     */
    public Permit charge(Target target) {
        unseen.announced(target);
        Key key = key(target, false);
        Policy policy = key == null ? null : key.policy();
        Policy own = policy == null ? null : own(key, target);
        if (own == null || own.paths() != PathRules.ALL && !own.paths().covers(pathOf(target))) {
            return null; // a round of a request that was counted
        }
        return entered(Arrival.charge(key, target, policy, clock.nanos()));
    }

    /** Threads whose requests are none. */
    public Exempt exempt() {
        return exempt;
    }

    /** @param arrives whether it is to be counted if it is left out */
    private Key key(Target target, boolean arrives) {
        if (!enabled() || exempt.here()) {
            return null;
        }
        String host = Hosts.canonical(target.host());
        if (host == null) {
            return null;
        }
        String name = keying == null ? host : keying.of(host, target);
        Key key = keys.get(name);
        if (key != null) {
            return key;
        }
        if (keying != null && keying.shared() && rules.policy(host, keying.account(name)) == null) {
            if (arrives) {
                leftOut.add(target, true, rules, listener);
            }
            return null; // hosts that are left alone make no key
        }
        return create(name);
    }

    /** How many requests the settings left out so far: they were neither paced nor judged. */
    public long leftOut() {
        return leftOut.count();
    }

    /** Requests that never came to the limiter. */
    public Unseen unseen() {
        return unseen;
    }

    /** Whether the target is one of this permit's key; a request may get another host or account after it was granted one. */
    public boolean sameKey(Permit permit, Target target) {
        String host = Hosts.canonical(target.host());
        return host != null && permit.key().name().equals(keying == null ? host : keying.of(host, target));
    }

    /** What has a key, for messages. */
    String per() {
        return keying == null ? "host" : keying.toString();
    }

    /** Whether its key cannot be told yet, since headers may be added to the request that are part of it. */
    public boolean undecided(Target target) {
        return keying != null && keying.undecided(target);
    }

    /** What holds for the key of this name. */
    Policy policyOf(String name) {
        return policyOf(rules, name);
    }

    private Policy policyOf(Rules r, String name) {
        String host = hostOf(name);
        String account = keying == null ? null : keying.account(name);
        return overruled(name, keying != null && keying.shared() ? r.shared(host, account) : r.policy(host, account));
    }

    /** See {@link Key#host}. */
    String hostOf(String name) {
        return keying == null ? name : keying.host(name);
    }

    /** The registrable domain of a key's host; null if keys are not those of hosts. */
    String domainOf(String name) {
        return keying != null && keying.shared() ? null : rules.domain(hostOf(name));
    }

    /** What holds for a request, as far as it is not about its key: that of its own host. Null if it is neither paced nor judged. */
    Policy own(Key key, Target target) {
        return keying != null && keying.shared() ? rules.policy(Hosts.canonical(target.host()), keying.account(key.name())) : key.policy();
    }

    static String pathOf(Target target) {
        String path = target.path();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private Key create(String name) {
        Rules r = rules;
        return keys.add(new Key(this, name, policyOf(r, name), clock.nanos()), r);
    }

    /** A key's request is on its way in; if the key was forgotten meanwhile, it is not. */
    private Permit entered(Permit permit) {
        if (permit.key.gone) {
            keys.back(permit.key, clock.nanos());
        }
        return permit;
    }

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
        for (Key key : keys.all()) {
            sum += key.changes();
        }
        return sum;
    }

    /** Forgets keys that were idle for longer than the settings allow; meant to be called every now and then. */
    public void sweep() {
        keys.sweep(rules.keyIdle(), rules.maxKeys());
    }

    /** New settings; they hold for requests that wait already, too. */
    public void rules(Rules newRules) {
        rules = newRules;
        applyAll();
    }

    private void applyAll() {
        for (Key key : keys.all()) {
            key.apply(clock.nanos());
        }
    }

    /** An operator's limit for a key, or null for that of the rules; {@link Key#apply} makes it hold. */
    void overrule(String name, Limit limit) {
        if (limit == null) {
            limits.remove(name);
        } else {
            limits.put(name, limit);
        }
    }

    /** The limit that an operator has set for a key; null for none. */
    Limit overruled(String name) {
        return limits.get(name);
    }

    /** What the rules say of a key, with the limit that an operator has set. */
    private Policy overruled(String name, Policy policy) {
        Limit limit = policy == null || limits.isEmpty() ? null : limits.get(name);
        return limit == null ? policy : policy.with(limit);
    }

    /** The settings that hold. */
    public Rules rules() {
        return rules;
    }

    /** Stops ({@code false}) or resumes pacing; whoever waits goes at once when it stops. */
    public void setEnabled(boolean on) {
        enabled = on;
        applyAll();
    }

    /** Whether requests are paced. */
    public boolean enabled() {
        Boolean set = enabled;
        return set == null ? rules.enabled() : set;
    }

    /** Starts or ends the dry run; whoever waits goes at once when it starts. */
    public void setDryRun(boolean on) {
        dryRun = on;
        applyAll();
    }

    /** Whether everything is reported, and nothing delayed or rejected. */
    public boolean dryRun() {
        Boolean set = dryRun;
        return set == null ? rules.dryRun() : set;
    }

    /** Whether nobody has to wait, whatever the buckets say. */
    boolean passing() {
        return !enabled() || dryRun();
    }

    /** The keys that are paced. */
    public Collection<Key> keys() {
        List<Key> paced = new ArrayList<>();
        for (Key key : keys.all()) {
            if (key.policy() != null) {
                paced.add(key);
            }
        }
        return paced;
    }

    /** The key of this name, or null. */
    public Key key(String name) {
        Key key = keys.get(name);
        return key == null || key.policy() == null ? null : key;
    }

    /** How many keys were forgotten so far. */
    public long evictions() {
        return keys.evictions();
    }

    Count globalCount() {
        return globalCount;
    }

    /** Null without a fleet. */
    FleetCount fleetCount() {
        return fleetCount;
    }

    /**
     * A key has tripped whose blocks are counted together with others': they rest with it. Called without a lock.
     *
     * @param tripped rests already; null for one of another worker's
     */
    void restAll(Key tripped, long length, boolean refusing, String reason) {
        globalRest = new GlobalRest(clock.nanos() + length, refusing, reason);
        if (tripped != null && fleetCount != null && !passing()) {
            fleetCount.rest(length, refusing, clock.nanos());
        }
        for (Key key : keys.all()) {
            if (key != tripped) {
                Cooldown.join(key, length, refusing, reason);
            }
        }
    }

    /** Lets a key that was made during a rest of all join it. */
    void joinRest(Key key, long now) {
        GlobalRest rest = globalRest;
        if (rest != null) {
            rest.join(key, now);
        }
    }

    Clock clock() {
        return clock;
    }

    RandomSource random() {
        return random;
    }

    Listener listener() {
        return listener;
    }

    KeyLock lockOf(Key key) {
        int h = key.name().hashCode();
        return locks[(h ^ h >>> 16) & LOCKS - 1];
    }
}
