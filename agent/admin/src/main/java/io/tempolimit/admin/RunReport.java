package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.watch.Periodic;
import io.tempolimit.watch.ReportPage;
import io.tempolimit.watch.StatsJson;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.io.StringWriter;

/**
 * {@code report=FILE.html}: once a second has an eye on the statistics, and at the end tells the run in one page. It needs neither
 * {@code admin.port} nor the JDK's web server.
 */
public final class RunReport extends Periodic implements ReportPage {
    private static final long TICK_MILLIS = 1_000;
    /** Each takes 2.4 KB of memory. */
    private static final int MOST_HISTORIES = 1_000;
    /** Each takes about 1.5 KB of the page. */
    private static final int MOST_LINES = 50;
    /** More than 5,000 hosts as a rule. The page itself, the lines, the blocks and the settings take less than the rest of 1 MB. */
    private static final int MOST_CHARS = 680_000;

    private final Limiter limiter;
    private final Watch watch;
    private final Board board;

    /** Begins to look. The last blocks are kept from then on. */
    public RunReport(Limiter limiter, Watch watch) {
        super("tempolimit-report", TICK_MILLIS, watch);
        this.limiter = limiter;
        this.watch = watch;
        this.board = Board.wholeRun(limiter, MOST_HISTORIES);
        watch.keepVerdicts();
        start();
    }

    @Override
    protected boolean act() {
        board.tick();
        return true;
    }

    @Override
    public String html() throws IOException {
        return Page.text("report.html").replace("/* data */", json());
    }

    /** Without any {@code <} that would end the element in which it stands. */
    private String json() throws IOException {
        StringWriter text = new StringWriter(1 << 16);
        JsonWriter w = new JsonWriter(text);
        w.setHtmlSafe(true);
        w.beginObject();
        w.name("ended").value(System.currentTimeMillis());
        Facts.writeProgram(w, (Settings) limiter.rules(), limiter, watch);
        w.name("excluded").value(limiter.leftOut());
        StatsJson.writeUnseen(w, limiter.unseen());
        Facts.writeVerdicts(w, watch, 0);
        board.writeReport(w, MOST_LINES, MOST_CHARS, () -> text.getBuffer().length());
        w.endObject();
        return text.toString();
    }
}
