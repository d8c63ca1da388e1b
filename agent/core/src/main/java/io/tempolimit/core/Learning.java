package io.tempolimit.core;

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
 * <p><b>How the circuit calls it.</b> {@link #good} for each answer that was no block (pages, redirects, a 404: the site took
 * the request) and {@link #blocked} for each block, only for requests that were sent in the current epoch: one incident
 * is one incident. Nothing for server errors, timeouts and lost probes. The circuit pauses for what {@code blocked}
 * returns, if that is above zero; below the threshold too (COOLING_DOWN and then one probe, but no trip), and for longer where {@code
 * cooldown.duration} (a trip) or Retry-After says so. The probe's answer is told like any other: the first {@code good} ends the
 * incident, and a new rate holds from then on. The rate changes inside {@code good} and {@code blocked} only, so after them the caller compares {@link
 * #rate} and {@link #burst} with what its bucket has, and asks {@link #gaveBack}, which is true once, for the log.
 *
 * <p><b>Why it does what it does.</b>
 * <ul>
 * <li>The first pause is short. Who recovers at once had an empty bucket; then the requests of the whole cycle over its time are
 *     the bucket's own refill rate, and two or three incidents pin it. Who stays shut is a ban, and by starting that again after
 *     1.5 s no more than 1.5 s is lost.
 * <li>After a ban the rate comes from the smallest span of {@link Traffic#SPANS} that explains it: one that never before held as many
 *     requests as now. Where that was wrong, what has passed since excludes the span, and the next larger one is tried.
 * <li>How long the site sulks is remembered, and searched by bisection, one step an incident.
 * <li>It climbs only when the requests since the last incident pay for the next one: a look costs a sulk, so there is one in
 *     {@link #SULKS} sulks; where blocks cost nothing but themselves, one in {@link #PAGES} requests. Sooner where the rate that failed is
 *     far above the one that is trusted, later each time a look finds the limit where it was.
 * <li>Not every block comes from speed. Blocks that stand alone (the next request, seconds later, passes) and keep coming, whatever the
 *     rate, lead to an experiment: a lower rate over the next 50 requests, or up to 400 where blocks are so rare that 50 would tell
 *     nothing. If that does not halve their share, the rate from before is given back, and for 10,000 requests only more blocks
 *     than that share explains count. A ban never gets there: after its blocks nothing passes for seconds.
 * </ul>
 *
 * <p>Time counts in requests, not by the clock, so an idle key neither forgets nor climbs. The constants were chosen by simulation, on the
 * sites A to F and U1 to U16 of LearningTest. Tried and dropped, as it changed nothing: charging an incident by the number of its
 * blocks, falling back to the rate before a climb that came true, forgetting the busiest spans, shortening a remembered sulk at each recovery. Tried and
 * lost: a verdict on blocks that do not come from speed without the experiment (three times the blocks where a limit wavers), and an
 * experiment that waits for 50 requests first (where every fifth request is blocked, the rate is at a hundredth by then).
 *
 * <p>Pure: no clock, no waiting, no I/O, nothing random. Not thread-safe: guarded by its key's lock. Times are nanoseconds of any
 * monotonic clock, negative ones and overflow included. About 130 bytes beside its {@link Traffic}; {@code good} takes some 100 ns. It may
 * begin with the first block, as long as what passed before was counted from the {@link #FEW}th request on: a shorter stretch tells nothing of a rate.
 */
final class Learning {
    // ---- pauses, in seconds
    /** Separates a bucket, which recovers at once, from a ban. */
    private static final float KNOCK = 1.5f;
    /** The same where most blocks are known to have nothing to do with speed. */
    private static final float KNOCK_AGAIN = 0.5f;
    /** The second pause is so much longer than the first: still seconds. */
    private static final float SECOND = 4;
    /** From here on, pauses grow by {@link #GROWTH}. */
    private static final float SHORT = 30;
    /** A pause that was too short makes the next so much longer. More overshoots at every later incident, less knocks more often. */
    private static final float GROWTH = 1.8f;
    /** Longest pause that learning asks for: a site may have become friendly. */
    private static final float LONGEST = 1800;
    /** Who opens again within this had a bucket. */
    private static final float QUICK = 12;
    /** A recovery as quick as this leaves no sulk worth remembering. */
    private static final float NO_SULK = 4;
    /** A rate that held for so many pages is probably not the reason for a block: knock early, whatever the site's sulk. */
    private static final int SURE = 100;
    /** Neither does a stretch shorter than this say much about the rate: knock early. */
    static final int FEW = 8;

    // ---- after an incident
    /** Share of a measured rate that is kept: a request more or less may fall into a span. */
    private static final float SAFE = 0.97f;
    /** A rate that failed is at least lowered to this share of it. */
    private static final float LOWER = 0.96f;
    /** A quick recovery halves the rate at most, a slow one leaves a tenth: one odd incident cannot strangle a key. */
    private static final float QUICK_FLOOR = 0.5f;
    private static final float SLOW_FLOOR = 0.1f;
    /** Where no span explains the ban. */
    private static final float BLIND_CUT = 0.7f;
    /** Below this share of the rate allowed, the requests that really went count: nobody exceeds a limit by what he might have sent. */
    private static final float REALLY = 0.7f;
    /** An accident after at least so many pages, when the first probe passes, hardly moves the rate. */
    private static final int ACCIDENT = 30;
    /** After so many pages without a block it does not move it at all. */
    private static final int CLEAN = 400;
    /** Slowest rate learnt: a request in ten minutes. */
    private static final float SLOWEST = 1 / 600f;
    /** A rate that is set may be slower than any that is learnt: a request in ten years is. */
    private static final float SLOWEST_SET = 1e-9f;

    // ---- climbing
    /** {@code auto} starts at {@link Policy#AUTO} and grows by a quarter for each minute's pages without a block. */
    private static final float AUTO_GROWTH = 1.25f;
    private static final int AUTO_STEP = 60;
    /** Requests that pay for one block: at most some 0.3 blocks per 100 pages come from looking. */
    private static final int PAGES = 250;
    /** Pages before any climb. */
    private static final int LEAST_PAGES = 40;
    /** Sulks of pages that pay for one sulk: looking costs about 3%. */
    private static final float SULKS = 30 * 1.2f;
    /** Where the failed rate is e times the trusted one, a tenth of that is enough, since so much can be gained. */
    private static final float GAP = 0.1f;
    /** First step upwards; each step doubles it, up to 1. */
    private static final float STEP = 0.04f;
    /** Seconds and pages that a step lasts; a sulk at least, for a site that sulks for minutes counts over minutes. */
    private static final int STEP_SECONDS = 30;
    private static final int STEP_PAGES = 20;
    /** A climb that fails above this many times base says that the limit is elsewhere; one below, that it is where it was. */
    private static final float FAR = 1.35f;
    private static final float BACKOFF = 1.5f;
    private static final float LONGEST_BACKOFF = 3;

    // ---- blocks that do not come from speed
    /** So many blocks that stood alone ask for the experiment, */
    private static final int SUSPICIOUS = 3;
    /** each outweighed by so many pages. */
    private static final int LEAK = 400;
    /** Length of the experiment: until so many blocks would have come at the old share, between these bounds. */
    private static final int EXPECTED = 4;
    private static final int REQUESTS = 50;
    private static final int MOST_REQUESTS = 400;
    /** The lower rate that is tried, as a share of base, or of what really passed. */
    private static final float TEST_RATE = 0.8f;
    private static final float MOST_SHARE = 0.9f;
    /** Pages after which it is tried again whether it is still so. */
    private static final int TRUST = 10_000;
    /** So many blocks more than twice the known share explains do come from speed, */
    private static final int EXCESS = 8;
    /** and so does a row of them less likely than this. */
    private static final float UNLIKELY = 0.0002f;
    /** What a cut then leaves at the least, as there are others to come if it was too small. */
    private static final float NOISY_FLOOR = 0.9f;

    private static final long NANOS = 1_000_000_000L;
    private static final int[] SPANS = Traffic.SPANS;
    private static final float NEVER = 1e9f;
    /** Numbers of {@link #save} before the spans. */
    private static final int SAVED = 24;
    /** What each of them is at the least and at the most: both what is written and what is taken in. */
    private static final float[] LEAST = {0, 0, SLOWEST_SET, SLOWEST_SET, SLOWEST_SET, 0, 0, 1, 0, 0, 0,
        0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0};
    private static final float[] MOST = {3, 1, NEVER, NEVER, NEVER, NEVER, NEVER, LONGEST_BACKOFF, Integer.MAX_VALUE, Integer.MAX_VALUE, NEVER,
        MOST_SHARE, TRUST, NEVER, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE,
        Integer.MAX_VALUE, Integer.MAX_VALUE, NEVER, NEVER, NEVER, NEVER, NEVER};
    private static final boolean[] WHOLE = {true, true, false, false, false, false, false, false, true, true, false,
        false, true, false, true, true, true,
        true, true, false, false, false, false, false};

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
    /** The rate that last failed. */
    private float failed = NEVER;
    /** How long the site sulks, and the longest pause that was too short for it; in seconds. */
    private float sulk;
    private float tooShort;
    private float backoff = 1;
    /** Number of the step being climbed, from 1. */
    private int step;
    /** Requests that passed since this mode or step began. */
    private int pages;
    private boolean cut;

    // ---- blocks that do not come from speed
    /** Blocks less those that pages have outweighed; in TEST all blocks of the experiment. */
    private float suspicion;
    /** Requests since it began to rise. */
    private int asked;
    /** Soft blocks since the last page; if that follows, they were no ban. */
    private int softs;
    /** The highest rate trusted since the last {@link #CLEAN} stretch: what there is to give back. */
    private float before;
    /** Share of the requests that is blocked at any rate. */
    private float share;
    /** Pages for which that holds. */
    private int trust;
    /** In TEST: blocks that did not stand alone. */
    private int slow;
    private boolean toTell;
    private boolean told;

    // ---- now
    /** Blocks of the incident that goes on; 0: none does. */
    private int blocks;
    private long firstBlock;
    private long lastBlock;
    /** At the incident's first block: the rate in use, and the one that the site's spans tell. */
    private float used;
    private float explained;

    /** What has passed. */
    private final Traffic traffic;

    /**
     * @param auto    whether to look for the site's limit upwards from 3/s ({@code rate=auto}), or to begin at the ceiling
     * @param ceiling requests per second never to be exceeded; for {@code auto} may be infinite
     * @param burst   the bucket's size as long as nothing was learnt
     * @param traffic what has passed so far; counted on by this from now on
     */
    Learning(boolean auto, double ceiling, int burst, Traffic traffic) {
        this.traffic = traffic;
        pages = traffic.passed;
        limits(auto, ceiling, burst);
    }

    /** A key of which nothing is known. */
    Learning(boolean auto, double ceiling, int burst, long now) {
        this(auto, ceiling, burst, new Traffic(now));
    }

    /** What it counts. */
    Traffic traffic() {
        return traffic;
    }

    /** New settings; what was learnt stays. */
    void limits(boolean auto, double ceiling, int burst) {
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
    double rate() {
        return Math.min(rate, ceiling);
    }

    /** Size of the bucket: 1 from the first cut on, so that what was learnt is exact. */
    int burst() {
        return cut ? 1 : allowedBurst;
    }

    /** Whether the rate is one that a block taught. */
    boolean learnt() {
        return mode != Mode.START;
    }

    /** Whether the rate has just been given back, as the blocks do not come from speed. True once in a key's life. */
    boolean gaveBack() {
        boolean tell = toTell;
        toTell = false;
        return tell;
    }

    /** A request of the current epoch was answered, and not by a block. Ends the incident, if one goes on. */
    void good(long now) {
        if (blocks > 0) {
            recovered(now);
            return;
        }
        traffic.good(now);
        pages++;
        calm();
        if (softs > 0) {
            boolean enough = false;
            for (; softs > 0; softs--) {
                enough |= suspect(true);
            }
            if (enough) {
                test();
            }
        }
        switch (mode) {
            case START:
                if (auto && rate < ceiling && pages >= AUTO_STEP * rate) {
                    rate = Math.min(ceiling, rate * AUTO_GROWTH);
                    base = rate;
                    pages = 0;
                }
                break;
            case HOLD:
                if (base < 0.999f * ceiling && pages >= price()) {
                    mode = Mode.CLIMB;
                    step = 1;
                    pages = 0;
                    rate = Math.min(ceiling, base * factor(1));
                }
                break;
            case CLIMB:
                if (pages >= Math.max(STEP_PAGES, rate * Math.max(STEP_SECONDS, sulk))) {
                    if (rate >= ceiling) {
                        hold(ceiling);
                    } else {
                        step++;
                        pages = 0;
                        rate = Math.min(ceiling, rate * factor(step));
                    }
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
    long blocked(boolean hard, boolean trip, long now) {
        float pause;
        if (blocks == 0) {
            if (!hard && !trip) {
                softs += mode == Mode.START ? 0 : 1; // nothing is lowered for it, but where something was, it is part of the share
                return 0;
            }
            if (traffic.passed == 0) {
                traffic.since = now;
            }
            softs = 0;
            blocks = 1;
            firstBlock = now;
            look(now);
            boolean sure = trust > 0 || mode == Mode.TEST || suspicion > 1 || traffic.passed < FEW || mode == Mode.HOLD && pages >= SURE;
            pause = trust > 0 ? KNOCK_AGAIN : sure ? KNOCK : Math.max(KNOCK, sulk);
        } else {
            blocks++;
            tooShort = seconds(now - lastBlock);
            if ((trust > 0 || mode == Mode.TEST) && likely()) {
                pause = KNOCK;
            } else if (sulk > 2 * tooShort) {
                pause = sulk;
            } else {
                pause = Math.max(GROWTH * tooShort, Math.min(SECOND * tooShort, SHORT));
            }
        }
        lastBlock = now;
        return (long) (NANOS * (double) Math.max(KNOCK_AGAIN, Math.min(pause, LONGEST)));
    }

    // ---- incidents

    /** What the incident that begins tells about the rate. */
    private void look(long now) {
        traffic.turn(now);
        traffic.peaks(now);
        float stretch = seconds(now - traffic.since);
        float went = traffic.passed / Math.max(SPANS[0], stretch);
        for (int i = 0; i < SPANS.length; i++) {
            float n = traffic.passedIn(i, now);
            went = n < FEW ? went : Math.max(went, n / SPANS[i]);
        }
        used = (float) rate();
        if (traffic.passed >= STEP_PAGES && went < REALLY * used) {
            used = went;
        }
        explained = BLIND_CUT * used;
        for (int i = 0; i < SPANS.length; i++) {
            float n = traffic.passedIn(i, now);
            float r = SAFE * (n - 0.5f) / SPANS[i];
            if (n >= SAFE * traffic.peak(i) && (r < LOWER * used || SPANS[i] >= 0.9f * stretch)) {
                explained = Math.min(r, LOWER * used);
                break;
            }
        }
    }

    private void recovered(long now) {
        float silence = seconds(now - lastBlock);
        float down = seconds(now - firstBlock);
        float cycle = traffic.passed / Math.max(1e-3f, seconds(now - traffic.since));
        boolean quick = down < QUICK;
        boolean accident = quick && blocks == 1;
        boolean noise;
        if (trust > 0 || mode == Mode.TEST) {
            noise = (accident || likely()) && (mode == Mode.TEST || suspicion + 1 < EXCESS);
        } else {
            noise = accident && mode == Mode.HOLD && traffic.passed >= ACCIDENT;
        }
        Mode was = mode;
        before = Math.max(traffic.passed < CLEAN ? before : 0, base);
        boolean test = suspect(accident);
        if (!noise) {
            remember(silence, quick);
            if (was == Mode.CLIMB) {
                fall(cycle, quick);
            } else {
                lower(cycle, quick);
                cut = true;
            }
            if (trust > 0) {
                suspicion = 0;
            } else if (was == Mode.TEST) {
                speed();
            }
        } else if (was == Mode.HOLD && trust == 0 && traffic.passed < CLEAN) {
            base = Math.min(Math.max(0.98f * cycle, 0.93f * base), 0.98f * base);
            rate = base;
        }
        if (test) {
            test();
        } else if (mode == Mode.TEST) {
            judgeTest();
        }
        blocks = 0;
        traffic.begin(now);
    }

    /** How long the site sulks: between the longest silence that was too short and this one. */
    private void remember(float silence, boolean quick) {
        if (quick && sulk > QUICK) {
            return; // a quick recovery does not prove that the long sulks are over
        }
        tooShort = Math.min(tooShort, silence);
        if (silence < NO_SULK) {
            sulk = 0;
        } else if (silence > 1.3f * tooShort) {
            sulk = Math.max(silence / 2, (float) Math.sqrt(tooShort * silence));
        } else {
            sulk = silence;
        }
    }

    /** The trusted rate failed. */
    private void lower(float cycle, boolean quick) {
        failed = used;
        backoff = 1;
        float r;
        if (quick) {
            r = Math.max(SAFE * cycle, floor() * used);
        } else {
            float floor = trust > 0 ? QUICK_FLOOR : SLOW_FLOOR;
            r = Math.max(Math.max(cycle, floor * used), explained);
        }
        hold(Math.min(r, LOWER * used));
    }

    /** A climb failed: back to what is known to hold. */
    private void fall(float cycle, boolean quick) {
        failed = used;
        boolean far = used > FAR * base;
        backoff = far ? 1 : Math.min(LONGEST_BACKOFF, backoff * BACKOFF);
        float last = step == 1 ? base : rate / factor(step);
        float r = far && !quick ? last : step >= 3 ? last / factor(step - 1) : base; // a bucket's last step may have lived on its tokens
        if (quick) {
            r = Math.max(Math.max(0.98f * cycle, floor() * base), far ? r : Math.min(base, 0.99f * cycle));
        }
        hold(r);
    }

    private float floor() {
        return trust > 0 ? NOISY_FLOOR : QUICK_FLOOR;
    }

    private void hold(float r) {
        base = Math.max(SLOWEST, Math.min(r, ceiling));
        rate = base;
        mode = Mode.HOLD;
        pages = 0;
    }

    /** Pages that pay for a climb. */
    private float price() {
        float sooner = Math.min(1, GAP / (float) Math.log(Math.max(1.02f, failed / base)));
        return Math.max(LEAST_PAGES, sooner * backoff * Math.max(PAGES, SULKS * sulk * base));
    }

    private static float factor(int number) {
        return number > 5 ? 2 : 1 + STEP * (1 << number - 1);
    }

    // ---- blocks that do not come from speed

    /** A page: outweighs a part of a block. */
    private void calm() {
        if (mode == Mode.TEST) {
            return;
        }
        if (suspicion > 0) {
            asked++;
            suspicion = Math.max(0, suspicion - (trust > 0 ? 2 * share : 1f / LEAK));
        }
        if (trust > 0 && --trust == 0) {
            before = Math.max(before, base);
            test(share, base);
        }
    }

    /** Counts a block or an incident; whether there have been enough of them for an experiment. */
    private boolean suspect(boolean isolated) {
        if (mode == Mode.TEST || trust > 0) {
            suspicion++;
            slow += isolated ? 0 : 1;
            return false;
        }
        if (mode == Mode.CLIMB) {
            return false; // who climbs must expect it
        }
        if (!isolated) {
            suspicion = Math.max(0, suspicion - 1);
            return false;
        }
        if (suspicion == 0) {
            asked = traffic.passed;
        }
        suspicion++;
        asked++;
        return suspicion >= SUSPICIOUS;
    }

    /** Lower than what passed, pauses included: who lets one pass after each pause, and no other, blocks the same share at any rate above that. */
    private void test() {
        float passed = Math.max(1, asked - suspicion);
        test(Math.min(MOST_SHARE, suspicion / asked + 1f / LEAK), passed / (passed / base + suspicion * KNOCK));
    }

    private void test(float share, float from) {
        this.share = share;
        slow = 0;
        mode = Mode.TEST;
        rate = TEST_RATE * from;
        suspicion = 0;
        pages = 0;
    }

    private void judgeTest() {
        float requests = pages + suspicion;
        float length = Math.max(REQUESTS, Math.min(MOST_REQUESTS, EXPECTED / share));
        if (requests < length) {
            return;
        }
        if (suspicion >= Math.max(2, share * length / 2) && slow <= suspicion / 2) {
            share = Math.min(MOST_SHARE, suspicion / requests);
            trust = TRUST;
            suspicion = 0;
            failed = NEVER;
            backoff = 1;
            cut = false;
            hold(before);
            toTell = !told;
            told = true;
        } else {
            hold(base);
            backoff = Math.min(LONGEST_BACKOFF, backoff * BACKOFF);
            speed();
        }
    }

    /** The blocks do come from speed. */
    private void speed() {
        share = 0;
        suspicion = 0;
    }

    /** Whether so many blocks in a row are no wonder, given the known share. */
    private boolean likely() {
        return Math.pow(share, blocks) >= UNLIKELY;
    }

    // ---- state file and Redis

    /**
     * What was learnt, as numbers with commas between: eleven that say what the site tolerates and how far a climb is, six of blocks that
     * do not come from speed, seven of an incident that goes on, and how many requests each span holds and held at most. Who takes that in goes on where this
     * one is, in the middle of a climb or an experiment, too: so the workers of a fleet climb together, and are blocked together.
     */
    String save(long now) {
        traffic.turn(now);
        traffic.peaks(now);
        float since = age(traffic.since, now);
        float first = blocks > 0 ? Math.min(since, age(firstBlock, now)) : 0;
        float last = blocks > 0 ? Math.min(first, age(lastBlock, now)) : 0;
        float[] numbers = {mode.ordinal(), cut ? 1 : 0, base, rate, failed, sulk, tooShort, backoff, step, pages, before,
            share, trust, suspicion, asked, softs, slow,
            blocks, traffic.passed, since, first, last, used, explained};
        StringBuilder text = new StringBuilder(200);
        for (int i = 0; i < SAVED; i++) {
            float n = numbers[i] >= LEAST[i] ? Math.min(MOST[i], numbers[i]) : LEAST[i]; // also where it is no number
            text.append(n == (int) n ? Integer.toString((int) n) : Float.toString(n)).append(',');
        }
        for (int i = 0; i < SPANS.length; i++) {
            int held = (int) Math.max(0, Math.min(Traffic.MOST_HELD, traffic.passedIn(i, now)));
            text.append(held).append(',').append(traffic.peak(i)).append(i + 1 < SPANS.length ? "," : "");
        }
        return text.toString();
    }

    private static float age(long time, long now) {
        return (float) ((now - time) / (double) NANOS);
    }

    /** Takes in all that {@link #save} gave, into one that knows nothing; see {@link #restore(String, long, boolean, long)}. */
    void restore(String saved, long ago, long now) {
        restore(saved, ago, true, now);
    }

    /**
     * Takes in what {@link #save} gave.
     *
     * @param ago   nanoseconds since then, 0 or more
     * @param whole whether what the spans hold is part of it; a worker of a fleet counts that itself, and more exactly
     * @throws IllegalArgumentException if it is anything else; then nothing has changed
     */
    void restore(String saved, long ago, boolean whole, long now) {
        String[] parts = saved.split(",", -1);
        if (parts.length != SAVED + 2 * SPANS.length) {
            throw new IllegalArgumentException("learnt state has " + parts.length + " numbers and not " + (SAVED + 2 * SPANS.length));
        }
        float[] n = new float[parts.length];
        for (int i = 0; i < n.length; i++) {
            try {
                n[i] = Float.parseFloat(parts[i]);
            } catch (NumberFormatException e) {
                n[i] = Float.NaN;
            }
            float least = i < SAVED ? LEAST[i] : 0;
            float most = i < SAVED ? MOST[i] : (i - SAVED) % 2 == 0 ? Traffic.MOST_HELD : Character.MAX_VALUE;
            if (!(n[i] >= least && n[i] <= most) || i < SAVED && WHOLE[i] && n[i] != (int) n[i]) {
                throw new IllegalArgumentException("number " + (i + 1) + " of learnt state: " + parts[i]);
            }
        }
        Mode was = Mode.values()[(int) n[0]];
        if (n[8] < 1 && was == Mode.CLIMB || (n[11] > 0) != (n[12] > 0 || was == Mode.TEST) || n[19] < n[20] || n[20] < n[21]) {
            throw new IllegalArgumentException("learnt state does not fit together");
        }
        mode = was;
        cut = n[1] == 1;
        if (mode == Mode.START) {
            rate = auto ? Math.min(n[2], ceiling) : ceiling;
            base = rate;
        } else {
            base = Math.max(SLOWEST, Math.min(n[2], ceiling));
            rate = mode == Mode.HOLD ? base : Math.min(n[3], ceiling);
        }
        failed = n[4];
        sulk = n[5];
        tooShort = n[6];
        backoff = n[7];
        step = (int) n[8];
        pages = (int) n[9];
        before = n[10];
        share = n[11];
        trust = (int) n[12];
        told |= trust > 0;
        suspicion = n[13];
        asked = (int) n[14];
        softs = (int) n[15];
        slow = (int) n[16];
        blocks = (int) n[17];
        traffic.passed = (int) n[18];
        traffic.since = now - ago - nanos(n[19]);
        firstBlock = now - ago - nanos(n[20]);
        lastBlock = now - ago - nanos(n[21]);
        used = n[22];
        explained = n[23];
        if (!whole) {
            return;
        }
        int[] held = new int[SPANS.length];
        int[] most = new int[SPANS.length];
        for (int i = 0; i < SPANS.length; i++) {
            held[i] = Math.round(n[SAVED + 2 * i]);
            most[i] = (int) n[SAVED + 2 * i + 1];
        }
        traffic.restore(held, most, ago, now);
    }

    private static long nanos(float seconds) {
        return Math.round(seconds * (double) NANOS);
    }

    private static float seconds(long nanos) {
        return nanos / (float) NANOS;
    }
}
