package io.tempolimit.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * Families of sites whose limits are drawn by a seed, so that nobody can tune a policy to them. Each release plays seeds that were
 * not looked at while its learning was made.
 */
final class RandomSites {
    private static final double[] SPANS = {5, 10, 10, 60, 60, 60, 300, 600, 3600};
    private static final double[] BANS = {10, 30, 60, 60, 120, 300, 600, 900, 1800, 3600};
    private static final int TOO_MANY = 429;
    private static final int OVERLOAD = 503;
    private static final int FORBIDDEN = 403;

    private RandomSites() {
    }

    /** Any number of this range, each size as likely as any other. */
    private static double between(Random r, double least, double most) {
        return least * Math.pow(most / least, r.nextDouble());
    }

    private static double span(Random r) {
        return r.nextBoolean() ? SPANS[r.nextInt(SPANS.length)] : between(r, 5, 1800);
    }

    private static double ban(Random r) {
        return r.nextInt(3) > 0 ? BANS[r.nextInt(BANS.length)] : between(r, 5, 2400);
    }

    private static int in(double span, Random r) {
        return (int) Math.max(5, Math.round(span * between(r, 0.1, 6)));
    }

    private static int status(Random r) {
        return r.nextInt(3) == 0 ? OVERLOAD : TOO_MANY;
    }

    private static GuardedSite bucket(Random r) {
        double rate = between(r, 0.1, 12);
        return RealSites.answering(status(r), GuardedSite.bucket(now -> rate, (int) between(r, 2, 60), r.nextInt(3) == 0));
    }

    private static GuardedSite changing(Random r) {
        double one = between(r, 0.3, 8);
        double other = between(r, 0.3, 8);
        double each = between(r, 1200, 7200);
        return GuardedSite.bucket(now -> (int) (now / each) % 2 == 0 ? one : other, (int) between(r, 3, 40), false);
    }

    private static GuardedSite window(Random r, double growth) {
        double span = span(r);
        GuardedSite site = GuardedSite.ban(in(span, r), span, growth > 1 ? Math.min(600, ban(r)) : ban(r), r.nextBoolean(), growth, 3600);
        return RealSites.answering(r.nextBoolean() ? TOO_MANY : FORBIDDEN, site);
    }

    private static GuardedSite withoutBan(Random r) {
        double span = span(r);
        return RealSites.answering(status(r), GuardedSite.ban(in(span, r), span, 0, false));
    }

    private static GuardedSite byTheClock(Random r) {
        double span = span(r);
        return RealSites.answering(status(r), GuardedSite.clockWindow(in(span, r), span));
    }

    private static GuardedSite announced(Random r) {
        double span = span(r);
        return RealSites.announcing(in(span, r), span);
    }

    private static GuardedSite firewall(Random r) {
        double span = new double[] {60, 120, 300, 600}[r.nextInt(4)];
        return RealSites.answering(FORBIDDEN, GuardedSite.firewall(in(span, r), span, r.nextBoolean() ? 10 : 30));
    }

    private static GuardedSite twoWindows(Random r) {
        double span = new double[] {600, 900, 1800, 3600}[r.nextInt(4)];
        double rate = between(r, 1, 6);
        int n = (int) (span * rate * (0.15 + 0.6 * r.nextDouble()));
        GuardedSite window = GuardedSite.ban(n, span, r.nextBoolean() ? 0 : ban(r), false);
        return GuardedSite.both(window, GuardedSite.bucket(rate, (int) between(r, 3, 30)));
    }

    private static GuardedSite penaltyBox(Random r) {
        double rate = between(r, 0.5, 5);
        int few = 5 + r.nextInt(10);
        int many = 60 * (1 + r.nextInt(10));
        return RealSites.penaltyBox((int) Math.max(5, few * rate * between(r, 1.5, 4.5)), few, (int) (many * rate), many, ban(r));
    }

    private static GuardedSite slow(Random r) {
        double span = between(r, 10, 120);
        return RealSites.slow((int) Math.max(8, span * between(r, 0.5, 5)), span, between(r, 2, 15), between(r, 10, 120));
    }

    private static GuardedSite falseBlocks(Random r) {
        double span = span(r);
        return GuardedSite.moody(r, between(r, 0.001, 0.03), GuardedSite.ban(in(span, r), span, Math.min(900, ban(r)), r.nextBoolean()));
    }

    /** By what they are called; each makes one of its family by a seed's chance. */
    static Map<String, Function<Random, GuardedSite>> all() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("bucket, 429 or 503", RandomSites::bucket);
        sites.put("bucket that changes", RandomSites::changing);
        sites.put("window, then a ban", r -> window(r, 1));
        sites.put("window, then a ban that doubles", r -> window(r, 2));
        sites.put("sliding window without a ban", RandomSites::withoutBan);
        sites.put("window by the clock", RandomSites::byTheClock);
        sites.put("window that is announced", RandomSites::announced);
        sites.put("firewall that looks now and then", RandomSites::firewall);
        sites.put("bucket, and a long window", RandomSites::twoWindows);
        sites.put("two windows, then a penalty box", RandomSites::penaltyBox);
        sites.put("pages, then a captcha till silence",
                r -> RealSites.session((int) between(r, 30, 400), between(r, 120, 1800), between(r, 1, 8)));
        sites.put("suspicion that fades", r -> RealSites.suspicion(between(r, 60, 1200), between(r, 50, 500)));
        sites.put("slow answers above a window", RandomSites::slow);
        sites.put("so many in flight", r -> RealSites.inFlight(1 + r.nextInt(4), between(r, 0.1, 2)));
        sites.put("false blocks, and a window with a ban", RandomSites::falseBlocks);
        sites.put("false blocks, and a bucket", r -> GuardedSite.moody(r, between(r, 0.001, 0.05),
                GuardedSite.bucket(between(r, 0.3, 12), (int) between(r, 3, 60))));
        sites.put("fail2ban", r -> RealSites.fail2ban(status(r), 3 + r.nextInt(8), between(r, 120, 1800), 1 + r.nextInt(2)));
        return sites;
    }
}
