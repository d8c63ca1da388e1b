package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
    @TempDir
    Path folder;
    Path file;

    @BeforeEach
    void setUp() {
        file = folder.resolve("t.json");
    }

    private void write(String defaults) throws Exception {
        Files.writeString(file, "{\"default_config\":{" + defaults + "}}");
    }

    @Test
    void liveKeysApply() throws Exception {
        write("\"rate\":1");
        Settings first = Given.arguments("config=" + file + ",burst=7").load();
        write("\"rate\":2,\"burst\":9,\"enabled\":false,\"dry_run\":true,\"max_keys\":5,\"report\":false,\"exclude\":[\"example.org\"]");
        Settings second = first.reload();
        assertEquals(1, first.policy("example.com").limit().rate());
        assertEquals(2, second.policy("example.com").limit().rate());
        assertEquals(7, second.policy("example.com").limit().burst(), "an argument stays stronger");
        assertFalse(second.enabled());
        assertTrue(second.dryRun());
        assertEquals(5, second.maxKeys());
        assertFalse(second.report());
        assertEquals(null, second.policy("example.org"));
        assertEquals(List.of(), second.restartNeeded());
        write("");
        assertEquals(3, second.reload().policy("example.com").limit().rate(), "what is no longer there is the default again");
    }

    @Test
    void itGoesByContent() throws Exception {
        write("\"rate\":1");
        Settings first = Given.arguments("config=" + file).load();
        assertSame(first, first.reload());
        write("\"rate\":1");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertSame(first, first.reload());
        FileTime time = Files.getLastModifiedTime(file);
        write("\"rate\":2");
        Files.setLastModifiedTime(file, time);
        Settings second = first.reload();
        assertNotSame(first, second);
        assertSame(second, second.reload());
    }

    @Test
    void withoutAFileNothingChanges() throws Exception {
        Settings s = Given.nothing().load();
        assertSame(s, s.reload());
    }

    @Test
    void aFaultyVersionIsRefusedWhole() throws Exception {
        write("\"rate\":1");
        Settings first = Given.arguments("config=" + file).load();
        write("\"rate\":2,\"burst\":0");
        BadSettings e = assertThrows(BadSettings.class, first::reload);
        assertEquals(1, e.faults().size());
        assertEquals(1, first.policy("example.com").limit().rate());
        assertEquals(e.getMessage(), assertThrows(BadSettings.class, first::reload).getMessage());
        Files.delete(file);
        assertTrue(assertThrows(BadSettings.class, first::reload).getMessage().contains("no such file"));
        write("\"rate\":3");
        assertEquals(3, first.reload().policy("example.com").limit().rate());
        write("\"rate\":1");
        assertSame(first, first.reload());
    }

    @Test
    void someKeysNeedARestart() throws Exception {
        write("\"events\":\"stdout\",\"log_level\":\"debug\",\"rate\":1");
        Settings first = Given.arguments("config=" + file + ",log.file=x").load();
        write("\"events\":\"stderr\",\"events_max_size\":\"1KB\",\"log_level\":\"debug\",\"log_file\":\"y\","
                + "\"clients\":\"okhttp\",\"rate\":2");
        Settings second = first.reload();
        assertEquals(List.of("events", "events.max-size", "clients"), second.restartNeeded());
        assertEquals("stdout", second.events());
        assertEquals(100L << 20, second.eventsMaxSize());
        assertEquals("debug", second.logLevel());
        assertEquals("x", second.logFile());
        assertTrue(second.clientEnabled("apache5"));
        assertEquals(2, second.policy("example.com").limit().rate());
        write("\"rate\":4");
        Settings third = second.reload();
        assertEquals(List.of("events", "log.level"), third.restartNeeded());
        assertEquals("stdout", third.events());
        assertEquals("debug", third.logLevel());
        write("\"events\":\"stdout\",\"log_level\":\"debug\"");
        assertEquals(List.of(), third.reload().restartNeeded());
    }

    @Test
    void warningsAreThoseOfTheNewVersion() throws Exception {
        write("\"burst\":1000");
        Settings first = Given.arguments("config=" + file).load();
        assertEquals(1, first.warnings().size());
        write("\"burst\":10");
        assertEquals(List.of(), first.reload().warnings());
    }

    @Test
    void moreArgumentsReplaceWhatTheyNameAndNothingElse() throws Exception {
        Settings first = Given.arguments("rate=1,burst=2,domain.a.example.rate=4").withProperty("tempolimit.jitter", "0.5").load();
        Settings second = first.with("rate=9, domain.a.example.rate=5,jitter=0.1");
        assertEquals(9, second.policy("example.com").limit().rate());
        assertEquals(2, second.policy("example.com").limit().burst());
        assertEquals(5, second.policy("a.example").limit().rate());
        assertEquals(0.1, second.policy("example.com").jitter());
        assertEquals(List.of("rate=9 (was 1)", "jitter=0.1 (was 0.5)", "domain.a.example.rate=5 (was 4)"), second.changesFrom(first));
        assertEquals(List.of(), second.with("rate=9").changesFrom(second));
        assertEquals(2, second.with("rate=7").with("deny=x.example;y.example").policy("example.com").limit().burst());
    }

    @Test
    void moreArgumentsThatNeedARestartChangeNothing() throws Exception {
        write("\"rate\":2");
        Settings first = Given.arguments("events=stdout").load();
        Settings second = first.with("events=stderr,rate=5,config=" + file);
        assertEquals(List.of("config", "events"), second.restartNeeded());
        assertEquals("stdout", second.events());
        assertEquals(null, second.config());
        assertEquals(5, second.policy("example.com").limit().rate());
    }

    @Test
    void theFileIsReadAgainWithMoreArguments() throws Exception {
        write("\"rate\":2,\"burst\":7");
        Settings first = Given.arguments("config=" + file).load();
        write("\"rate\":3,\"burst\":8");
        Settings second = first.with("rate=5");
        assertEquals(5, second.policy("example.com").limit().rate());
        assertEquals(8, second.policy("example.com").limit().burst());
        assertSame(second, second.reload());
    }

    @Test
    void faultyArgumentsAreRefusedWhole() throws Exception {
        Settings first = Given.arguments("rate=1").load();
        BadSettings e = assertThrows(BadSettings.class, () -> first.with("rate=2,burst=0,rat=3"));
        assertEquals(2, e.faults().size());
        assertThrows(BadSettings.class, () -> first.with("nonsense"));
        assertThrows(BadSettings.class, () -> first.with("rate=2,rate=3"));
        assertEquals(1, first.policy("example.com").limit().rate());
    }

    /** "config has changed; its settings hold now" was all that anybody learnt. */
    @Test
    void aReloadSaysWhatIsAnotherOne() throws Exception {
        Files.writeString(file, "{\"default_config\":{\"rate\":1,\"events\":\"a\"},"
                + "\"domains\":{\"a.example\":{\"burst\":2},\"b.example\":{\"rate\":9}}}");
        Settings first = Given.arguments("config=" + file + ",admin.token=hunter2").load();
        Files.writeString(file, "{\"default_config\":{\"rate\":2,\"events\":\"b\"},\"domains\":{\"b.example\":{\"rate\":9,\"burst\":4}},"
                + "\"block_rules\":[{\"title\":\"Please wait\"}]}");
        Settings second = first.reload();
        assertEquals(List.of("rate=2 (was 1)", "domain.b.example.burst=4 (was not set)",
                "domain.a.example.burst is not set (was 2)", "block_rules: 1 (were 0)"),
                second.changesFrom(first));
        assertEquals(List.of("events"), second.restartNeeded());
        Files.writeString(file, Files.readString(file) + "\n");
        assertEquals(List.of(), second.reload().changesFrom(second));
    }

    @Test
    void blockRulesAreReadable() throws Exception {
        Files.writeString(file, "{\"block_rules\":[{\"title\":\"Please "
                + "wait\"},{\"type\":\"captcha\",\"hosts\":[\"*.example.org\",\"a.example\"],\"status\":[200,202],"
                + "\"body_contains\":[\"unusual traffic\"],\"header\":{\"x-deny\":\"*\"}}]}");
        assertEquals(List.of("soft_block; title Please wait",
                "captcha; hosts *.example.org or a.example; status 200 or 202; body_contains unusual traffic; header x-deny: *"),
                Given.arguments("config=" + file).load().blockRules());
    }
}
