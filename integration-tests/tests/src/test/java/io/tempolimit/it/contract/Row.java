package io.tempolimit.it.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A client in one version.
 *
 * @param folder     its module among the clients; null for a client of the JVM itself
 * @param adapter    simple name of its adapter among the programs
 * @param jar        how the name of its jar begins, up to the version
 * @param oldestJava the first Java that it runs on
 * @param newestJava the last Java that it runs on, without the agent either
 */
record Row(String client, String folder, String adapter, String jar, int oldestJava, int newestJava) {
    /** All clients. */
    static final List<Row> ALL = List.of(
            new Row("HttpURLConnection", null, "UrlConnectionAdapter", null, 8),
            new Row("JDK HttpClient", null, "JdkAdapter", null, 11),
            new Row("OkHttp 2", "okhttp-2-oldest", "OkHttp2Adapter", "okhttp-", 8),
            new Row("OkHttp 2", "okhttp-2-newest", "OkHttp2Adapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-3-oldest", "OkHttpAdapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-3-between", "OkHttpAdapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-3-newest", "OkHttpAdapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-4-oldest", "OkHttpAdapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-4-newest", "OkHttpAdapter", "okhttp-", 8),
            new Row("OkHttp", "okhttp-5-oldest", "OkHttpAdapter", "okhttp-jvm-", 8),
            new Row("OkHttp", "okhttp-5-newest", "OkHttpAdapter", "okhttp-jvm-", 8),
            new Row("Commons HttpClient", "commons-httpclient-3-oldest", "CommonsHttpClientAdapter", "commons-httpclient-", 8),
            new Row("Commons HttpClient", "commons-httpclient-3-newest", "CommonsHttpClientAdapter", "commons-httpclient-", 8),
            new Row("Nutch", "nutch-oldest", "NutchAdapter", "nutch-", 8),
            new Row("Nutch", "nutch-newest", "NutchAdapter", "nutch-", 11),
            new Row("Apache HttpClient 4", "apache-4-oldest", "Apache4Adapter", "httpclient-", 8),
            new Row("Apache HttpClient 4", "apache-4-newest", "Apache4Adapter", "httpclient-", 8),
            new Row("Apache HttpAsyncClient 4", "apache-4-async-oldest", "Apache4AsyncAdapter", "httpasyncclient-", 8),
            new Row("Apache HttpAsyncClient 4", "apache-4-async-newest", "Apache4AsyncAdapter", "httpasyncclient-", 8),
            new Row("Apache HttpClient 5", "apache-5-oldest", "Apache5Adapter", "httpclient5-", 8),
            new Row("Apache HttpClient 5", "apache-5-newest", "Apache5Adapter", "httpclient5-", 8),
            new Row("Apache HttpClient 5 async", "apache-5-oldest", "Apache5AsyncAdapter", "httpclient5-", 8),
            new Row("Apache HttpClient 5 async", "apache-5-newest", "Apache5AsyncAdapter", "httpclient5-", 8),
            new Row("Vert.x", "vertx-4-oldest", "VertxAdapter", "vertx-core-", 8),
            new Row("Vert.x", "vertx-4-newest", "VertxAdapter", "vertx-core-", 8),
            new Row("Vert.x", "vertx-5-oldest", "VertxAdapter", "vertx-core-", 11),
            new Row("Vert.x", "vertx-5-newest", "VertxAdapter", "vertx-core-", 11),
            new Row("Ktor CIO", "ktor-2-oldest", "KtorCioAdapter", "ktor-client-cio-jvm-", 8),
            new Row("Ktor CIO", "ktor-2-newest", "KtorCioAdapter", "ktor-client-cio-jvm-", 8),
            new Row("Ktor CIO", "ktor-3-oldest", "KtorCioAdapter", "ktor-client-cio-jvm-", 8),
            new Row("Ktor CIO", "ktor-3-newest", "KtorCioAdapter", "ktor-client-cio-jvm-", 8),
            new Row("Jetty HttpClient", "jetty-9-oldest", "JettyAdapter", "jetty-client-", 8),
            new Row("Jetty HttpClient", "jetty-9-newest", "JettyAdapter", "jetty-client-", 8),
            new Row("Jetty HttpClient", "jetty-10-oldest", "JettyAdapter", "jetty-client-", 11),
            new Row("Jetty HttpClient", "jetty-11-newest", "JettyAdapter", "jetty-client-", 11),
            new Row("Jetty HttpClient", "jetty-12-oldest", "Jetty12Adapter", "jetty-client-", 17),
            new Row("Jetty HttpClient", "jetty-12-newest", "Jetty12Adapter", "jetty-client-", 17),
            new Row("Reactor Netty", "reactor-netty-oldest", "ReactorNettyAdapter", "reactor-netty-http-", 8),
            new Row("Reactor Netty", "reactor-netty-newest", "ReactorNettyAdapter", "reactor-netty-http-", 8),
            new Row("Armeria", "armeria-oldest", "ArmeriaAdapter", "armeria-", 8),
            new Row("Armeria", "armeria-between", "ArmeriaAdapter", "armeria-", 8),
            new Row("Armeria", "armeria-newest", "ArmeriaAdapter", "armeria-", 8),
            new Row("AWS SDK 2 on Netty", "aws-netty-oldest", "AwsNettyAdapter", "netty-nio-client-", 8),
            new Row("AWS SDK 2 on Netty", "aws-netty-newest", "AwsNettyAdapter", "netty-nio-client-", 8),
            new Row("Helidon", "helidon-oldest", "HelidonAdapter", "helidon-webclient-api-", 21),
            new Row("Helidon", "helidon-newest", "HelidonAdapter", "helidon-webclient-api-", 21),
            // one client, with one set of hooks, that got another name with Pekko 1.0
            new Row("Akka and Pekko HTTP", "akka-oldest", "AkkaAdapter", "akka-http-core_2.12-", 8),
            new Row("Akka and Pekko HTTP", "akka-newest", "AkkaAdapter", "akka-http-core_2.13-", 8),
            new Row("Akka and Pekko HTTP", "pekko-oldest", "PekkoAdapter", "pekko-http-core_2.12-", 8),
            new Row("Akka and Pekko HTTP", "pekko-newest", "PekkoAdapter", "pekko-http-core_3-", 8),
            new Row("AsyncHttpClient", "async-http-client-2-oldest", "AsyncHttpClientAdapter", "async-http-client-", 8, 8),
            new Row("AsyncHttpClient", "async-http-client-2-newest", "AsyncHttpClientAdapter", "async-http-client-", 8),
            new Row("AsyncHttpClient", "async-http-client-3-oldest", "AsyncHttpClientAdapter", "async-http-client-", 11),
            new Row("AsyncHttpClient", "async-http-client-3-newest", "AsyncHttpClientAdapter", "async-http-client-", 11));

