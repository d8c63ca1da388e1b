package io.tempolimit.core.learn;

import io.tempolimit.core.policy.Policy;

/**
 * What one site tolerates, learnt from its answers (section 6.1 of the contract): which answers were blocks, and when, goes
 * in; {@link #rate}, {@link #burst} and the least length of the next pause come out. It knows neither bucket nor circuit:
 *
 * <pre>
 *   START ──incident──▶ HOLD ──enough pages──▶ CLIMB ──incident──▶ HOLD
 *   as configured;      base, the rate         in growing steps
 *   auto: upwards       that is trusted        above base
 *                        │
 *                        └─3 blocks that stand alone─▶ TEST ─▶ HOLD at base, or with the rate given back
 *                                                      50 requests or more at four fifths of what passed
 * </pre>
 *
 * <p>Its parts: {@link Climb} (how it goes up again), {@link Sulk} (how long the site stays shut), {@link Noise} (blocks
 * at any rate), {@link Troubles} (5xx and failures that are more than chance), {@link Budget} (so many pages, then none until
 * a silence), {@link BlockRun} (the incident that goes on), {@link Flight} (requests in flight), {@link Slow} (slow
 * answers), {@link Cut} and {@link Growth} (how far the rate goes down and up), {@link Traffic} (what has passed).
 *
 * <p><b>How the circuit calls it.</b> {@link #good} for each answer that was no block (a 404, too: the site took the request),
 * {@link #blocked} for each block and {@link #troubled} for each failure, if the request was sent in the current epoch: one incident
 * is one incident. The circuit pauses for what they return, below the threshold too: that is one probe and no trip. Whatever a
 * trip or Retry-After asks for is waited for as well. After {@code good} the circuit asks {@link #restDue}. The first {@code good}
 * ends the incident. The rate changes inside these methods only: after them the caller compares {@link #rate} and
 * {@link #burst} with its bucket's, and asks {@link #gaveBack} for the log.
 *
 * <p><b>Why it does what it does.</b> The first pause is short. A site that recovers at once had an empty bucket: the requests of
 * the cycle over its time are its rate, and two or three incidents pin it. A site that stays shut has banned: its rate comes from the
 * smallest span of {@link Traffic#SPANS} that never before held as many requests. If that was wrong, what has passed since excludes
 * the span. Three stretches of a few pages mean that the incident is not over. A site that bans, and is open again within seconds, has
 * not blocked for the rate: the rate stays, and a step of a climb begins anew.
 *
 * <p>Time counts in requests, so an idle key neither forgets nor climbs. The constants were chosen by simulation. Tried and dropped, as
 * it changed nothing: to charge an incident by its blocks, to fall back to the rate before a climb, to forget the busiest spans.
 *
 * <p>Pure: no clock, no I/O, nothing random. Not thread-safe: guarded by its key's lock. Times are nanoseconds of a monotonic clock.
 * About 300 bytes beside its {@link Traffic}. It may begin with the first block, if what passed was counted from the {@link #FEW}th on.
 */
public final class Learning {
    // ---- pauses, in seconds
    /** {@link Sulk#KNOCK} where most blocks are known to have nothing to do with speed. */
    private static final float KNOCK_AGAIN = 0.5f;
    /** A rate that held for so many pages is probably not the reason for a block: knock early, whatever the site's sulk. */
    private static final int SURE = 100;
    /** Neither does a stretch shorter than this say much about the rate: knock early. */
    public static final int FEW = 8;
    /** After so many short stretches in a row the incident is not over: wait longer than before. */
    private static final int SHORT_STRETCHES = 3;
    /** Longest pause for trouble: an outage ends by itself. */
    private static final float OUTAGE = 309;

    // ---- after an incident
    /** An accident after at least so many pages, when the first probe passes, hardly moves the rate. */
    private static final int ACCIDENT = 30;
    /** After so many pages without a block it does not move it at all. */
    private static final int CLEAN = 400;

    static final float NEVER = 1e9f;
    /** Of what {@link #save} gives; another number means other fields. */
    private static final int VERSION = 7;

    private enum Mode { START, HOLD, CLIMB, TEST }

    // ---- settings
    private boolean auto;
    private float ceiling;
    private int allowedBurst;

    // ---- what was learnt
    private Mode mode = Mode.START;
    private float rate;
    /** The rate that is trusted. */
    private float base;
    /** Requests that passed since this mode or step began. */
    private int pages;
    private boolean cut;
    /** The highest rate trusted since the last {@link #CLEAN} stretch or ban: what there is to give back. */
    private float before;
    /** Short stretches in a row. */
    private int shorts;
    private boolean toTell;
    private boolean told;
    private final Climb climb = new Climb();
    private final Sulk sulk = new Sulk();
    private final Noise noise = new Noise();
    private final Troubles troubles = new Troubles();
    private final Budget budget = new Budget();
    private final Flight flight = new Flight();
    private final Slow slow = new Slow();
    /** The incident that goes on, if one does. */
    private final BlockRun run = new BlockRun();

