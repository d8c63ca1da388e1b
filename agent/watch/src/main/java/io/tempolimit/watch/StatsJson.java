package io.tempolimit.watch;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The statistics as JSON, by the names of the contract. Stateless. Times are whole milliseconds. */
public final class StatsJson {
    private StatsJson() {
    }

    /** One key's. */
    static String of(Key key) {
        StringWriter text = new StringWriter(512);
        try {
            write(new JsonWriter(text), key.stats());
        } catch (IOException e) {
            throw new AssertionError(e); // a StringWriter has no I/O
        }
        return text.toString();
    }

    /** All there is. Its size is about 500 bytes a key. */
    static String of(Limiter limiter, Watch watch) {
        List<KeyStats> all = Watch.stats(limiter);
        Map<String, Integer> states = new TreeMap<>();
        for (KeyStats s : all) {
            Integer n = states.get(s.state);
            states.put(s.state, n == null ? 1 : n + 1);
        }
        StringWriter text = new StringWriter(512 + 512 * all.size());
        try {
            JsonWriter w = new JsonWriter(text);
            w.beginObject();
            w.name("version").value(watch.version());
            w.name("enabled").value(limiter.enabled());
            w.name("dry_run").value(limiter.dryRun());
            w.name("keys").value(all.size());
            w.name("keys_per_state").beginObject();
            for (Map.Entry<String, Integer> e : states.entrySet()) {
                w.name(e.getKey()).value(e.getValue());
            }
            w.endObject();
            w.name("evictions").value(limiter.evictions());
            w.name("excluded_requests").value(limiter.leftOut());
            writeUnseen(w, limiter.unseen());
            writeRedis(w, limiter.fleet());
            w.name("woven_clients").beginArray();
            for (WovenClient c : watch.wovenClients()) {
                w.beginObject().name("name").value(c.name).name("version").value(c.version).endObject();
            }
            w.endArray();
            w.name("domains").beginArray();
            for (KeyStats s : all) {
                write(w, s);
            }
            w.endArray().endObject();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }

    /** The requests that no woven client sends, as fields of the object that is being written. */
    public static void writeUnseen(JsonWriter w, Unseen unseen) throws IOException {
        w.name("unseen_requests").value(unseen.count());
        w.name("unseen").beginArray();
        for (Unseen.Host host : unseen.hosts()) {
            w.beginObject().name("host").value(host.name()).name("requests").value(host.requests()).name("by").value(host.by()).endObject();
        }
        w.endArray();
    }

    /** With whom limits are shared, as a field of the object that is being written; nothing if they are not. */
    public static void writeRedis(JsonWriter w, Fleet fleet) throws IOException {
        if (fleet != null) {
            String trouble = fleet.trouble();
            w.name("redis").beginObject().name("state").value(fleet.state().name().toLowerCase(Locale.ROOT))
                    .name("workers").value(Math.max(1, fleet.workers()));
            w.name("alone").value(!fleet.shared());
            if (trouble != null) {
                w.name("reason").value(trouble);
            }
            w.endObject();
        }
    }

    private static void write(JsonWriter w, KeyStats s) throws IOException {
        w.beginObject();
        w.name("domain").value(s.domain);
        w.name("state").value(s.state);
        w.name("total_requests").value(s.totalRequests);
        w.name("delayed_requests").value(s.delayedRequests);
        w.name("cancelled_requests").value(s.cancelledRequests);
        w.name("total_wait_time_ms").value(millis(s.totalWaitNanos));
        w.name("average_wait_time_ms").value(millis(s.averageWaitNanos()));
        w.name("delay_rate").value(rounded(s.delayRate(), 4));
        w.name("last_request_time").value(Json.time(s.lastRequestMillis));
        w.name("rejected_requests").value(s.rejectedRequests);
        w.name("rejection_rate_percent").value(rounded(s.rejectionRatePercent(), 2));
        w.name("failed_requests").value(s.failedRequests);
        w.name("overloads").value(s.overloads);
        w.name("answers").beginObject();
        for (int i = 0; i < s.answers.size(); i++) {
            w.name(String.valueOf(s.answers.status(i))).value(s.answers.count(i));
        }
        w.endObject();
        w.name("blocked_requests").value(s.blockedRequests());
        w.name("block_rate_percent").value(rounded(s.blockRatePercent(), 2));
        w.name("blocks_by_type").beginObject();
        for (Verdict type : Verdict.values()) {
            blocks(w, type, s.blocks(type));
        }
        w.endObject();
        w.name("consecutive_blocks").value(s.consecutiveBlocks);
        w.name("cooldowns").value(s.cooldowns);
        w.name("cooldown_time_ms").value(millis(s.cooldownNanos));
        w.name("cooldown_remaining_ms").value(millis(s.cooldownRemainingNanos));
        if (s.cooldownReason != null) {
            w.name("cooldown_reason").value(s.cooldownReason);
        }
        w.name("active_requests").value(s.activeRequests);
        w.name("active_streams").value(s.activeStreams);
        w.name("waiting_requests").value(s.waitingRequests);
        w.name("longest_wait_ms").value(millis(s.longestWaitNanos));
        w.name("rate").value(s.rate);
        w.name("burst").value(s.burst);
        if (s.learnedRate > 0) {
            w.name("learned_rate").value(rounded(s.learnedRate, 4));
        } else {
            w.name("learned_rate").nullValue();
        }
        if (s.learnedInFlight > 0) {
            w.name("learned_in_flight").value(s.learnedInFlight);
        }
        if (s.crawlDelayMillis > 0) {
            w.name("crawl_delay_ms").value(s.crawlDelayMillis);
        }
        w.name("tokens_available").value(rounded(s.tokensAvailable, 2));
        w.endObject();
    }

    /** Types that never occurred are left out: there will be many. */
    private static void blocks(JsonWriter w, Verdict type, long n) throws IOException {
        if (n > 0) {
            w.name(type.type()).value(n);
        }
    }

    private static long millis(long nanos) {
        return (nanos + 500_000) / 1_000_000;
    }

    private static double rounded(double v, int digits) {
        double scale = digits == 2 ? 100 : 10_000;
        return Math.round(v * scale) / scale;
    }
}
