package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.core.Limiter;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.watch.LastVerdicts;
import io.tempolimit.watch.StatsJson;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * One page that is open: is told of everything first, and then once a second of what changed, if only that nothing did:
 * so it is noticed when it is gone. On a thread of its own, since it may not read.
 */
final class Feed implements Runnable {
    private final Reply reply;
    private final Patience patience;
    private final Board board;
    private final Limiter limiter;
    private final Watch watch;
    private final boolean acts;

    private long look;
    private long verdict;
    private List<Object> told;

    /** @param acts whether its actions can succeed */
    Feed(Reply reply, Patience patience, Board board, Limiter limiter, Watch watch, boolean acts) {
        this.reply = reply;
        this.patience = patience;
        this.board = board;
        this.limiter = limiter;
        this.watch = watch;
        this.acts = acts;
    }

    @Override
    public void run() {
        try {
            board.join();
            patience.begin();
            reply.begin("text/event-stream");
            for (;;) {
                byte[] news = news();
                patience.begin();
                reply.write(news);
                patience.end();
                board.await(look);
            }
        } catch (IOException | InterruptedException e) {
            // the page was closed, or does not read
        } finally {
            patience.end();
            board.leave();
            reply.close();
        }
    }

    private byte[] news() throws IOException {
        StringWriter text = new StringWriter(4096);
        text.append("data: ");
        JsonWriter w = new JsonWriter(text);
        w.beginObject();
        look = board.write(w, look);
        w.name("excluded").value(limiter.leftOut());
        StatsJson.writeUnseen(w, limiter.unseen());
        w.name("verdicts").beginArray();
        for (LastVerdicts.Seen seen : watch.verdicts().from(verdict)) {
            verdict = seen.number + 1;
            write(w, seen);
        }
        w.endArray();
        Settings settings = (Settings) limiter.rules();
        List<Object> now = new ArrayList<>();
        now.add(settings);
        now.add(limiter.enabled());
        now.add(limiter.dryRun());
        now.add(limiter.evictions());
        Fleet fleet = limiter.fleet();
        now.add(fleet == null ? null : fleet.state());
        now.add(fleet == null ? null : fleet.shared());
        now.add(fleet == null ? null : fleet.trouble());
        now.add(fleet == null ? null : fleet.workers());
        now.add(watch.woven());
        now.add(watch.unpaced());
        if (!now.equals(told)) {
            told = now;
            writeRest(w, settings);
        }
        w.endObject();
        return text.append("\n\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonWriter w, LastVerdicts.Seen seen) throws IOException {
        w.beginObject();
        w.name("time").value(seen.time);
        w.name("key").value(seen.key);
        w.name("url").value(seen.url);
        w.name("type").value(seen.finding.verdict().type());
        w.name("counts").value(seen.counts);
        w.name("consecutive").value(seen.consecutive);
        w.name("status").value(seen.finding.status());
        w.name("vendor").value(seen.finding.vendor());
        w.name("rule").value(seen.finding.rule());
        w.name("evidence").value(seen.finding.evidence());
        w.endObject();
    }

    private void writeRest(JsonWriter w, Settings settings) throws IOException {
        w.name("version").value(watch.version());
        w.name("java").value(System.getProperty("java.version"));
        w.name("program").value(program());
        w.name("acts").value(acts);
        w.name("enabled").value(limiter.enabled());
        w.name("dry_run").value(limiter.dryRun());
        w.name("max_keys").value(settings.maxKeys());
        w.name("evictions").value(limiter.evictions());
        StatsJson.writeRedis(w, limiter.fleet());
        strings(w.name("clients"), watch.woven());
        strings(w.name("not_paced"), watch.unpaced().keySet());
        w.name("settings").beginArray();
        for (Setting s : settings.describe()) {
            w.beginArray().value(s.key()).value(s.value()).value(s.source()).endArray();
        }
        w.endArray();
    }

    private static void strings(JsonWriter w, Collection<String> all) throws IOException {
        w.beginArray();
        for (String s : all) {
            w.value(s);
        }
        w.endArray();
    }

    /** The main class or the jar's file name, and nothing of the arguments, which may be secrets. */
    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        String first = end < 0 ? command : command.substring(0, end);
        return first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
    }
}