    /** What has passed. */
    private final Traffic traffic;

    /**
     * @param auto    whether to look for the site's limit upwards from 3/s ({@code rate=auto}), or to begin at the ceiling
     * @param ceiling requests per second never to be exceeded; for {@code auto} may be infinite
     * @param burst   the bucket's size as long as nothing was learnt
     * @param traffic what has passed so far; counted on by this from now on
     */
    public Learning(boolean auto, double ceiling, int burst, Traffic traffic) {
        this.traffic = traffic;
        pages = traffic.passed;
        limits(auto, ceiling, burst);
    }

    /** A key of which nothing is known. */
    public Learning(boolean auto, double ceiling, int burst, long now) {
        this(auto, ceiling, burst, new Traffic(now));
    }

    /** What it counts. */
    public Traffic traffic() {
        return traffic;
    }

    /** New settings; what was learnt stays. */
    public void limits(boolean auto, double ceiling, int burst) {
        boolean begun = this.auto == auto && auto && rate > 0;
        this.auto = auto;
        this.ceiling = (float) Math.min(ceiling, NEVER);
        allowedBurst = burst;
        if (mode == Mode.START && !begun) {
            rate = auto ? (float) Math.min(Policy.AUTO, this.ceiling) : this.ceiling;
            base = rate;
        }
    }

    /** Requests per second that may go now. */
    public double rate() {
        return Math.min(rate, ceiling);
    }

    /** Size of the bucket: 1 from the first cut on, so that what was learnt is exact. */
    public int burst() {
        return cut ? 1 : allowedBurst;
    }

    /** Whether the rate is one that a block taught. */
    public boolean learnt() {
        return mode != Mode.START;
    }

    /** Whether the rate has just been given back, as the blocks do not come from speed. True once in a key's life. */
    public boolean gaveBack() {
        boolean tell = toTell;
        toTell = false;
        return tell;
    }

    /** Whether {@link #restDue} may be above zero one day. */
    public boolean rests() {
        return budget.known();
    }

    /** Nanoseconds of a rest that is to be taken now, before the site blocks; 0 for none. Asked after each {@link #good}. */
    public long restDue() {
        return run.goesOn() ? 0 : Numbers.nanos(budget.due(traffic.passed, sulk.length()));
    }

    /** How many requests in flight the site takes. */
    public Flight flight() {
        return flight;
    }

    /** A request of the current epoch was answered, and not by a block. Ends the incident, if one goes on. */
    public void good(long now) {
        if (run.goesOn()) {
            recovered(now);
            return;
        }
        troubles.good();
        flight.good();
        if (slow(now)) {
            return;
        }
        if (budget.begins()) {
            traffic.begin(now);
        } else {
            traffic.good(now);
        }
        pages++;
        float even = mode == Mode.TEST ? 0 : flight.evenly(traffic, rate, now);
        if (even > 0) {
            cut = true;
            hold(even);
        }
        if (mode != Mode.TEST && noise.calm()) {
            base = rate; // as far as a climb has come
            before = Math.max(before, base);
            test(base);
        }
        if (noise.softsOver(counting(), mode == Mode.CLIMB, traffic.passed)) {
            test(noise.begin(base, before));
        }
        switch (mode) {
            case START:
                if (auto && rate < ceiling && Growth.due(pages, rate)) {
                    rate = Growth.next(rate, ceiling);
                    base = rate;
                    pages = 0;
                }
                break;
            case HOLD:
                if (base < 0.999f * ceiling && !budget.known() && pages >= climb.price(base, slow.cost(sulk.length()))) {
                    mode = Mode.CLIMB;
                    pages = 0;
                    rate = Math.min(ceiling, base * climb.begin());
                }
                break;
            case CLIMB:
                if (climb.held(pages, rate, slow.cost(sulk.length()))) {
                    float next = Math.min(ceiling, climb.next(base, rate, slow.cost(sulk.length())));
                    if (next <= rate) {
                        hold(rate);
                    }
                    rate = next;
                    pages = 0;
                }
                break;
            default:
                judgeTest();
        }
    }

    /**
     * A request of the current epoch was answered by a block.
     *
     * @param hard whether this is a type that acts at once, and not with a trip only
     * @param trip whether the circuit trips by it
     * @return nanoseconds to pause at the least, or 0 to go on
     */
    public long blocked(boolean hard, boolean trip, long now) {
        if (run.goesOn()) {
            return pause(again(now));
        }
        if (hard || trip) {
            return pause(begin(now));
        }
        if (mode != Mode.START) { // nothing is lowered for it, but where something was, it is part of the share
            noise.soft();
        }
        return 0;
    }

