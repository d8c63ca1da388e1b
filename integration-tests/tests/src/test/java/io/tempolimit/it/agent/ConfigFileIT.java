package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings' file: looked at every 5 s, applied to those who sleep already, refused whole when it is faulty. */
class ConfigFileIT {
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void changes(int java) throws Exception {
        Path file = Source.folder().resolve("settings.json");
        write(file, "{ \"version\": \"1.0\", \"default_config\": { \"requests_per_second\": 0.02, \"burst_capacity\": 1, \"exclude\": [\"-private\"] } }");
        try (Server server = Server.start();
                Scraper scraper = Scraper.start(Jvm.scraper(java).agent("report=false,config=" + file), "UrlConnection")) {
            Server.Site site = server.site("127.42", Server.Script.status(200));
            assertEquals("200", scraper.get(site.url("/")));
            String sleeper = scraper.begin(site.url("/sleeper"));
            scraper.parked(sleeper);

            write(file, "{ \"version\": \"1.0\", \"default_config\": { \"requests_per_second\": 50, \"burst_capacity\": 2, \"exclude\": [\"-private\"] } }");
            assertEquals("200", scraper.join(sleeper, Duration.ofSeconds(30))); // else it would sleep for 50 s
            Wait.until("the change is told", scraper.fork, () -> scraper.fork.stderr()
                    .contains("config has changed: rate=50 (was 0.02), burst=2 (was 1)"));

            write(file, "{ \"version\": \"1.0\", \"default_config\": { \"requests_per_second\": 0.01, \"burst_capacity\": \"many\", \"exclude\": [\"-private\"] } }");
            Wait.until("the fault is told", scraper.fork, () -> scraper.fork.stderr().contains("refused"));
            String line = Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains("refused")).findFirst().orElseThrow();
            assertEquals(true, line.contains("burst_capacity") && line.contains("many") && line.contains("settings.json"), line);
            for (int i = 0; i < 5; i++) { // at 50 a second still: not one of the file's other new settings holds
                assertEquals("200", scraper.get(site.url("/after" + i)));
            }
            assertEquals(0, scraper.end());
        }
    }

    /** As an editor does: whole, at once. */
    private static void write(Path file, String text) throws Exception {
        Path part = Files.writeString(file.resolveSibling("part"), text);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
