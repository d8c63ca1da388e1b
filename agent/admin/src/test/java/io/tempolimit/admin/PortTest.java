package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A port that cannot be opened. */
class PortTest {
    private static final Path OPEN = Path.of("/proc/self/fd");

    /** The JDK's server keeps its channel, and the port is tried each second. */
    @Test
    void aPortThatIsTakenLeavesNoChannelOpen() throws Exception {
        assumeTrue(Files.isDirectory(OPEN), "needs Linux");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            Settings settings = Settings.load(new Sources("admin.port=" + port, Map.of(), Map.of()));
            assertThrows(IOException.class, () -> Port.open(port, settings, null, null, null, null));
            long before = sockets();
            for (int i = 0; i < 20; i++) {
                assertThrows(IOException.class, () -> Port.open(port, settings, null, null, null, null));
            }
            assertEquals(before, sockets());
        }
    }

    /** The advice was another port, also where no port of that host can be opened. */
    @Test
    void theAdviceIsAboutWhatIsWrong() {
        assertTrue(PortKeeper.trouble(9464, "127.0.0.1", "Address already in use").endsWith("; admin.port=0 takes a free port"));
        for (String elsewhere : new String[] {"192.0.2.1", "shop.invalid"}) {
            String advice = PortKeeper.trouble(9464, elsewhere, "there is no such host");
            assertTrue(advice.endsWith("; admin.host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0"), advice);
        }
    }

    private static long sockets() throws IOException {
        try (Stream<Path> all = Files.list(OPEN)) {
            return all.filter(PortTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) { // it is closed meanwhile
            return false;
        }
    }
}
