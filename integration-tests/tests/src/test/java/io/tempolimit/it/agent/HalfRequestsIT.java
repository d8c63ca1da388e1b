package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of which the second half never comes do not keep others from the status page. */
class HalfRequestsIT {
    private static final Pattern PAGE = Pattern.compile("The status page is (http://127\\.0\\.0\\.1:(\\d+)/)");
    /** One after the other, eight at a time and five seconds each, they would take two minutes. */
    private static final int MANY = 200;

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void thePageAnswersBesideThem(int java) throws Exception {
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).agent("admin.port=0"), "UrlConnection")) {
            Wait.until("the page is there", scraper.fork, () -> PAGE.matcher(scraper.fork.stderr()).find());
            Matcher page = PAGE.matcher(scraper.fork.stderr());
            page.find();
            List<Socket> half = new ArrayList<>();
            try {
                for (int i = 0; i < MANY; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(page.group(2)));
                    half.add(socket);
                    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: local".getBytes(StandardCharsets.US_ASCII));
                }
                HttpURLConnection c = (HttpURLConnection) URI.create(page.group(1) + "stats.json").toURL().openConnection();
                c.setReadTimeout(30_000);
                assertEquals(200, c.getResponseCode());
            } finally {
                for (Socket socket : half) {
                    socket.close();
                }
            }
        }
    }
}
