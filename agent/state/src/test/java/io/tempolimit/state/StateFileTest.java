package io.tempolimit.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFileTest {
    @TempDir
    Path folder;
    private Path file;
    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void name() {
        file = folder.resolve("state.json");
    }

    private static Limiter limiter() {
        Policy policy = new Policy.Builder().cooldownThreshold(1).build();
        return new Limiter(Clock.SYSTEM, new Seeded(), new TestRules(host -> policy, true, false, 100, Long.MAX_VALUE), Listener.NONE);
    }

    private static void block(Limiter limiter, String host) throws IOException {
        limiter.arrive(new TestTarget(host, "/secret-path")).answered(429);
    }

    private StateFile open(Limiter limiter) throws IOException {
        return StateFile.open(file.toString(), limiter, warnings::add);
    }

    @Test
    void theNextRunKnowsWhatThisOneKnew() throws Exception {
        Limiter limiter = limiter();
        try (StateFile state = open(limiter)) {
            block(limiter, "a.example");
        }
        Limiter next = limiter();
        try (StateFile state = open(next)) {
            assertEquals(limiter.remembered().keySet(), next.remembered().keySet());
            assertEquals("1", next.remembered().get("a.example").circuit().substring(0, 1), "it rests");
        }
        assertEquals(List.of(), warnings);
        assertFalse(Files.readString(file).contains("secret"), "a path is in it");
    }

    @Test
    void itIsWrittenOnlyWhenSomethingHasChanged() throws Exception {
        Limiter limiter = limiter();
        try (StateFile state = open(limiter)) {
            block(limiter, "a.example");
            state.write();
            Object before = Files.readAttributes(file, "unix:ino").get("ino");
            state.write();
            assertEquals(before, Files.readAttributes(file, "unix:ino").get("ino"));
            limiter.key("a.example").reset();
            state.write();
            assertFalse(Files.readString(file).contains("circuit"), "the reset is not in it");
        }
    }

    @Test
    void aSecondOneGoesWithout() throws Exception {
        try (StateFile state = open(limiter())) {
            IOException e = assertThrows(IOException.class, () -> open(limiter()));
            assertEquals("another JVM uses it", e.getMessage());
        }
        open(limiter()).close();
    }

    @Test
    void theOwnerAloneCanReadIt() throws Exception {
        open(limiter()).close();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("state.json.lock"))));
    }

    /** On a full disk it would keep the room that is wanting. */
    @Test
    void whatCannotBeWrittenLeavesNothingBehind() throws Exception {
        Limiter limiter = limiter();
        StateFile state = open(limiter);
        state.write();
        Files.delete(file);
        Files.createDirectories(file.resolve("full"));
        block(limiter, "a.example");
        assertThrows(IOException.class, state::write);
        assertFalse(Files.exists(Path.of(file + ".new")));
        Files.delete(file.resolve("full"));
        Files.delete(file);
        state.close();
        assertTrue(Files.readString(file).contains("a.example"));
    }

    @Test
    void aHalfWrittenNewOneIsNoMatter() throws Exception {
        Limiter limiter = limiter();
        try (StateFile state = open(limiter)) {
            block(limiter, "a.example");
        }
        byte[] whole = Files.readAllBytes(file);
        Files.writeString(folder.resolve("state.json.new"), "{\"version\":1,\"ke"); // its JVM was killed
        Limiter next = limiter();
        try (StateFile state = open(next)) {
            assertEquals(1, next.remembered().size());
        }
        assertTrue(whole.length > 50);
        assertEquals(List.of(), warnings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[]", "{", "{\"version\":2,\"keys\":[]}",
        "{\"keys\":[{\"key\":1,\"time\":\"x\"}]}", "{\"keys\":[{\"key\":[]}]}", "{\"keys\":{}}",
        "{\"version\":1,\"keys\":[]}}", "\0\0\0\0"})
    void whatIsNoStateIsPutAsideAndNotLost(String content) throws Exception {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        Files.write(file, bytes);
        open(limiter()).close();
        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).startsWith(file + " cannot be read ("), warnings.get(0));
        assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("state.json.bad")));
        open(limiter()).close();
        assertEquals(1, warnings.size(), "the new one is good");
    }

    @Test
    void whatALaterVersionMayAddIsSkipped() throws Exception {
        Files.writeString(file, "{\"version\":1,\"more\":{\"a\":[1]},\"keys\":[{\"key\":\"a.example\",\"time\":"
                + System.currentTimeMillis() + ",\"new\":[{}]}]}");
        Limiter limiter = limiter();
        open(limiter).close();
        assertEquals(1, limiter.remembered().size());
        assertEquals(List.of(), warnings);
    }

    /** Before the first is written, a program may run for a while: that it cannot be is said at once. */
    @Test
    void aFolderThatCannotBeWrittenIsSaid() throws Exception {
        open(limiter()).close();
        Files.createDirectories(Path.of(file + ".new").resolve("full")); // root may write into any other folder
        assertThrows(IOException.class, () -> open(limiter()));
    }

    /** To read from a pipe would wait for ever. */
    @Test
    void whatIsNoFileIsNotRead() throws Exception {
        Files.createDirectory(file);
        assertEquals("it is no file", assertThrows(IOException.class, () -> open(limiter())).getMessage());
    }

    @Test
    void whatTheHeapCannotTakeIsPutAsideUnread() throws Exception {
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(Runtime.getRuntime().maxMemory() / 4 + 1); // of nothing: it takes no room
        }
        open(limiter()).close();
        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).contains("do not fit into this heap"), warnings.get(0));
        assertTrue(Files.exists(folder.resolve("state.json.bad")));
    }

    @Test
    void aFolderThatIsNotThereIsSaid() {
        file = folder.resolve("no/such/state.json");
        assertThrows(IOException.class, () -> open(limiter()));
    }
}