    /**
     * A request of the current epoch was answered by a 5xx, or failed.
     *
     * @return nanoseconds to pause at the least, or 0 to go on
     */
    public long troubled(long now) {
        if (run.goesOn()) {
            float pause = again(now);
            return pause(run.isTrouble() ? Math.min(pause, OUTAGE) : pause);
        }
        if (!troubles.more() || noise.known() && noise.likely(troubles.row())) {
            return 0;
        }
        run.troubled();
        return pause(Math.min(begin(now), OUTAGE));
    }

    private static long pause(float seconds) {
        return Numbers.nanos(Math.max(KNOCK_AGAIN, Math.min(seconds, Sulk.LONGEST)));
    }

    // ---- incidents

    private boolean slow(long now) {
        switch (slow.answered(traffic, mode == Mode.TEST, now)) {
            case MAYBE:
                run.look((float) rate(), mode == Mode.START ? pages / rate : 0, traffic, now - traffic.took());
                break;
            case BEGINS:
                before = Math.max(before, base);
                fall(0, false);
                break;
            case USUAL:
                hold(before);
                traffic.begin(now);
                break;
            case ENDS:
                pages = 0;
                traffic.begin(now);
                break;
            default:
        }
        return slow.goesOn();
    }

    private float begin(long now) {
        if (traffic.passed == 0) {
            traffic.since = now;
        }
        noise.incident();
        flight.refused();
        slow.blocked();
        run.begin((float) rate(), mode == Mode.START ? pages / rate : 0, traffic, now);
        run.budgeted(budget.known() && budget.blocked(traffic.passed));
        shorts = traffic.passed < FEW && sulk.wasLong() ? shorts + 1 : 0;
        if (noise.known()) {
            return sulk.first(KNOCK_AGAIN);
        }
        boolean early = mode == Mode.TEST || noise.suspected() || traffic.passed < FEW || mode == Mode.HOLD && pages >= SURE
                || sulk.mayBeOpen();
        return sulk.first(early ? Sulk.KNOCK : 0);
    }

    /** The probe was blocked: gives the next pause. */
    private float again(long now) {
        float silence = run.more(now);
        if (counting() && noise.likely(run.blocks())) {
            return Sulk.KNOCK;
        }
        float pause = sulk.next(silence);
        return shorts >= SHORT_STRETCHES && !counting() ? Math.max(pause, sulk.longer()) : pause;
    }

    private void recovered(long now) {
        float silence = run.silence(now);
        float cycle = traffic.passed / Math.max(1e-3f, Numbers.seconds(now - traffic.since));
        boolean quick = run.quick(now);
        boolean accident = quick && run.blocks() == 1;
        if (flight.crowded() && quick) { // fewer go together from now on, which is all
            run.end();
            traffic.begin(now);
            return;
        }
        sulk.looked(quick);
        boolean chance = counting() ? (accident || noise.likely(run.blocks())) && (mode == Mode.TEST || !noise.exceeded())
                : accident && (traffic.passed >= ACCIDENT && mayBeChance() || run.isTrouble() && !troubles.speaksOfSpeed());
        before = Math.max(traffic.passed < CLEAN ? before : 0, base);
        boolean test = noise.add(accident, counting(), wasToBeExpected(), traffic.passed);
        if (!chance) {
            failed(silence, cycle, quick);
        } else if (mode == Mode.CLIMB && !counting()) {
            pages = 0; // the step begins anew
        } else if (mode == Mode.HOLD && !noise.known() && traffic.passed < CLEAN && !sulk.bans()) {
            base = Math.min(Math.max(0.98f * cycle, 0.93f * base), 0.98f * base);
            rate = base;
        }
        if (run.isTrouble()) {
            troubles.over(quick);
        }
        if (test) {
            test(noise.begin(base, before));
        } else if (mode == Mode.TEST) {
            judgeTest();
        }
        run.end();
        traffic.begin(now);
    }

    /** Whether a block that stood alone may have another reason than the rate: one that is trusted, or a ban would have lasted. */
    private boolean mayBeChance() {
        return mode == Mode.HOLD && !climb.doubts() || mode == Mode.CLIMB && sulk.bans() && climb.again();
    }

    /** Whether a rate was tried that may be too much; failures are as odd in a climb back to what was trusted as at a rate that is. */
    private boolean wasToBeExpected() {
        return mode == Mode.CLIMB && !sulk.bans() && !(run.isTrouble() && run.used() < before);
    }

