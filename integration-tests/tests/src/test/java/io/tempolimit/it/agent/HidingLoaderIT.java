package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client in a class loader that hides what it does not know, the bridge too: it is left alone, with one warning, and works. */
class HidingLoaderIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({"8, ClassNotFoundException", "8, SecurityException", "17, ClassNotFoundException", "25, ClassNotFoundException",
        "25, SecurityException"})
    void aClientWhoseLoaderHidesTheBridgeIsLeftAlone(int java, String thrown) {
        Server.Site site = SERVER.site("127.82", Server.Script.status(200));
        List<Path> jars = Source.jarsOf("okhttp-3-newest");
        Path client = Source.compile(8, jars, """
                import okhttp3.*;
                public class Get implements java.util.function.Function<String, String> {
                    final OkHttpClient client = new OkHttpClient();
                    public String apply(String url) {
                        try (Response r = client.newCall(new Request.Builder().url(url).build()).execute()) {
                            return "" + r.code();
                        } catch (Exception e) {
                            return e.toString();
                        }
                    }
                }""");
        Path program = Source.compile(8, """
                import java.net.*;
                import java.util.*;
                import java.util.function.Function;
                public class Hiding extends URLClassLoader {
                    Hiding(URL[] urls) {
                        super(urls, null);
                    }
                    @Override
                    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                        if (name.contains("Tempolimit")) {
                            throw new %s(name);
                        }
                        return super.loadClass(name, resolve);
                    }
                    public static void main(String[] args) throws Exception {
                        List<URL> urls = new ArrayList<>();
                        for (String path : args[1].split(java.io.File.pathSeparator)) {
                            urls.add(new java.io.File(path).toURI().toURL());
                        }
                        Class<?> type = new Hiding(urls.toArray(new URL[0])).loadClass("Get");
                        Function<String, String> get = (Function<String, String>) type.newInstance();
                        System.out.println(get.apply(args[0]) + " " + get.apply(args[0]));
                        System.exit(0);
                    }
                }""".formatted(thrown));
        List<Path> path = new ArrayList<>(jars);
        path.add(client);
        String urls = path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        try (Fork fork = Jvm.on(java).agent(Jvm.ONE_TOKEN).classpath(program).main("Hiding", site.url("/"), urls).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("200 200\n", fork.stdout(), fork::stderr);
            List<String> warnings = Jvm.lines(fork.stderr()).stream().filter(l -> l.contains(" WARN ")).toList();
            assertEquals(2, warnings.size(), fork::stderr);
            assertTrue(warnings.get(1).contains(" WARN not paced: " + site.host() + ", by okhttp3."), fork::stderr);
            String warning = "OkHttp is not paced: its class loader, Hiding, hides java.lang.TempolimitBridge";
            assertTrue(warnings.get(0).contains(warning), fork::stderr);
        }
    }
}