    private static final Path CLIENTS = Path.of(System.getProperty("tempolimit.clients", "../clients"));

    /** A client that runs on every Java from this one on. */
    Row(String client, String folder, String adapter, String jar, int oldestJava) {
        this(client, folder, adapter, jar, oldestJava, Integer.MAX_VALUE);
    }

    /** Whether it is a part of the JVM, so that each Java has another. */
    boolean isTheJvms() {
        return folder == null;
    }

    /** Whether it is the oldest version of its client. */
    boolean isOldest() {
        return versions().indexOf(this) == 0;
    }

    /** Whether its client has older versions and newer ones. */
    boolean isBetween() {
        List<Row> versions = versions();
        return this != versions.get(0) && this != versions.get(versions.size() - 1);
    }

    /** All of its client, from the oldest to the newest. */
    private List<Row> versions() {
        return ALL.stream().filter(row -> row.client.equals(client)).toList();
    }

    /** Whether it runs on this Java, without the agent too. */
    boolean runsOn(int java) {
        return java >= oldestJava && java <= newestJava;
    }

    /** Whether there is what it runs with. */
    boolean isHere() {
        return folder == null || Files.isDirectory(libFolder());
    }

    /** Where its jars are. */
    Path lib() {
        if (!isHere()) {
            throw new IllegalStateException("no jars in " + libFolder() + "; gather them: mvn -DskipTests package");
        }
        return libFolder();
    }

    private Path libFolder() {
        return CLIENTS.resolve(folder).resolve("target/lib").toAbsolutePath().normalize();
    }

    /** Its version, by its jar's name. */
    String version() {
        if (folder == null) {
            return "the JVM's";
        }
        Pattern name = Pattern.compile(Pattern.quote(jar) + "(\\d.*)\\.jar");
        try (Stream<Path> files = Files.list(lib())) {
            return files.map(f -> name.matcher(f.getFileName().toString())).filter(Matcher::matches).map(m -> m.group(1)).findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return folder == null ? client : client + " " + version();
    }
}
