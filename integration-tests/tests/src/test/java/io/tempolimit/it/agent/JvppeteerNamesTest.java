package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hooks of jvppeteer ask its objects by name. What they ask for is there in each version. */
class JvppeteerNamesTest {
    private static final String ROOT = "com.ruiyun.jvppeteer.";

    @Tag("versions")
    @ParameterizedTest
    @CsvSource({"1-oldest, core.page, options", "1-newest, core.page, options", "2-oldest, core, entities", "2-newest, core, entities",
        "3-oldest, api.core, cdp.entities", "3-newest, api.core, cdp.entities"})
    void areThere(String version, String objects, String options) throws IOException {
        boolean first = version.startsWith("1");
        URL[] jars = Source.jarsOf("jvppeteer-" + version).stream().map(JvppeteerNamesTest::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(jars, null)) {
            List<String> missing = new ArrayList<>();
            look(missing, loader, objects + ".Response", "request", "status", "fromCache", "headers");
            look(missing, loader, objects + ".Request", "redirectChain", "url");
            look(missing, loader, objects + ".Frame", "url", "content", first ? "getFrameManager" : "page");
            look(missing, loader, objects + ".Page", "mainFrame", "browserContext", "browser");
            look(missing, loader, options + ".LaunchOptions", "getArgs");
            if (first) {
                look(missing, loader, objects + ".FrameManager", "getPage");
            } else {
                look(missing, loader, options + ".BrowserContextOptions", "getProxyServer");
            }
            if (version.startsWith("3")) {
                look(missing, loader, options + ".HeaderEntry", "getName", "getValue");
            }
            assertEquals(List.of(), missing);
            String exception = ROOT + "exception." + (first ? "NavigateException" : "JvppeteerException");
            assertDoesNotThrow(() -> loader.loadClass(exception).getConstructor(String.class, Throwable.class));
        }
    }

    private static URL url(Path jar) {
        return assertDoesNotThrow(() -> jar.toUri().toURL());
    }

    private static void look(List<String> missing, ClassLoader loader, String type, String... methods) {
        Stream.of(methods).filter(method -> !has(loader, type, method)).forEach(method -> missing.add(type + "." + method));
    }

    private static boolean has(ClassLoader loader, String type, String method) {
        try {
            return loader.loadClass(ROOT + type).getMethod(method) != null;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