    private void failed(float silence, float cycle, boolean quick) {
        if (!run.isTrouble() || troubles.fromSpeed()) {
            sulk.opened(silence, quick);
        }
        if (run.isBudgeted()) {
            return;
        }
        if (noise.known()) {
            noise.forget();
        } else if (mode == Mode.TEST) {
            noise.speed();
        }
        fall(cycle, quick);
        before = !quick && run.isBan() ? base : before;
        float more = flight.hadMore(base);
        if (more > 0) {
            hold(more);
        }
        float fast = quick || noise.known() ? 0 : budget.look(traffic.passed, run.used(), silence, base);
        if (fast > 0) {
            sulk.atLeast(budget.silence());
            hold(fast);
        }
    }

    /** The rate failed: the one that is known to hold, or a lower one. */
    private void fall(float cycle, boolean quick) {
        if (mode == Mode.CLIMB) {
            boolean sure = !sulk.bans() && !noise.known() && !noise.suspected();
            hold(climb.fell(run.used(), rate, base, cycle, quick, sure, Cut.floor(noise.known())));
            return;
        }
        float held = climb.lowered(run.used(), counting() ? Integer.MAX_VALUE : traffic.passed, sulk.wasLong(), quick);
        hold(Math.max(held, Cut.after(run, cycle, quick, noise.known())));
        cut = true;
    }

    private void hold(float r) {
        base = Math.max(Cut.SLOWEST, Math.min(r, ceiling));
        rate = base;
        mode = Mode.HOLD;
        pages = 0;
    }

    // ---- blocks that do not come from speed

    /** Whether blocks are only counted: an experiment goes on, or the share that comes at any rate is known. */
    private boolean counting() {
        return mode == Mode.TEST || noise.known();
    }

    private void test(float from) {
        mode = Mode.TEST;
        rate = noise.testRate() * from;
        pages = 0;
    }

    private void judgeTest() {
        if (!noise.over(pages, rate)) {
            return;
        }
        if (noise.judge(pages, rate)) {
            climb.forget();
            cut = false;
            troubles.chance();
            hold(before);
            toTell = !told;
            told = true;
        } else {
            hold(base);
            climb.later();
        }
    }

    /**
     * What was learnt, as numbers with commas between. Who takes that in goes on where this one is, in the middle of a climb or an
     * experiment, too: so the workers of a fleet climb together, and are blocked together.
     */
    public String save(long now) {
        traffic.advance(now);
        traffic.peaks(now);
        Numbers n = Numbers.writing();
        each(n, 0, true, now);
        return n.toString();
    }

    /**
     * Takes in what {@link #save} gave, into one that knows nothing.
     *
     * @param ago   nanoseconds since then, 0 or more
     * @param whole whether what the spans hold is part of it; a worker of a fleet counts that itself, and more exactly
     * @throws IllegalArgumentException if it is anything else; then this one is to be thrown away, and its traffic has not changed
     */
    public void restore(String saved, long ago, boolean whole, long now) {
        each(Numbers.reading(saved), ago, whole, now);
    }

    private void each(Numbers n, long ago, boolean whole, long now) {
        if (n.whole("version", VERSION, VERSION) != VERSION) {
            throw new IllegalArgumentException("another version of what was learnt");
        }
        mode = Mode.values()[n.whole("mode", mode.ordinal(), Mode.values().length - 1)];
        cut = n.flag("cut", cut);
        base = n.number("base", base, Cut.SLOWEST_SET, NEVER);
        rate = n.number("rate", rate, Cut.SLOWEST_SET, NEVER);
        pages = n.whole("pages", pages, Integer.MAX_VALUE);
        before = n.number("before", before, 0, NEVER);
        shorts = n.whole("short stretches", shorts, Integer.MAX_VALUE);
        climb.each(n);
        sulk.each(n);
        noise.each(n);
        troubles.each(n);
        budget.each(n);
        flight.each(n);
        slow.each(n, ago, now);
        run.each(n);
        long since = n.age("since", traffic.since, ago, now);
        boolean inOrder = run.times(n, since, ago, now);
        int passed = n.whole("passed", traffic.passed, Integer.MAX_VALUE);
        if (mode == Mode.CLIMB && !climb.begun() || !noise.fits(mode == Mode.TEST) || !inOrder) {
            throw new IllegalArgumentException("what was learnt does not fit together");
        }
        traffic.each(n, ago, whole, now);
        if (!n.reads()) {
            return;
        }
        traffic.passed = passed;
        traffic.since = since;
        told |= noise.known();
        base = mode == Mode.START ? auto ? Math.min(base, ceiling) : ceiling : Math.max(Cut.SLOWEST, Math.min(base, ceiling));
        rate = mode == Mode.START || mode == Mode.HOLD ? base : Math.min(rate, ceiling);
    }
}
