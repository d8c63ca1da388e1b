package io.tempolimit.attach;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** The agent's statistics at one moment, as far as they are shown. What an agent of another version does not say stays zero. */
final class Snapshot {
    String version = "";
    boolean enabled;
    boolean dryRun;
    /** {@code shared} or {@code alone}; null if limits are not shared. */
    String redis;
    /** Why that does not decide; null if nothing is known. */
    String trouble;
    /** Whether this JVM goes by itself meanwhile. */
    boolean alone;
    long workers;
    /** Requests that the settings left out. */
    long excluded;
    /** Requests that no woven client has sent. */
    long unseenRequests;
    final List<Unseen> unseen = new ArrayList<>();
    final List<String> woven = new ArrayList<>();
    final List<Row> rows = new ArrayList<>();

    /** Those to one host. */
    static final class Unseen {
        String host = "";
        String by = "";
        long requests;
    }

    /** One key's. */
    static final class Row {
        String key = "";
        String state = "";
        String reason;
        long remainingMillis;
        double rate;
        double learnedRate;
        int learnedInFlight;
        long waiting;
        long delayed;
        long averageWaitMillis;
        long requests;
        long blocked;
        long rejected;
        long failed;
        long overloads;

        /** Whether requests of it do not simply go by the bucket. */
        boolean cooling() {
            return !state.equals("open");
        }
    }

    /** @throws IllegalArgumentException if this is no such answer, with a sentence for the user */
    static Snapshot of(String json) {
        Snapshot s = new Snapshot();
        try (JsonReader in = new JsonReader(new StringReader(json))) {
            in.beginObject();
            while (in.hasNext()) {
                switch (in.nextName()) {
                    case "version": s.version = text(in); break;
                    case "enabled": s.enabled = in.nextBoolean(); break;
                    case "dry_run": s.dryRun = in.nextBoolean(); break;
                    case "woven_clients": s.readWoven(in); break;
                    case "excluded_requests": s.excluded = in.nextLong(); break;
                    case "unseen_requests": s.unseenRequests = in.nextLong(); break;
                    case "unseen": s.readUnseen(in); break;
                    case "redis": s.readRedis(in); break;
                    case "domains": s.readRows(in); break;
                    default: in.skipValue();
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("the agent's answer cannot be read: " + e.getMessage(), e);
        }
        return s;
    }

    private void readRedis(JsonReader in) throws IOException {
        in.beginObject();
        while (in.hasNext()) {
            switch (in.nextName()) {
                case "state": redis = text(in); break;
                case "reason": trouble = text(in); break;
                case "alone": alone = in.nextBoolean(); break;
                case "workers": workers = in.nextLong(); break;
                default: in.skipValue();
            }
        }
        in.endObject();
    }

    private void readWoven(JsonReader in) throws IOException {
        in.beginArray();
        while (in.hasNext()) {
            String name = "";
            String version = null;
            in.beginObject();
            while (in.hasNext()) {
                switch (in.nextName()) {
                    case "name": name = text(in); break;
                    case "version": version = text(in); break;
                    default: in.skipValue();
                }
            }
            in.endObject();
            woven.add(version == null ? name : name + " " + version);
        }
        in.endArray();
    }

    private void readUnseen(JsonReader in) throws IOException {
        in.beginArray();
        while (in.hasNext()) {
            Unseen one = new Unseen();
            in.beginObject();
            while (in.hasNext()) {
                switch (in.nextName()) {
                    case "host": one.host = text(in); break;
                    case "by": one.by = text(in); break;
                    case "requests": one.requests = in.nextLong(); break;
                    default: in.skipValue();
                }
            }
            in.endObject();
            unseen.add(one);
        }
        in.endArray();
    }

    private void readRows(JsonReader in) throws IOException {
        in.beginArray();
        while (in.hasNext()) {
            rows.add(row(in));
        }
        in.endArray();
    }

    private static Row row(JsonReader in) throws IOException {
        Row r = new Row();
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            if (in.peek() == JsonToken.NULL) {
                in.nextNull();
                continue;
            }
            switch (name) {
                case "domain": r.key = in.nextString(); break;
                case "state": r.state = in.nextString(); break;
                case "cooldown_reason": r.reason = in.nextString(); break;
                case "cooldown_remaining_ms": r.remainingMillis = in.nextLong(); break;
                case "rate": r.rate = in.nextDouble(); break;
                case "learned_rate": r.learnedRate = in.nextDouble(); break;
                case "learned_in_flight": r.learnedInFlight = in.nextInt(); break;
                case "waiting_requests": r.waiting = in.nextLong(); break;
                case "delayed_requests": r.delayed = in.nextLong(); break;
                case "average_wait_time_ms": r.averageWaitMillis = in.nextLong(); break;
                case "total_requests": r.requests = in.nextLong(); break;
                case "blocked_requests": r.blocked = in.nextLong(); break;
                case "rejected_requests": r.rejected = in.nextLong(); break;
                case "failed_requests": r.failed = in.nextLong(); break;
                case "overloads": r.overloads = in.nextLong(); break;
                default: in.skipValue();
            }
        }
        in.endObject();
        return r;
    }

    private static String text(JsonReader in) throws IOException {
        if (in.peek() == JsonToken.NULL) {
            in.nextNull();
            return null;
        }
        return in.nextString();
    }
}
