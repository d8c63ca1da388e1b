package io.tempolimit.admin;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.ThisProcess;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.detect.Verdict;
import io.tempolimit.watch.Health;
import io.tempolimit.watch.Watch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The statistics for Prometheus, by its conventions: seconds, counters that end with {@code _total}, few labels. A
 * label's values are bounded: keys beyond the first {@code metrics.keys} share one, and stay there, so that no counter
 * ever falls.
 *
 * <p>Of Prometheus' own library the snapshots and the text formats; its counters would be a second place to count in.
 */
final class Metrics {
    private static final ExpositionFormatWriter PROMETHEUS = new PrometheusTextFormatWriter(false);
    private static final ExpositionFormatWriter OPEN_METRICS = new OpenMetricsTextFormatWriter(false, false);
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private final Limiter limiter;
    private final Board board;
    private final Watch watch;

    Metrics(Limiter limiter, Board board, Watch watch) {
        this.limiter = limiter;
        this.board = board;
        this.watch = watch;
    }

    /** In which format to answer: OpenMetrics if it is asked for, else Prometheus' own. @param accept may be null */
    static ExpositionFormatWriter format(String accept) {
        return accept != null && OPEN_METRICS.accepts(accept) ? OPEN_METRICS : PROMETHEUS;
    }

    /** The answer to a scrape, as of now. */
    byte[] text(ExpositionFormatWriter format) throws IOException {
        List<KeyStats> keys = board.forMetrics();
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(counter("tempolimit_requests", "Requests that arrived, rejected ones included.", keys, s -> s.totalRequests));
        all.add(counter("tempolimit_delayed_requests", "Requests that waited 10 ms or more.", keys, s -> s.delayedRequests));
        all.add(counter("tempolimit_wait_seconds", "Time that requests have waited.", keys, s -> s.totalWaitNanos / NANOS));
        all.add(counter("tempolimit_cancelled_requests", "Requests that were cancelled while they waited.", keys,
                s -> s.cancelledRequests));
        all.add(counter("tempolimit_rejected_requests", "Requests that were not sent.", keys, s -> s.rejectedRequests));
        all.add(counter("tempolimit_failed_requests", "Requests without an answer: connection errors, timeouts.", keys,
                s -> s.failedRequests));
        all.add(answers(keys));
        all.add(counter("tempolimit_overloads", "Answers with 5xx that are no blocks.", keys, s -> s.overloads));
        all.add(blocks(keys));
        all.add(counter("tempolimit_blocked_requests", "Answers that were blocks, of any type; 0 before the first one.", keys,
                KeyStats::blockedRequests));
        all.add(counter("tempolimit_cooldowns", "Trips: how often so many blocks came in a row that a cooldown began.",
                keys, s -> s.cooldowns));
        all.add(counter("tempolimit_cooldown_seconds", "Time in cooldown.", keys, s -> s.cooldownNanos / NANOS));
        all.add(gauge("tempolimit_waiting_requests", "Requests that wait now.", keys, true, s -> s.waitingRequests));
        all.add(gauge("tempolimit_longest_wait_seconds", "For how long the request has waited that has waited longest of those that "
                + "wait now.", keys, true, s -> s.longestWaitNanos / NANOS));
        all.add(gauge("tempolimit_active_requests", "Requests that were sent and have no verdict yet.", keys, true, s -> s.activeRequests));
        all.add(gauge("tempolimit_in_cooldown", "1 while the key cools down, is probed, rejects until a time or is blocked "
                + "for good; else 0.", keys, false,
                s -> s.state.equals("open") ? 0 : 1));
        all.add(gauge("tempolimit_cooldown_remaining_seconds", "What is left of the pause.", keys, false,
                s -> s.cooldownRemainingNanos / NANOS));
        all.add(gauge("tempolimit_limit_requests_per_second", "The rate that the settings, or an operator, allow.",
                keys, false, s -> s.rate));
        all.add(gauge("tempolimit_learned_requests_per_second",
                "The rate that the site was found to tolerate; 0 while nothing was learnt.", keys, false,
                s -> s.learnedRate));
        all.add(gauge("tempolimit_learned_active_requests", "The requests in flight that the site was found to tolerate; 0 while "
                + "nothing was learnt.", keys, false, s -> s.learnedInFlight));
        all.add(gauge("tempolimit_available_tokens", "Requests that could go at once.", keys, false, s -> s.tokensAvailable));
        all.add(states());
        all.add(single("tempolimit_enabled", "1 while requests are paced.", limiter.enabled() ? 1 : 0));
        all.add(single("tempolimit_dry_run", "1 while everything is reported, and nothing delayed or rejected.", limiter.dryRun() ? 1 : 0));
        Fleet fleet = limiter.fleet();
        if (fleet != null) {
            all.add(single("tempolimit_redis_shared", "1 while limits are shared through Redis, 0 while it is not "
                    + "reached or does not answer.", fleet.state() == Fleet.State.SHARED ? 1 : 0));
            all.add(single("tempolimit_redis_refused", "1 while Redis cannot be used until a setting is changed: a "
                    + "password, a right, a host, TLS.", fleet.state() == Fleet.State.REFUSED ? 1 : 0));
            all.add(single("tempolimit_redis_workers", "JVMs that share their limits through Redis, as last seen, this "
                    + "one included.", Math.max(1, fleet.workers())));
        }
        all.add(count("tempolimit_evictions", "Keys that were forgotten.", limiter.evictions()));
        all.add(count("tempolimit_excluded_requests", "Requests that exclude, include and their paths leave out: not paced, and not among "
                + "the others.", limiter.leftOut()));
        all.add(unseen());
        addAgent(all);
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024 + 1024 * keys.size());
        format.write(out, new MetricSnapshots(all), EscapingScheme.UNDERSCORE_ESCAPING);
        return out.toByteArray();
    }

    /** What of the agent itself there is to know. Prometheus adds {@code instance}, so that the info has no label of that name. */
    private void addAgent(List<MetricSnapshot> all) {
        Health health = watch.health();
        all.add(InfoSnapshot.builder().name("tempolimit_agent").help("The agent, and the process that it is in.")
                .dataPoint(new InfoDataPointSnapshot(Labels.of("version", watch.version(), "host", ThisProcess.host(),
                        "pid", String.valueOf(ThisProcess.pid()), "java", System.getProperty("java.version")))).build());
        all.add(single("tempolimit_start_time_seconds", "When the agent started, since 1970.", watch.startedMillis() / MILLIS));
        all.add(single("tempolimit_config_last_reload_successful", "0 while the file of config= is refused, and the settings before "
                + "it hold; else 1.", health.refused() ? 0 : 1));
        all.add(single("tempolimit_config_last_reload_success_timestamp_seconds", "When settings were read last that hold, since 1970.",
                health.loadedMillis() / MILLIS));
        all.add(count("tempolimit_config_reload_failures", "Contents of the file of config= that were refused.", health.refusals()));
        all.add(count("tempolimit_errors", "Errors inside the agent. The requests went on.", health.errors()));
    }

    private static MetricSnapshot count(String name, String help, long value) {
        return CounterSnapshot.builder().name(name).help(help)
                .dataPoint(new CounterDataPointSnapshot(value, Labels.EMPTY, null, 0)).build();
    }

    /** Those of hosts that have no series of their own together. */
    private MetricSnapshot unseen() {
        CounterSnapshot.Builder b = CounterSnapshot.builder().name("tempolimit_unseen_requests")
                .help("Requests that no woven client sends: not paced, and not among the others.");
        long others = limiter.unseen().count();
        for (Unseen.Host host : limiter.unseen().hosts()) {
            if (host.number() < board.mostNamed()) {
                long n = host.requests();
                others -= n;
                b.dataPoint(new CounterDataPointSnapshot(n, Labels.of("host", host.name()), null, 0));
            }
        }
        return b.dataPoint(new CounterDataPointSnapshot(Math.max(0, others), Labels.of("host", Board.OTHERS), null, 0)).build();
    }

    private static MetricSnapshot counter(String name, String help, List<KeyStats> keys, ToDoubleFunction<KeyStats> value) {
        CounterSnapshot.Builder b = CounterSnapshot.builder().name(name).help(help);
        for (KeyStats s : keys) {
            b.dataPoint(new CounterDataPointSnapshot(value.applyAsDouble(s), Labels.of("key", s.domain), null, 0));
        }
        return b.build();
    }

    /** Statuses that never occurred are left out. */
    private static MetricSnapshot answers(List<KeyStats> keys) {
        CounterSnapshot.Builder b = CounterSnapshot.builder().name("tempolimit_answers").help("Answers, by their status.");
        for (KeyStats s : keys) {
            for (int i = 0; i < s.answers.size(); i++) {
                Labels labels = Labels.of("key", s.domain, "status", String.valueOf(s.answers.status(i)));
                b.dataPoint(new CounterDataPointSnapshot(s.answers.count(i), labels, null, 0));
            }
        }
        return b.build();
    }

    /** Types that never occurred are left out. */
    private static MetricSnapshot blocks(List<KeyStats> keys) {
        CounterSnapshot.Builder b = CounterSnapshot.builder().name("tempolimit_blocks").help("Answers that were blocks.");
        for (KeyStats s : keys) {
            for (Verdict type : Verdict.values()) {
                if (s.blocks(type) > 0) {
                    b.dataPoint(new CounterDataPointSnapshot(s.blocks(type), Labels.of("key", s.domain, "type", type.type()), null, 0));
                }
            }
        }
        return b.build();
    }

    /** @param sums whether it says something of several keys together */
    private static MetricSnapshot gauge(String name, String help, List<KeyStats> keys, boolean sums, ToDoubleFunction<KeyStats> value) {
        GaugeSnapshot.Builder b = GaugeSnapshot.builder().name(name).help(help);
        for (KeyStats s : keys) {
            if (sums || !s.domain.equals(Board.OTHERS)) {
                b.dataPoint(new GaugeDataPointSnapshot(value.applyAsDouble(s), Labels.of("key", s.domain), null));
            }
        }
        return b.build();
    }

    private MetricSnapshot states() {
        GaugeSnapshot.Builder b = GaugeSnapshot.builder().name("tempolimit_keys").help("Keys that are remembered, by state.");
        for (Map.Entry<String, Integer> e : board.states().entrySet()) {
            b.dataPoint(new GaugeDataPointSnapshot(e.getValue(), Labels.of("state", e.getKey()), null));
        }
        return b.build();
    }

    private static MetricSnapshot single(String name, String help, double value) {
        return GaugeSnapshot.builder().name(name).help(help).dataPoint(new GaugeDataPointSnapshot(value, Labels.EMPTY, null)).build();
    }
}
