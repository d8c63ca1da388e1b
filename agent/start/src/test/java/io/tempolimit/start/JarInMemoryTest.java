package io.tempolimit.start;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

class JarInMemoryTest {
    private static byte[] jar(Map<String, byte[]> contents) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> e : contents.entrySet()) {
                ZipEntry entry = new ZipEntry(e.getKey());
                if (e.getKey().startsWith("stored")) {
                    CRC32 crc = new CRC32();
                    crc.update(e.getValue());
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(e.getValue().length);
                    entry.setCrc(crc.getValue());
                }
                entry.setExtra(new byte[] {1, 1, 2, 0, 7, 7}); // records are of different lengths
                out.putNextEntry(entry);
                out.write(e.getValue());
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void givesWhatWasPutIn() throws IOException {
        Random random = new Random(42);
        Map<String, byte[]> contents = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            byte[] content = new byte[random.nextInt(20_000)];
            random.nextBytes(content);
            Arrays.fill(content, 0, content.length / 2, (byte) i); // half of it is worth deflating
            contents.put((i % 3 == 0 ? "stored/" : "deflated/") + "a/B" + i + ".class", content);
        }
        contents.put("deflated/empty", new byte[0]);
        contents.put("stored/empty", new byte[0]);
        JarInMemory jar = new JarInMemory(jar(contents));
        for (Map.Entry<String, byte[]> e : contents.entrySet()) {
            assertArrayEquals(e.getValue(), jar.read(e.getKey()), e.getKey());
        }
        assertNull(jar.read("stored/a/B0"));
        assertNull(jar.read(""));
    }

    @Test
    void whatIsNoJarOrIsBrokenIsSaid() throws IOException {
        assertThrows(IOException.class, () -> new JarInMemory(new byte[0]));
        assertThrows(IOException.class, () -> new JarInMemory(new byte[4096]));
        Map<String, byte[]> contents = new TreeMap<>();
        byte[] content = new byte[10_000];
        new Random(1).nextBytes(content);
        Arrays.fill(content, 0, 5_000, (byte) 1);
        contents.put("a", content);
        byte[] bytes = jar(contents);
        Arrays.fill(bytes, 60, 400, (byte) 0xff);
        assertThrows(IOException.class, () -> new JarInMemory(bytes).read("a"));
    }
}
