package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserAgentsTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "bot", "my-bot/1.0", "My Crawler", "spider", "price scraper 2", "curl/8.4.0",
        "Wget/1.21.4", "python-requests/2.31.0", "PostmanRuntime/7.36.0",
        "postman", "insomnia/8.4.5", "HTTPie/3.2.2", "Mozilla/5.0 (compatible; bot/1.0)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bot/1.0) Chrome/120.0.0.0 Safari/537.36",
        "Java/1.8.0_392", "Java/17.0.9", "Java-http-client/17.0.9", "okhttp/4.12.0", "okhttp/5.0.0-alpha.14",
        "Apache-HttpClient/4.5.14 (Java/1.8.0_392)", "Apache-HttpClient/5.2.1 (Java/17.0.9)",
        "Apache-HttpAsyncClient/4.1.5 (Java/17)", "AHC/2.1", "Jetty/12.0.5", "ReactorNetty/1.1.13", "Vert.x-WebClient/4.5.1",
        "armeria/1.40.0", "Helidon 4.5.0", "Helidon/3.2.11", "pekko-http/1.3.0", "akka-http/10.2.10"})
    void areRefusedAtSight(String userAgent) {
        assertNotNull(UserAgents.suspicious(userAgent), userAgent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "Chrome/120.0.0.0 Safari/537.36",
        "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 "
        + "Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (Linux; Android 10; Spider X2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.45 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.101 Mobile Safari/537.36",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "price-bot/2.0 (+https://example.org/bot)", "scraper/1.0 (me@example.org)", "crawler (mailto:crawl@example.co.uk)",
        "Robotics Weekly Reader/3", "Curly/1.0", "Abbot/2", "My Shop's price watch 1.2", "shop-watch okhttp/4.12.0",
        "Botany/1.0", "wgetter/1"})
    void areFine(String userAgent) {
        assertNull(UserAgents.suspicious(userAgent), userAgent);
    }

    @Test
    void saysWhy() {
        assertEquals("none of its own", UserAgents.suspicious(null));
        assertEquals("it says curl", UserAgents.suspicious("curl/8.4.0"));
        assertEquals("the default of okhttp", UserAgents.suspicious("okhttp/4.12.0"));
        assertEquals("the default of java", UserAgents.suspicious("Java/1.8.0_392"));
    }
}
