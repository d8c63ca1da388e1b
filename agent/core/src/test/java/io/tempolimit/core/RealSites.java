package io.tempolimit.core;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Models of guards that people run, by their documentation and by what operators set there: how each counts, what it answers, and for
 * how long. Seconds. None of them was measured at a real site.
 */
final class RealSites {
    private static final int TOO_MANY = 429;
    private static final int FORBIDDEN = 403;
    private static final int OVERLOAD = 503;
    private static final int ERROR = 500;
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;

    private RealSites() {
    }

    /** A limiter that answers with this status where it refuses. */
    static GuardedSite answering(int status, GuardedSite site) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                boolean page = site.hit(now);
                refusal = status;
                retryAfter = site.retryAfter;
                latency = site.latency;
                return page;
            }

            @Override
            double best(double seconds) {
                return site.best(seconds);
            }
        };
    }

    /** An interface that says 200 to all, and has nothing in its lists where it refuses. */
    static GuardedSite silent(GuardedSite site) {
        return new GuardedSite() {
            private int pages;

            @Override
            boolean hit(double now) {
                boolean page = site.hit(now);
                refusal = 200;
                latency = site.latency;
                pages += page ? 1 : 0;
                return page;
            }

            @Override
            TestHead answer(boolean page) {
                return new TestHead(200, "Content-Type", "application/json", "Content-Length", "" + body(page).length());
            }

            @Override
            String body(boolean page) {
                return page ? String.format("{\"total\":3,\"hits\":[%020d,%020d,%020d]}", pages, pages + 1, pages + 2)
                        : "{\"total\":0,\"hits\":[]}";
            }

            @Override
            double best(double seconds) {
                return site.best(seconds);
            }
        };
    }

    private static GuardedSite ban(int n, double span, double length, boolean extended, int status) {
        return answering(status, GuardedSite.ban(n, span, length, extended));
    }

    /** HAProxy's counters: this period, and what is left of the one before. All requests count. */
    private static final class Frequency {
        private final double period;
        private long current;
        private double count;
        private double before;

        Frequency(double period) {
            this.period = period;
        }

        double add(double now) {
            long p = (long) (now / period);
            if (p != current) {
                before = p == current + 1 ? count : 0;
                count = 0;
                current = p;
            }
            count++;
            return count + before * (1 - (now - p * period) / period);
        }
    }

    /**
     * Refuses while more than so many came in the last ten seconds; a ban of this length, if it is above zero, starts
     * anew with each request.
     */
    static GuardedSite haproxy(int n, double ban, double tarpit, int status) {
        return new GuardedSite() {
            private final Frequency frequency = new Frequency(10);
            private double until = -1;

            @Override
            boolean hit(double now) {
                boolean page = frequency.add(now) <= n && now >= until;
                if (!page && ban > 0) {
                    until = now + ban;
                }
                refusal = status;
                latency = page ? 0 : tarpit;
                return page;
            }

            @Override
            double best(double seconds) {
                return n * seconds / 10;
            }
        };
    }

    /**
     * nginx's limit_req with 503, and fail2ban, which reads its log: so many refusals in ten minutes close the port,
     * each time for twice as long.
     */
    private static GuardedSite fail2ban(int most, double ban, double growth) {
        return fail2ban(OVERLOAD, most, ban, growth);
    }

    /** The same for a limit that is told by this status. */
    static GuardedSite fail2ban(int status, int most, double ban, double growth) {
        GuardedSite site = GuardedSite.bucket(2, 11);
        return new GuardedSite() {
            private final ArrayDeque<Double> refused = new ArrayDeque<>();
            private double next = ban;
            private double until = -1;

            @Override
            boolean hit(double now) {
                if (now < until) {
                    refusal = 0;
                    return false;
                }
                refusal = status;
                boolean page = site.hit(now);
                if (!page) {
                    while (!refused.isEmpty() && refused.peek() <= now - 600) {
                        refused.poll();
                    }
                    refused.add(now);
                    if (refused.size() >= most) {
                        until = now + next;
                        next *= growth;
                        refused.clear();
                    }
                }
                return page;
            }

            @Override
            double best(double seconds) {
                return site.best(seconds);
            }
        };
    }

    /** Two sliding windows over all requests, refused ones too; over either a penalty box. */
    static GuardedSite penaltyBox(int few, double shortSpan, int many, double longSpan, double box) {
        return new GuardedSite() {
            private final ArrayDeque<Double> shorter = new ArrayDeque<>();
            private final ArrayDeque<Double> longer = new ArrayDeque<>();
            private double until = -1;

            @Override
            boolean hit(double now) {
                int s = add(shorter, now, shortSpan);
                int l = add(longer, now, longSpan);
                refusal = FORBIDDEN;
                if (now < until) {
                    return false;
                }
                if (s > few || l > many) {
                    until = now + box;
                    return false;
                }
                return true;
            }

            @Override
            double best(double seconds) {
                return seconds * Math.min(few / shortSpan, many / longSpan);
            }
        };
    }

    private static int add(ArrayDeque<Double> times, double now, double span) {
        times.add(now);
        while (times.peek() <= now - span) {
            times.poll();
        }
        return times.size();
    }

    /** So many pages, then a challenge until it has not been asked for a while; a bucket besides. */
    static GuardedSite session(int pages, double silence, double rate) {
        GuardedSite pace = GuardedSite.bucket(rate, 2 * rate);
        return new GuardedSite() {
            private int count;
            private double last = -HOUR;

            @Override
            boolean hit(double now) {
                count = now - last >= silence ? 0 : count;
                last = now;
                refusal = TOO_MANY;
                boolean page = count < pages && pace.hit(now);
                count += page ? 1 : 0;
                return page;
            }

            @Override
            double best(double seconds) {
                return seconds / (silence + pages / rate) * pages;
            }
        };
    }

    /** Each request adds to a suspicion that fades; above a bound all are challenged, with more suspicion for each. */
    static GuardedSite suspicion(double halfLife, double most) {
        return new GuardedSite() {
            private double suspicion;
            private double last;

            @Override
            boolean hit(double now) {
                suspicion = suspicion * Math.pow(0.5, (now - last) / halfLife) + 1;
                last = now;
                refusal = TOO_MANY;
                if (suspicion > most) {
                    suspicion += 4;
                    return false;
                }
                return true;
            }

            @Override
            double best(double seconds) {
                return most * Math.log(2) / halfLife * seconds + most;
            }
        };
    }

    /** Answers slowly for as long as too many come in a span, and for a while after that. */
    static GuardedSite slow(int most, double span, double takes, double after) {
        return new GuardedSite() {
            private final ArrayDeque<Double> times = new ArrayDeque<>();
            private double until = -1;

            @Override
            boolean hit(double now) {
                until = add(times, now, span) > most ? now + after : until;
                latency = now < until ? takes : 0;
                return true;
            }

            @Override
            double best(double seconds) {
                return seconds * most / span;
            }
        };
    }

    /** So many in flight. */
    static GuardedSite inFlight(int most, double takes) {
        return inFlight(most, takes, () -> takes);
    }

    /** So many in flight, each for a time of its own. */
    static GuardedSite inFlight(int most, double mean, DoubleSupplier takes) {
        return new GuardedSite() {
            private final PriorityQueue<Double> open = new PriorityQueue<>();

            @Override
            boolean hit(double now) {
                while (!open.isEmpty() && open.peek() <= now) {
                    open.poll();
                }
                refusal = TOO_MANY;
                latency = 0;
                if (open.size() >= most) {
                    return false;
                }
                latency = takes.getAsDouble();
                open.add(now + latency);
                return true;
            }

            @Override
            double best(double seconds) {
                return seconds * most / mean;
            }
        };
    }

    /** A window by the clock that says what is left of it with each answer. */
    static GuardedSite announcing(int n, double span) {
        GuardedSite site = GuardedSite.clockWindow(n, span);
        return new GuardedSite() {
            private long window = -1;
            private int left;
            private double reset;

            @Override
            boolean hit(double now) {
                long w = (long) (now / span);
                left = w == window ? Math.max(0, left - 1) : n - 1;
                window = w;
                reset = (w + 1) * span - now;
                return site.hit(now);
            }

            @Override
            TestHead answer(boolean page) {
                return new TestHead(page ? 200 : TOO_MANY, "Content-Type", "image/png", "X-RateLimit-Limit", "" + n,
                        "X-RateLimit-Remaining", "" + left, "X-RateLimit-Reset", "" + (long) Math.ceil(reset));
            }

            @Override
            double best(double seconds) {
                return n * Math.ceil(seconds / span);
            }
        };
    }

    /** Fails by itself at any rate, and for a while altogether. */
    static GuardedSite failing(Random random, double share, double from, double to) {
        return new GuardedSite() {
            @Override
            boolean hit(double now) {
                refusal = ERROR;
                return (now < from || now >= to) && random.nextDouble() >= share;
            }

            @Override
            double best(double seconds) {
                return 3 * (seconds - to + from) * (1 - share);
            }
        };
    }

    static Map<String, Function<Random, GuardedSite>> all() {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>();
        sites.put("nginx limit_req 5/s, burst 10, 429", r -> GuardedSite.bucket(5, 11));
        sites.put("nginx limit_req 2/s, burst 5, 503", r -> answering(OVERLOAD, GuardedSite.bucket(2, 6)));
        sites.put("nginx 503, fail2ban 10 min x 2", r -> fail2ban(5, 600, 2));
        sites.put("HAProxy 30 in 10 s, 429", r -> haproxy(30, 0, 0, TOO_MANY));
        sites.put("HAProxy 40 in 10 s, tarpit, 500", r -> haproxy(40, 0, 5, ERROR));
        sites.put("Cloudflare 20 in 10 s, 10 s, 429", r -> GuardedSite.ban(20, 10, 10, false));
        sites.put("Cloudflare 60/min, challenge 1 h", r -> GuardedSite.ban(60, MINUTE, HOUR, false));
        sites.put("AWS WAF 300 in 5 min, each 30 s", r -> answering(FORBIDDEN, GuardedSite.firewall(300, 300, 30)));
        sites.put("Akamai 50 in 5 s, 360 in 2 min, 403", r -> penaltyBox(50, 5, 360, 120, 600));
        sites.put("60/min, 403 for 10 min, extends", r -> ban(60, MINUTE, 600, true, FORBIDDEN));
        sites.put("60/min, then empty results for 5 min", r -> silent(GuardedSite.ban(60, MINUTE, 300, true)));
        sites.put("40/min, 2 min doubling, extends", r -> GuardedSite.ban(40, MINUTE, 120, true, 2, 1800));
        sites.put("100 pages, captcha till 10 min silent", r -> session(100, 600, 5));
        sites.put("suspicion, half-life 10 min", r -> suspicion(600, 300));
        sites.put("60 tokens by the minute, 429", r -> GuardedSite.clockWindow(60, MINUTE));
        sites.put("60 by the minute, says what is left", r -> announcing(60, MINUTE));
        sites.put("900 by the hour, says what is left", r -> announcing(900, HOUR));
        sites.put("nginx limit_conn 2, 429", r -> inFlight(2, 0.6));
        sites.put("over 60 in 30 s answers take 8 s more", r -> slow(60, 30, 8, 60));
        return sites;
    }
}
