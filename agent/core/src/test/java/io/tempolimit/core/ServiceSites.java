package io.tempolimit.core;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * Models of services and guards beside {@link RealSites}: limits of APIs, several limits at once, limits by path, and guards that
 * judge a client by what it did before. By their documentation; none was measured at a real site. Seconds.
 */
final class ServiceSites {
    private static final int TOO_MANY = 429;
    private static final int FORBIDDEN = 403;
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;

    private ServiceSites() {
    }

    /** Of the requests a share goes to paths with a limit of their own. */
    private static GuardedSite paths(Random random, double share, GuardedSite some, GuardedSite others, double rate) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                GuardedSite site = random.nextDouble() < share ? some : others;
                boolean page = site.hit(now);
                retryAfter = site.retryAfter;
                return page;
            }

            @Override
            double best(double seconds) {
                return rate * seconds;
            }
        };
    }

    /** A window by the clock, which says when the next one begins. */
    private static GuardedSite told(int n, double span) {
        GuardedSite site = GuardedSite.clockWindow(n, span);
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                retryAfter = (Math.floor(now / span) + 1) * span - now;
                return site.hit(now);
            }

            @Override
            double best(double seconds) {
                return n * Math.ceil(seconds / span);
            }
        };
    }

    /** Both must agree, and the one that refuses says when. */
    private static GuardedSite both(GuardedSite outer, GuardedSite inner) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                boolean first = outer.hit(now);
                boolean page = first && inner.hit(now);
                retryAfter = page ? 0 : first ? inner.retryAfter : outer.retryAfter;
                return page;
            }

            @Override
            double best(double seconds) {
                return Math.min(outer.best(seconds), inner.best(seconds));
            }
        };
    }

    /** nginx without {@code nodelay}: requests above the rate wait at the site, and more than the burst are refused. */
    private static GuardedSite delaying(double rate, int burst) {
        return new GuardedSite() {
            private double next;

            @Override
            boolean hit(double now) {
                next = Math.max(next, now);
                latency = next - now;
                if (latency > burst / rate) {
                    latency = 0;
                    return false;
                }
                next += 1 / rate;
                return true;
            }

            @Override
            double best(double seconds) {
                return rate * seconds;
            }
        };
    }

    /** mod_evasive: so many in one second of its clock, then 403 until ten seconds without a request. */
    private static GuardedSite evasive(int n) {
        return new GuardedSite() {
            private long second = -1;
            private int count;
            private double until = -1;

            @Override
            boolean hit(double now) {
                refusal = FORBIDDEN;
                if (now < until) {
                    until = now + 10;
                    return false;
                }
                count = (long) now == second ? count + 1 : 1;
                second = (long) now;
                if (count > n) {
                    until = now + 10;
                    return false;
                }
                return true;
            }

            @Override
            double best(double seconds) {
                return n * seconds;
            }
        };
    }

    /** Sixty a minute; each ban is longer than the one before, and a clean hour takes one back. */
    private static GuardedSite ladder() {
        double[] bans = {MINUTE, 5 * MINUTE, HOUR, 24 * HOUR};
        GuardedSite window = GuardedSite.ban(60, MINUTE, 0, false);
        return new GuardedSite() {
            private int level;
            private double until = -1;

            @Override
            boolean hit(double now) {
                if (now < until) {
                    return false;
                }
                boolean page = window.hit(now);
                if (!page) {
                    level = Math.max(0, level - (int) ((now - Math.max(0, until)) / HOUR));
                    until = now + bans[Math.min(bans.length - 1, level++)];
                }
                return page;
            }

            @Override
            double best(double seconds) {
                return seconds;
            }
        };
    }

    /** One limit for two hours, another one for the next two; over either a ban of a minute. */
    private static GuardedSite byDayAndNight(int day, int night) {
        GuardedSite[] limits = {GuardedSite.ban(day, MINUTE, MINUTE, false), GuardedSite.ban(night, MINUTE, MINUTE, false)};
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                return limits[(int) (now / (2 * HOUR)) % 2].hit(now);
            }

            @Override
            double best(double seconds) {
                return seconds / 2 * (day + night) / MINUTE;
            }
        };
    }

    /** The fuller its bucket, the faster it answers; once it is empty, a ban of a minute. */
    private static GuardedSite slowing(double rate, double burst) {
        return new GuardedSite() {
            private double tokens = burst;
            private double last;
            private double until = -1;

            @Override
            boolean hit(double now) {
                latency = 0;
                if (now < until) {
                    return false;
                }
                tokens = Math.min(burst, tokens + (now - last) * rate);
                last = now;
                if (tokens < 1) {
                    until = now + MINUTE;
                    return false;
                }
                tokens--;
                latency = 0.1 + 0.7 * (1 - tokens / burst);
                return true;
            }

            @Override
            double best(double seconds) {
                return rate * seconds;
            }
        };
    }

    /** The more of the last minute are above so many, the likelier is a challenge. */
    private static GuardedSite likelier(Random random, int free, double spread) {
        ArrayDeque<Double> times = new ArrayDeque<>();
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                while (!times.isEmpty() && times.peek() <= now - MINUTE) {
                    times.poll();
                }
                times.add(now);
                return random.nextDouble() >= (times.size() - free) / spread;
            }

            @Override
            double best(double seconds) {
                return free * seconds / MINUTE;
            }
        };
    }

    static Map<String, Function<Random, GuardedSite>> all() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("nginx limit_req 2/s, burst 5, delaying", r -> delaying(2, 5));
        sites.put("Envoy 120 by the minute, says when", r -> told(120, MINUTE));
        sites.put("HAProxy 50 in 10 s, 30 min silence", r -> RealSites.haproxy(50, HOUR / 2, 0, FORBIDDEN));
        sites.put("429, fail2ban 10 in 10 min, 10 min", r -> RealSites.fail2ban(TOO_MANY, 10, 600, 1));
        sites.put("mod_evasive 5 in a second, 403", r -> evasive(5));
        sites.put("Discord: 3 routes, each its limit", r -> paths(r, 0.5, told(5, 5), paths(r, 0.6, told(2, 2), told(30, MINUTE), 1), 2));
        sites.put("Reddit 600 in 10 min, says when", r -> told(600, 600));
        sites.put("X 300 in 15 min, says when", r -> told(300, 900));
        sites.put("60/min, bans of 1, 5, 60 min, a day", r -> ladder());
        sites.put("60/min by day, 240 by night, 1 min", r -> byDayAndNight(60, 240));
        sites.put("4/s, of which others take up to 3", r -> {
            double[] others = r.doubles(2000, 0, 3).toArray();
            return GuardedSite.bucket(now -> 4 - others[(int) (now / 300)], 20, false);
        });
        sites.put("120/min, ban 2 min, 1% at any rate", r -> GuardedSite.moody(r, 0.01, GuardedSite.ban(120, MINUTE, 120, true)));
        sites.put("30 in 10 min, captcha for 1 h", r -> GuardedSite.ban(30, 600, HOUR, true));
        sites.put("60/min, else banned for a day", r -> GuardedSite.ban(60, MINUTE, 24 * HOUR, false));
        sites.put("search 10/min, a tenth of all; else 10/s",
                r -> paths(r, 0.1, GuardedSite.bucket(1 / 6.0, 5), GuardedSite.bucket(10, 20), 1 / 0.6));
        sites.put("3/s, slower as it empties, ban 1 min", r -> slowing(3, 30));
        sites.put("Kong 60/min and 1,000/h, says when", r -> both(told(60, MINUTE), told(1000, HOUR)));
        sites.put("2 by the second", r -> GuardedSite.clockWindow(2, 1));
        sites.put("challenges likelier above 30/min", r -> likelier(r, 30, 120));
        sites.put("500/h, ban 30 min, and 2/s", r -> both(GuardedSite.ban(500, HOUR, HOUR / 2, false), GuardedSite.bucket(2, 10)));
        sites.put("Shopify 2/s, burst 40, says 1", r -> GuardedSite.liar(GuardedSite.bucket(2, 40), 1));
        return sites;
    }
}
