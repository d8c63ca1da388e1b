package io.tempolimit.core;

import io.tempolimit.core.learn.Learning;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** Models of sites with limiters of their own, in virtual seconds. Not thread-safe. */
abstract class GuardedSite {
    /** What the last block said, in seconds; 0: nothing. */
    double retryAfter;
    /** The status of the last block; 0 for a connection that was refused. */
    int refusal = 429;
    /** Seconds that the last answer took longer. */
    double latency;

    /** A request comes in; whether it gets its page. Times do not fall. */
    abstract boolean hit(double now);

    /** The answer's head to the last request, of which it is known whether it gets its page; null for a connection that was refused. */
    TestHead answer(boolean page) {
        if (page) {
            return new TestHead(200, "Content-Type", "image/png"); // no body changes what that is
        }
        return refusal == 0 ? null : retryAfter > 0
                ? new TestHead(refusal, "Content-Type", "image/png", "Retry-After", Long.toString((long) Math.ceil(retryAfter)))
                : new TestHead(refusal, "Content-Type", "image/png");
    }

    /** The body of that answer; null where no body changes what the answer is. */
    String body(boolean page) {
        return null;
    }

    /** Pages that a client who knows the rule, and never breaks it, gets in so many seconds. */
    abstract double best(double seconds);

    /** A token bucket, whose rate may change. */
    static GuardedSite bucket(DoubleUnaryOperator rate, double burst, boolean saysWhen) {
        return new GuardedSite() {
            private double tokens = burst;
            private double last;

            @Override
            boolean hit(double now) {
                double r = rate.applyAsDouble(now);
                tokens = Math.min(burst, tokens + (now - last) * r);
                last = now;
                if (tokens >= 1) {
                    tokens--;
                    return true;
                }
                retryAfter = saysWhen ? (1 - tokens) / r : 0;
                return false;
            }

            @Override
            double best(double seconds) {
                double sum = burst;
                for (int i = 0; i < seconds; i++) {
                    sum += rate.applyAsDouble(i);
                }
                return sum;
            }
        };
    }

    static GuardedSite bucket(double rate, double burst) {
        return bucket(now -> rate, burst, false);
    }

    /** So many in a span, else a ban: which a knock may start anew, and which may grow by each incident up to a bound. */
    static GuardedSite ban(int n, double span, double ban, boolean extends_, double growth, double longest) {
        return new GuardedSite() {
            private final ArrayDeque<Double> passed = new ArrayDeque<>();
            private double next = ban;
            private double length;
            private double until = -1;

            @Override
            boolean hit(double now) {
                if (now < until) {
                    until = extends_ ? now + length : until;
                    return false;
                }
                while (!passed.isEmpty() && passed.peek() <= now - span) {
                    passed.poll();
                }
                if (passed.size() >= n) {
                    length = Math.min(next, longest);
                    next *= growth;
                    until = now + length;
                    return false;
                }
                passed.add(now);
                return true;
            }

            @Override
            double best(double seconds) {
                return n * seconds / span;
            }
        };
    }

    static GuardedSite ban(int n, double span, double ban, boolean extends_) {
        return ban(n, span, ban, extends_, 1, Double.MAX_VALUE);
    }

    /** So many a day. */
    private static GuardedSite quota(int n, double midnight) {
        GuardedSite pace = bucket(10, 30);
        return new GuardedSite() {
            private int left = n;
            private boolean nextDay;

            @Override
            boolean hit(double now) {
                if (now >= midnight && !nextDay) {
                    nextDay = true;
                    left = n;
                }
                boolean page = left > 0 && pace.hit(now);
                left -= page ? 1 : 0;
                return page;
            }

            @Override
            double best(double seconds) {
                return n * (seconds > midnight ? 2 : 1);
            }
        };
    }

