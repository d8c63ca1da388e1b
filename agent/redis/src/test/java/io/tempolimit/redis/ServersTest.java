package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
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

    private static int run(File program) throws Exception {
        return new ProcessBuilder(program.getPath(), "--version").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor();
    }
}
