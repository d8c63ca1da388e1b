package io.tempolimit.weave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which writes the bridge has looked at. It is of {@code java.lang}, so a copy of another name is tested. */
class BeginsTest {
    private static final Class<?> BRIDGE = copy();
    private static final String HEAD = "GET /index HTTP/1.1\r\nHost: shop.example\r\n\r\n";

    private static Class<?> copy() {
        try (InputStream in = ClassLoader.getSystemResourceAsStream("java/lang/TempolimitBridge.class")) {
            ClassWriter renamed = new ClassWriter(0);
            new ClassReader(in.readAllBytes()).accept(new ClassRemapper(renamed,
                    new SimpleRemapper("java/lang/TempolimitBridge", "copy/TempolimitBridge")), 0);
            byte[] bytes = renamed.toByteArray();
            return new ClassLoader() {
                Class<?> define() {
                    return defineClass("copy.TempolimitBridge", bytes, 0, bytes.length);
                }
            }.define();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean begins(Object bytes, int from, int length) {
        Class<?> type = bytes instanceof ByteBuffer[] ? ByteBuffer[].class : byte[].class;
        try {
            Method begins = BRIDGE.getMethod("begins", type, int.class, int.class);
            return (Boolean) begins.invoke(null, bytes, from, length);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean begins(ByteBuffer bytes) {
        try {
            return (Boolean) BRIDGE.getMethod("begins", ByteBuffer.class).invoke(null, bytes);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean all(String text) {
        byte[] b = bytes(text);
        boolean array = begins(b, 0, b.length);
        byte[] within = bytes("GET " + text + "GET ");
        assertEquals(array, begins(within, 4, b.length), text);
        assertEquals(array, begins(ByteBuffer.wrap(b)), text);
        assertEquals(array, begins(ByteBuffer.allocateDirect(b.length).put(b).flip()), text);
        assertEquals(array, begins(new ByteBuffer[] {null, ByteBuffer.allocate(0), ByteBuffer.wrap(b)}, 0, 3), text);
        return array;
    }

    @ParameterizedTest
    @ValueSource(strings = {HEAD, "POST http://shop.example/ HTTP/1.0\r\n", "OPTIONS * HTTP/1.1\r\n", "VERSION-CONTROL /a HTTP/1.1\r\n",
        "PRI * HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\n", "GET HTTP://shop.example/ HTTP/1.1\r\n"})
    void whatMayBeginARequest(String text) {
        assertEquals(!text.startsWith("VERSION-CONTROL"), all(text), "no method that is in use has more than 14 letters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /", "GET / HTTP/1.1\n", "get / HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nServer: a\r\n",
        "GET ftp://a HTTP/1.1",
        "GET  / HTTP/1.1\r\n\r\n", "ABCDEFGHIJKLMNOPQ / HTTP/1.1\r\n", "A / HTTP/1.1 and more", "<!DOCTYPE html><html>",
        "\u0016\u0003\u0001abcdefghijklmnop"})
    void whatDoesNot(String text) {
        assertFalse(all(text), text);
    }

    @Test
    void argumentsThatTheMethodItselfWillRefuse() {
        byte[] head = bytes(HEAD);
        assertFalse(begins((byte[]) null, 0, 20));
        assertFalse(begins(head, -1, 20));
        assertFalse(begins(head, head.length - 5, 20));
        assertFalse(begins(head, 0, -1));
        assertFalse(begins(head, Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertFalse(begins((ByteBuffer[]) null, 0, 1));
        assertFalse(begins(new ByteBuffer[1], 0, 2));
        assertFalse(begins(new ByteBuffer[] {ByteBuffer.wrap(head)}, -1, 1));
        assertFalse(begins((ByteBuffer) null));
    }

    /** A buffer does not move, whatever is in it, and nothing is thrown. */
    @Test
    void anyBytes() {
        Random random = new Random(16);
        for (int i = 0; i < 20_000; i++) {
            byte[] b = new byte[random.nextInt(40)];
            for (int k = 0; k < b.length; k++) {
                b[k] = (byte) "GET /h*A-".charAt(random.nextInt(9));
            }
            ByteBuffer buffer = ByteBuffer.wrap(b);
            boolean is = begins(buffer);
            assertEquals(0, buffer.position());
            assertEquals(is, begins(b, 0, b.length));
            assertTrue(!is || b.length >= 16);
        }
    }
}
