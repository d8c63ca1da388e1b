package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import redis.embedded.core.ExecutableProvider;

class ServersTest {
    /** As it is when another test's process begins while the library writes the file. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatIsOpenElsewhereKeepsNoServerFromStarting() throws Exception {
        File binary = ExecutableProvider.newJarResourceProvider().get();
        try (FileOutputStream open = new FileOutputStream(binary, true)) {
            assertThrows(IOException.class, () -> run(binary));
            assertEquals(0, run(Servers.copied(binary)));
        }
    }

    /** While it is down, too: "Address already in use" was a connection that some other test had made meanwhile. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void noConnectionGetsTheServersPort() throws IOException {
        String[] range = Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range")).trim().split("\\s+");
        int first = Integer.parseInt(range[0]);
        assumeTrue(first >= 32_768, () -> "this machine gives connections the ports from " + first + " on");
        for (int i = 0; i < 20; i++) {
            int port = Server.freePort();
            assertTrue(port + 10_000 < first, () -> port + " and its bus are below " + first);
        }
    }

    private static int run(File program) throws Exception {
        return new ProcessBuilder(program.getPath(), "--version").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor();
    }
}
