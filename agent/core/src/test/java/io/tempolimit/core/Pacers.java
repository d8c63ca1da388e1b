package io.tempolimit.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What others publish for clients of sites that block, in plain re-implementations. */
final class Pacers {
    private static final double MINUTE = 60;
    private static final double DAY = 86_400;

    private Pacers() {
    }

    private static boolean throttled(int status) {
        return status == 429 || status == 503;
    }

    static Map<String, Supplier<Pacer>> all() {
        Map<String, Supplier<Pacer>> all = new LinkedHashMap<>();
        all.put("AutoThrottle", AutoThrottle::new);
        all.put("StormCrawler", StormCrawler::new);
        all.put("Crawlee", Crawlee::new);
        all.put("AWS adaptive", Adaptive::new);
        all.put("AIMD", Aimd::new);
        return all;
    }

    /** Scrapy: the delay follows the latency, and an answer that is no 200 cannot lower it. docs.scrapy.org, topics/autothrottle. */
    private static final class AutoThrottle implements Pacer {
        private static final double START = 5;
        private double delay = START;
        private double last = -DAY;

        @Override
        public double next(double now) {
            return last + delay;
        }

        @Override
        public void sent(double now) {
            last = now;
        }

        @Override
        public void answered(double now, int status, double retryAfter, double latency) {
            double changed = Math.min(MINUTE, Math.max(latency, (delay + latency) / 2));
            delay = status == 200 || changed > delay ? changed : delay;
        }
    }

    /** Apache StormCrawler (issue 867, pull requests 1973 and 1984): a queue with 429 or 503 rests a minute, twice as long each time. */
    private static final class StormCrawler implements Pacer {
        private static final double QUIET = 30 * MINUTE;
        private double last = -DAY;
        private double until = -DAY;
        private double rest = MINUTE;

        @Override
        public double next(double now) {
            return Math.max(last + 1, until);
        }

        @Override
        public void sent(double now) {
            last = now;
        }

        @Override
        public void answered(double now, int status, double retryAfter, double latency) {
            if (!throttled(status) || now < until) {
                return;
            }
            rest = now - until > QUIET ? MINUTE : Math.min(DAY, 2 * rest);
            until = now + Math.max(rest, retryAfter);
        }
    }

    /** Crawlee's ThrottlingRequestManager: two seconds after a 429, doubled up to a minute, also where Retry-After asks for more. */
    private static final class Crawlee implements Pacer {
        private double until = -DAY;
        private double rest;

        @Override
        public double next(double now) {
            return until;
        }

        @Override
        public void sent(double now) {
            // as fast as the requests in flight allow
        }

        @Override
        public void answered(double now, int status, double retryAfter, double latency) {
            if (status == 429) {
                rest = Math.min(MINUTE, Math.max(2, 2 * rest));
                until = now + Math.min(MINUTE, Math.max(rest, retryAfter));
            } else {
                rest = 0;
            }
        }
    }

    /** The AWS SDKs' adaptive retry mode: CUBIC with beta 0.7 and scale 0.4 (aws-smithy-runtime, client_rate_limiter). */
    private static final class Adaptive implements Pacer {
        private static final double BETA = 0.7;
        private static final double SCALE = 0.4;
        private static final double SLOWEST = 0.5;
        private double rate = Double.MAX_VALUE;
        private double most;
        private double thrown = -DAY;
        private double window;
        private double last = -DAY;
        private double measured = SLOWEST;

        @Override
        public double next(double now) {
            return last + 1 / rate;
        }

        @Override
        public void sent(double now) {
            measured = 0.8 * Math.min(1000, 1 / Math.max(1e-3, now - last)) + 0.2 * measured;
            last = now;
        }

        @Override
        public void answered(double now, int status, double retryAfter, double latency) {
            if (throttled(status)) {
                most = Math.min(measured, rate);
                window = Math.cbrt(most * (1 - BETA) / SCALE);
                thrown = now;
                rate = Math.max(SLOWEST, BETA * most);
            } else if (rate < Double.MAX_VALUE) {
                double cubic = SCALE * Math.pow(now - thrown - window, 3) + most;
                rate = Math.max(SLOWEST, Math.min(cubic, 2 * measured));
            }
        }
    }

    /**
     * Additive increase, multiplicative decrease, as Nall.RateLimiting.Adaptive for .NET has it: x 0.7, and 120 a
     * minute more each 10 s.
     */
    private static final class Aimd implements Pacer {
        private static final double SLOWEST = 1 / MINUTE;
        private double rate = 3;
        private double raised;
        private double last = -DAY;

        @Override
        public double next(double now) {
            return last + 1 / rate;
        }

        @Override
        public void sent(double now) {
            last = now;
        }

        @Override
        public void answered(double now, int status, double retryAfter, double latency) {
            if (throttled(status)) {
                rate = Math.max(SLOWEST, 0.7 * rate);
                raised = now;
            } else if (now - raised >= 10) {
                rate += 2;
                raised = now;
            }
        }
    }
}
