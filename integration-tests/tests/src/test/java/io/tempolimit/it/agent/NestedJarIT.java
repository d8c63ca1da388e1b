package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Spring Boot jar: the clients are in jars within the jar, read by Spring Boot's own loader. */
class NestedJarIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({"8, 2, org.springframework.boot.loader.JarLauncher", "17, 3, org.springframework.boot.loader.launch.JarLauncher",
        "25, 3, org.springframework.boot.loader.launch.JarLauncher"})
    void clientsWithin(int java, int loader, String launcher) {
        List<Path> clients = new ArrayList<>(Source.jarsOf("okhttp-3-newest"));
        clients.addAll(Source.jarsOf("apache-5-newest"));
        Path app = Source.compile(8, clients, """
                package shop;
                import okhttp3.*;
                import org.apache.hc.client5.http.classic.methods.HttpGet;
                import org.apache.hc.client5.http.impl.classic.*;
                public class App {
                    public static void main(String[] args) throws Exception {
                        if (App.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
                            throw new IllegalStateException("not nested");
                        }
                        OkHttpClient ok = new OkHttpClient();
                        CloseableHttpClient apache = HttpClients.createDefault();
                        for (int i = 0; i < 2; i++) {
                            try (Response response = ok.newCall(new Request.Builder().url(args[0]).build()).execute()) {
                                System.out.println(response.code());
                            } catch (Exception e) {
                                System.out.println(e.getClass().getName());
                            }
                        }
                        for (int i = 0; i < 2; i++) {
                            try (CloseableHttpResponse response = apache.execute(new HttpGet(args[1]))) {
                                System.out.println(response.getCode());
                            } catch (Exception e) {
                                System.out.println(e.getClass().getName());
                            }
                        }
                        System.exit(0); // OkHttp's threads would keep it for a minute
                    }
                }""");
        Path jar = Source.jar(Source.folder().resolve("boot.jar"), Map.of("Main-Class", launcher, "Start-Class", "shop.App",
                "Spring-Boot-Classes", "BOOT-INF/classes/", "Spring-Boot-Lib", "BOOT-INF/lib/"),
                Map.of("BOOT-INF/classes/", app, "", unpacked(loader)), clients);
        Server.Site one = SERVER.site("127.36", Server.Script.status(200));
        Server.Site two = SERVER.site("127.36", Server.Script.status(200));
        try (Fork fork = Jvm.on(java).agent(Jvm.ONE_TOKEN).jar(jar, one.url("/"), two.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            String expected = "200\nio.tempolimit.RequestRejectedException\n";
            assertEquals(expected + expected, fork.stdout(), fork::stderr);
        }
    }

    /** Spring Boot's loader of this generation, which Maven leaves in {@code target/spring-boot-loader}. */
    private static Path unpacked(int generation) {
        Path folder = Source.folder();
        try (Stream<Path> files = Files.list(Path.of("target", "spring-boot-loader"))) {
            Path jar = files.filter(f -> f.getFileName().toString().startsWith("spring-boot-loader-" + generation + ".")).findFirst()
                    .orElseThrow();
            try (JarFile loader = new JarFile(jar.toFile())) {
                for (Enumeration<JarEntry> entries = loader.entries(); entries.hasMoreElements(); ) {
                    JarEntry entry = entries.nextElement();
                    if (entry.getName().endsWith(".class") || entry.getName().startsWith("META-INF/services/") && !entry.isDirectory()) {
                        Path file = folder.resolve(entry.getName());
                        Files.createDirectories(file.getParent());
                        try (InputStream in = loader.getInputStream(entry)) {
                            Files.copy(in, file);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("mvn -DskipTests package brings it", e);
        }
        return folder;
    }
}
