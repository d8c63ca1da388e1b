package io.tempolimit.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... words) {
        out.reset();
        err.reset();
        return new Commands(new PrintStream(out), new PrintStream(err), "0.2").run(words);
    }

    private List<String> out() {
        return out.toString().lines().toList();
    }

    private List<String> err() {
        return err.toString().lines().toList();
    }

    /** It printed 141 lines. */
    @Test
    void anUnknownCommandIsThreeLinesWithTheNearestName() {
        assertEquals(2, run("statsu", "4711"));
        assertEquals(List.of("There is no command statsu. Did you mean status?",
                "Commands: attach, status, check, judge, account, help, version",
                "java -jar tempolimit-agent.jar help says what they do."), err());
        assertEquals(List.of(), out());
        assertEquals(2, run("xyzzyplugh"));
        assertEquals("There is no command xyzzyplugh.", err().get(0));
    }

    /** It printed all of the help. */
    @Test
    void helpOfASettingPrintsThat() {
        assertEquals(0, run("help", "rate"));
        assertTrue(out().get(0).startsWith("rate   "), out::toString);
        assertTrue(out().size() < 12, out::toString);
        assertEquals(0, run("help", "status"));
        assertTrue(out().get(0).startsWith("usage: java -jar tempolimit-agent.jar status "), out::toString);
        assertEquals(2, run("help", "brust"));
        assertEquals(List.of("There is no command and no setting brust. Did you mean burst?"), err());
    }

    /** It said "no = after the key". */
    @Test
    void anUnknownOptionMeetsTheNearest() {
        assertEquals(2, run("check", "--conect", "rate=1"));
        assertEquals(List.of("check: no such option: --conect. Did you mean --connect?"), err());
        assertEquals(List.of(), out());
    }

    /** It said that there is no such option, and not how a setting is written. */
    @Test
    void aSettingWithHyphensMeetsTheSetting() {
        assertEquals(1, run("check", "--rate=1"));
        assertTrue(err().get(0).startsWith("[tempolimit] agent arguments: --rate=1: unknown key, did you mean rate? "), err().get(0));
    }

    /** It was silent, and the events went nowhere. */
    @Test
    void checkLooksForTheFoldersOfFiles(@TempDir Path folder) {
        assertEquals(0, run("check", "events=" + folder + "/no/x", "log.file=" + folder + "/x"));
        assertEquals(List.of("[tempolimit] warning: events=" + folder + "/no/x (agent arguments): there is no folder " + folder + "/no"),
                err());
    }

    /** It said nothing, and the program that ran with them warned. */
    @Test
    void checkLooksWhetherFilesAreFolders(@TempDir Path folder) {
        assertEquals(0, run("check", "state=" + folder, "report=" + folder + "/"));
        assertEquals(List.of("[tempolimit] warning: state=" + folder + " (agent arguments): that is a folder, and no file",
                "[tempolimit] warning: report=" + folder + "/ (agent arguments): that is a folder, and no file"), err());
    }

    /** It printed all settings, and the commands had left the screen. */
    @Test
    void withoutACommandItFitsTheScreen() {
        assertEquals(0, run());
        assertTrue(out().size() <= 24, out()::toString);
        assertTrue(out().contains("  status PID [--json] [--watch]"), out()::toString);
        assertEquals("help lists every setting, and help rate explains one.", out().get(out().size() - 1));
    }

    @Test
    void helpFits80Columns() {
        for (String topic : new String[] {"", "attach", "status", "check", "judge", "account", "domain", "clients"}) {
            assertEquals(0, topic.isEmpty() ? run("help") : run("help", topic));
            for (String line : out()) {
                assertTrue(line.length() <= 80, line);
            }
        }
    }

    /** It showed block rules nowhere, and what somebody had set among sixty defaults. */
    @Test
    void checkPrintsFirstWhatIsNotTheDefault(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("t.json"),
                "{\"domains\":{\"a.example\":{\"rate\":1}},\"block_rules\":[{\"title\":\"Please wait\"}]}");
        assertEquals(0, run("check", "burst=7", "config=" + file));
        List<String> keys = out().stream().map(l -> l.split(" ")[0]).toList();
        assertEquals(List.of("config", "burst", "domain.a.example.rate", "block_rules[0]", "enabled"), keys.subList(0, 5));
        assertTrue(out().get(3).endsWith("  soft_block; title Please wait"), out().get(3));
        assertTrue(out().subList(4, out().size()).stream().allMatch(l -> l.endsWith("  default")), out::toString);
    }
}