    /** Blocks a share of the requests, whatever their rate. */
    static GuardedSite moody(Random random, double share, GuardedSite site) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                retryAfter = 0;
                if (random.nextDouble() < share) {
                    return false;
                }
                boolean page = site.hit(now);
                retryAfter = site.retryAfter;
                return page;
            }

            @Override
            double best(double seconds) {
                return (1 - share) * site.best(seconds);
            }
        };
    }

    /** A token bucket where paths cost 1, 3 or 10 tokens. */
    private static GuardedSite costs(Random random, double rate, double burst) {
        return new GuardedSite() {
            private double tokens = burst;
            private double last;

            @Override
            boolean hit(double now) {
                tokens = Math.min(burst, tokens + (now - last) * rate);
                last = now;
                double u = random.nextDouble();
                int cost = u < 0.7 ? 1 : u < 0.9 ? 3 : 10;
                if (tokens < cost) {
                    return false;
                }
                tokens -= cost;
                return true;
            }

            @Override
            double best(double seconds) {
                return (burst + rate * seconds) / 2.3;
            }
        };
    }

    /** A counter that is reset by the clock. */
    static GuardedSite clockWindow(int n, double span) {
        return new GuardedSite() {
            private long window = -1;
            private int count;

            @Override
            boolean hit(double now) {
                long w = (long) (now / span);
                count = w == window ? count + 1 : 1;
                window = w;
                return count <= n;
            }

            @Override
            double best(double seconds) {
                return n * seconds / span;
            }
        };
    }

    /** Every so often all requests of a span are counted, blocked ones too. */
    static GuardedSite firewall(int n, double span, double every) {
        return new GuardedSite() {
            private final ArrayDeque<Double> hits = new ArrayDeque<>();
            private long round = -1;
            private boolean shut;

            @Override
            boolean hit(double now) {
                long r = (long) (now / every);
                if (r != round) {
                    round = r;
                    while (!hits.isEmpty() && hits.peek() <= r * every - span) {
                        hits.poll();
                    }
                    shut = hits.size() > n;
                }
                hits.add(now);
                return !shut;
            }

            @Override
            double best(double seconds) {
                return n * seconds / span;
            }
        };
    }

    /** So many seconds between any two requests, of which refused ones count, too. */
    static GuardedSite gap(double gap) {
        return new GuardedSite() {
            private double last = -gap;

            @Override
            boolean hit(double now) {
                boolean page = now - last >= gap;
                last = now;
                return page;
            }

            @Override
            double best(double seconds) {
                return seconds / gap;
            }
        };
    }

    /** Says the same Retry-After whatever the truth. */
    static GuardedSite liar(GuardedSite site, double says) {
        GuardedSite liar = moody(new Random(0), 0, site);
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                boolean page = liar.hit(now);
                retryAfter = page ? 0 : says;
                return page;
            }

            @Override
            double best(double seconds) {
                return site.best(seconds);
            }
        };
    }

    /** Both limiters must agree. */
    static GuardedSite both(GuardedSite outer, GuardedSite inner) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                return outer.hit(now) && inner.hit(now);
            }

            @Override
            double best(double seconds) {
                return Math.min(outer.best(seconds), inner.best(seconds));
            }
        };
    }

    private static GuardedSite wavering(Random random) {
        double[] rates = random.doubles(2000, 1, 3).toArray();
        return bucket(now -> rates[(int) (now / 60)], 10, false);
    }

    /** A to F. */
    static Map<String, Function<Random, GuardedSite>> known() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("A  1/s, burst 10", r -> bucket(1, 10));
        sites.put("B  A with Retry-After", r -> bucket(now -> 1, 10, true));
        sites.put("C  60 a minute, ban 5 min, extends", r -> ban(60, 60, 300, true));
        sites.put("D  10/s, burst 20", r -> bucket(10, 20));
        sites.put("E  2/s, then 0.5/s, then 2/s", r -> bucket(now -> now % 14400 >= 4800 && now % 14400 < 9600 ? 0.5 : 2, 10, false));
        sites.put("F  100 in 10 min, ban 2 min, extends", r -> ban(100, 600, 120, true));
        return sites;
    }

    /** U1 to U16. */
    static Map<String, Function<Random, GuardedSite>> unseen() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("U1  30 in 10 s, ban 60 s, extends", r -> ban(30, 10, 60, true));
        sites.put("U2  5,000 a day, midnight after 2.5 h", r -> quota(5000, 9000));
        sites.put("U3  60 a minute, ban 60 s doubling, extends", r -> ban(60, 60, 60, true, 2, Double.MAX_VALUE));
        sites.put("U4  200 an hour, no ban", r -> ban(200, 3600, 0, false));
        sites.put("U5  20/s, 1% blocked at any rate", r -> moody(r, 0.01, bucket(20, 50)));
        sites.put("U6  30 a minute, captcha until 5 min silence", r -> ban(30, 60, 300, true));
        sites.put("U7  5 tokens/s, paths cost 1, 3, 10", r -> costs(r, 5, 30));
        sites.put("U8  1 to 3/s, anew each minute", GuardedSite::wavering);
        sites.put("U9  100 a minute by the clock", r -> clockWindow(100, 60));
        sites.put("U10  300 in 5 min, looked at each 30 s", r -> firewall(300, 300, 30));
        sites.put("U11  1 to 4/s, in a wave of 2 h", r -> bucket(now -> 2.5 + 1.5 * StrictMath.sin(now * 2 * Math.PI / 7200), 15, false));
        sites.put("U12  1 in 10 s, burst 3", r -> bucket(0.1, 3));
        sites.put("U13  60 a minute, ban 60 s, says 30", r -> liar(ban(60, 60, 60, true), 30));
        sites.put("U14  1/s, burst 10, says 60", r -> liar(bucket(1, 10), 60));
        sites.put("U15  40 a minute, ban 2 min doubling to 30", r -> ban(40, 60, 120, true, 2, 1800));
        sites.put("U16  C, 0.1% blocked at any rate", r -> moody(r, 0.001, ban(60, 60, 300, true)));
        return sites;
    }

    /** Sites that the constants of {@link Learning} were not chosen on. */
    static Map<String, Function<Random, GuardedSite>> others() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("V1  20 in 30 s, ban 90 s", r -> ban(20, 30, 90, false));
        sites.put("V2  2/s burst 5, and 1,000 in 30 min", r -> both(bucket(2, 5), ban(1000, 1800, 0, false)));
        sites.put("V3  90 in 90 s, ban 4 min, extends", r -> ban(90, 90, 240, true));
        sites.put("V4  500 an hour by the clock", r -> clockWindow(500, 3600));
        sites.put("V5  5/s, burst 1", r -> bucket(5, 1));
        sites.put("V6  1/s, burst 100", r -> bucket(1, 100));
        sites.put("V7  10 a minute, ban 10 min, extends", r -> ban(10, 60, 600, true));
        sites.put("V8  5% blocked at any rate, 5/s", r -> moody(r, 0.05, bucket(5, 20)));
        sites.put("V9  25% blocked at any rate, 3/s", r -> moody(r, 0.25, bucket(3, 20)));
        sites.put("V10  150 in 2 min looked at each 10 s", r -> firewall(150, 120, 10));
        sites.put("V11  4/s, after an hour 0.25/s", r -> bucket(now -> now < 3600 ? 4 : 0.25, 10, false));
        sites.put("V12  0.3/s, after an hour 6/s", r -> bucket(now -> now < 3600 ? 0.3 : 6, 10, false));
        return sites;
    }
}
