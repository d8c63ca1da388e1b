package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page that {@code report=FILE.html} leaves, in a real browser. */
class ReportPageIT {
    private static final Server SERVER = Server.start();
    @RegisterExtension
    static final Viewer viewer = new Viewer();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** {@code report=FILE.html}, opened by a double click. */
    @Test
    void theReportShowsTheWholeRun() throws Exception {
        Path file = Source.folder().resolve("crawl.html");
        Server.Site good = SERVER.site("127.55", Server.Script.status(200));
        Server.Site bad = SERVER.site("127.55", Server.Script.status(403));
        String settings = "exclude=-private,user-agent.check=off,cooldown.threshold=2,cooldown.duration=1h,learn=false,report=" + file;
        try (Fork fork = Jvm.on(8).agent(settings).classpath(AdminProgram.CLASSES).main("Asker").start()) {
            for (int i = 0; i < 8; i++) {
                assertEquals("200", fork.ask("get " + good.url("/"), Jvm.LONG));
            }
            for (int i = 0; i < 2; i++) {
                fork.ask("get " + bad.url("/"), Jvm.LONG);
            }
            fork.endInput();
            assertEquals(0, fork.exit(Jvm.LONG));
        }
        viewer.size(1280, 900);
        viewer.scheme("light");
        viewer.open(file.toUri().toString());
        assertEquals(bad.host() + "," + good.host(), viewer.js("[...document.querySelectorAll('#lines .name')].map(e => e.textContent)"));
        assertEquals("10", viewer.js("document.getElementById('t-total').firstChild.textContent"));
        assertEquals("true", viewer.js("document.querySelector('#lines .blocks').getAttribute('d').startsWith('M')"));
        assertEquals("true", viewer.js("document.querySelector('#run .requests').getAttribute('d').startsWith('M')"));
        assertEquals(bad.host(), viewer.text("#hosts td"));
        assertEquals("cooldown", viewer.text("#hosts tr td:last-child"));
        assertTrue(viewer.text("#verdicts").contains("403 Forbidden"), viewer.text("#verdicts"));
        assertTrue(viewer.text("#settings").contains("cooldown.threshold"));
        // a program that got no CPU for three slots had a bar and two gaps, as if nothing had been sent
        assertEquals("1,3,2,1,1,1", viewer.js("reach({ span_ms: [5000, 15000, 0, 0, 5000, 0] })"));
        viewer.click("#titles th:first-child button");
        for (String scheme : List.of("light", "dark")) {
            for (int width : new int[] {1280, 360}) {
                viewer.scheme(scheme);
                viewer.size(width, 1200);
                viewer.until("innerWidth === " + width);
                assertEquals("true", viewer.js("document.documentElement.scrollWidth <= innerWidth"), width + " wide");
                viewer.picture("report-" + scheme + "-" + width + ".png");
                assertEquals("", viewer.lowContrast(), scheme + " " + width);
            }
        }
    }
}
