package io.tempolimit.start;

import io.tempolimit.clients.ahc.AsyncHttpClients;
import io.tempolimit.clients.apache4.ApacheHttpClients4;
import io.tempolimit.clients.apache4async.ApacheHttpAsyncClients4;
import io.tempolimit.clients.apache5.ApacheHttpClients5;
import io.tempolimit.clients.armeria.Armeria;
import io.tempolimit.clients.awsnetty.AwsNetty;
import io.tempolimit.clients.commons.CommonsHttpClient;
import io.tempolimit.clients.helidon.Helidon;
import io.tempolimit.clients.huc.HttpUrlConnections;
import io.tempolimit.clients.jdk.JdkHttpClients;
import io.tempolimit.clients.jetty.JettyHttpClients;
import io.tempolimit.clients.jsoup.Jsoup;
import io.tempolimit.clients.jvppeteer.Jvppeteer;
import io.tempolimit.clients.ktor.KtorCio;
import io.tempolimit.clients.netty.NettyEncoders;
import io.tempolimit.clients.nutch.Nutch;
import io.tempolimit.clients.okhttp.OkHttp;
import io.tempolimit.clients.okhttp.OkHttp2;
import io.tempolimit.clients.pekko.AkkaHttp;
import io.tempolimit.clients.pekko.PekkoHttp;
import io.tempolimit.clients.playwright.Playwright;
import io.tempolimit.clients.reactornetty.ReactorNetty;
import io.tempolimit.clients.selenium.Selenium;
import io.tempolimit.clients.sockets.Sockets;
import io.tempolimit.clients.vertx.VertxClients;
import io.tempolimit.config.Settings;
import io.tempolimit.weave.Client;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients that are woven, and those that are known and are not. A new client is a line here. */
final class Clients {
    /** A class that every program with this client loads, and what people call it; running unpaced in silence is the worst outcome. */
    private static final String[] UNWOVEN = {
        "org/apache/http/impl/nio/client/DefaultAsyncRequestDirector", "Apache HttpAsyncClient 4.0 (DefaultHttpAsyncClient)",
        "io/micronaut/http/client/netty/DefaultHttpClient", "Micronaut HttpClient",
        "io/micronaut/http/client/netty/NettyHttpClient", "Micronaut HttpClient", // since 5
        "akka/http/impl/engine/client/PoolGateway", "Akka HTTP 10.0 and 10.1",
        "io/helidon/webclient/NettyClient", "Helidon WebClient 1 to 3",
        "com/ning/http/client/AsyncHttpClient", "AsyncHttpClient 1",
        "reactor/ipc/netty/http/client/HttpClient", "Reactor Netty 0.7",
        "software/amazon/awssdk/http/crt/AwsCrtAsyncHttpClient", "AWS SDK 2 CRT client",
        "software/amazon/awssdk/http/crt/AwsCrtHttpClient", "AWS SDK 2 CRT client",
    };

    private Clients() {
    }

    /** Whether requests of clients that nobody knows are paced. */
    static boolean pacesUnknown(Settings settings) {
        return settings.clientEnabled("unknown");
    }

    /** Those that the settings do not leave out. */
    static Client[] enabled(Settings settings) {
        List<Client> all = new ArrayList<>();
        all.add(HttpUrlConnections.CLIENT);
        if (hasHttpClient()) { // its class needs the Java that has the client
            all.add(JdkHttpClients.CLIENT);
        }
        all.add(Jsoup.CLIENT);
        all.add(OkHttp.CLIENT);
        all.add(OkHttp2.CLIENT);
        all.add(CommonsHttpClient.CLIENT);
        all.add(ApacheHttpClients4.CLIENT);
        all.add(ApacheHttpAsyncClients4.CLIENT);
        all.add(ApacheHttpClients5.CLIENT);
        all.add(VertxClients.CLIENT);
        all.add(Selenium.CLIENT);
        all.add(Playwright.CLIENT);
        all.add(Jvppeteer.CLIENT);
        all.add(JettyHttpClients.CLIENT);
        all.add(ReactorNetty.CLIENT);
        all.add(AsyncHttpClients.CLIENT);
        all.add(Nutch.CLIENT);
        all.add(KtorCio.CLIENT);
        all.add(Armeria.CLIENT);
        all.add(AwsNetty.CLIENT);
        all.add(Helidon.CLIENT);
        all.add(PekkoHttp.CLIENT);
        all.add(AkkaHttp.CLIENT);
        boolean unknown = pacesUnknown(settings);
        all.add(unknown ? Sockets.PACING : Sockets.CLIENT);
        all.add(unknown ? NettyEncoders.PACING : NettyEncoders.CLIENT);
        List<Client> enabled = new ArrayList<>();
        for (Client client : all) {
            if (settings.clientEnabled(client.id())) {
                enabled.add(client);
            }
        }
        return enabled.toArray(new Client[0]);
    }

    private static boolean hasHttpClient() {
        String version = System.getProperty("java.specification.version");
        return !version.startsWith("1.") && Integer.parseInt(version) >= 11;
    }

    /** Class to name. */
    static Map<String, String> unwoven() {
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < UNWOVEN.length; i += 2) {
            names.put(UNWOVEN[i], UNWOVEN[i + 1]);
        }
        return names;
    }
}
