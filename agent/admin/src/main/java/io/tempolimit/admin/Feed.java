package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.watch.StatsJson;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
        verdict = Facts.writeVerdicts(w, watch, verdict);
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
            w.name("acts").value(acts);
            Facts.writeProgram(w, settings, limiter, watch);
        }
        w.endObject();
        return text.append("\n\n").toString().getBytes(StandardCharsets.UTF_8);
    }
}
