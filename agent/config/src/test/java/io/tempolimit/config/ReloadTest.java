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
        write("\"events\":\"stderr\",\"events_max_size\":\"1KB\",\"log_level\":\"debug\",\"log_file\":\"y\",\"clients\":\"okhttp\",\"rate\":2");
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
}
