package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program with {@code admin.port}, and what a client of its status page needs. */
final class AdminProgram implements AutoCloseable {
    /** For programs that ask thousands of hosts: each connection that is kept costs the server a thread. */
    static final String NO_KEEP_ALIVE = "-Dhttp.keepAlive=false";
    static final String QUIET = "user-agent.check=off,exclude=-private,report=false,";
    private static final Pattern ADDRESS = Pattern.compile("The status page is http://(\\S+):(\\d+)/");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Sends requests, and tells of its threads. */
    static final String ASKER = """
            import java.io.*;
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            public class Asker {
                public static void main(String[] args) throws Exception {
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] w = line.split(" ");
                        switch (w[0]) {
                            case "get":
                                System.out.println(get(w[1]));
                                break;
                            case "time":
                                long begin = System.nanoTime();
                                for (int i = 0; i < Integer.parseInt(w[2]); i++) {
                                    get(w[1]);
                                }
                                System.out.println((System.nanoTime() - begin) / 1000000);
                                break;
                            case "begin":
                                System.out.println(begin(w[1], w[2]));
                                break;
                            case "join":
                                System.out.println(join(w[1]));
                                break;
                            case "odd": // some host that is none
                                System.out.println(get(line.substring(4)));
                                break;
                            case "many": // a request to each of so many hosts
                                ExecutorService pool = Executors.newFixedThreadPool(8);
                                for (int i = 0; i < Integer.parseInt(w[2]); i++) {
                                    String url = "http://127.60." + i / 250 + "." + (i % 250 + 1) + ":" + w[1] + "/";
                                    pool.execute(() -> get(url));
                                }
                                pool.shutdown();
                                System.out.println(pool.awaitTermination(2, TimeUnit.MINUTES));
                                break;
                            case "crawl": // so many pages, link by link
                                new Thread(() -> System.out.println(crawl(w[1], Integer.parseInt(w[2])))).start();
                                break;
                            case "threads":
                                Set<String> names = new TreeSet<>();
                                for (Thread t : Thread.getAllStackTraces().keySet()) {
                                    if (t.getName().contains("admin") || t.getName().contains("HTTP-")) {
                                        names.add(t.getName() + (t.isDaemon() ? "" : "!"));
                                    }
                                }
                                System.out.println(names);
                                break;
                            case "own": // the application's own server is its own
                                System.out.println(com.sun.net.httpserver.HttpServer.create().getClass().getName());
                                break;
                        }
                    }
                }
                static int crawl(String start, int pages) {
                    Deque<String> next = new ArrayDeque<>(Collections.singleton(start));
                    Set<String> seen = new HashSet<>(next);
                    int got = 0;
                    while (got < pages && !next.isEmpty()) {
                        String url = next.poll();
                        try {
                            HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                            if (c.getResponseCode() != 200) {
                                c.getErrorStream().close();
                                next.add(url);
                                continue;
                            }
                            ByteArrayOutputStream page = new ByteArrayOutputStream();
                            for (int b; (b = c.getInputStream().read()) >= 0; ) {
                                page.write(b);
                            }
                            got++;
                            java.util.regex.Matcher link = java.util.regex.Pattern.compile("href=\\"([^\\"#]+)\\"").matcher(page.toString());
                            while (link.find()) {
                                String to = new URL(new URL(url), link.group(1)).toString();
                                if (to.startsWith(start) && seen.add(to)) {
                                    next.add(to);
                                }
                            }
                        } catch (IOException e) {
                            next.add(url);
                        }
                    }
                    return got;
                }
            """ + Source.CALLS + "}";
    static final Path CLASSES = Source.compile(8, ASKER);

    final Fork fork;
    final int port;

    private AdminProgram(Fork fork) throws Exception {
        this.fork = fork;
        Wait.until("its page is served", fork, () -> ADDRESS.matcher(fork.stderr()).find());
        Matcher m = ADDRESS.matcher(fork.stderr());
        assertTrue(m.find());
        port = Integer.parseInt(m.group(2));
    }

    static AdminProgram start(int java, String settings, String... options) throws Exception {
        Fork.Builder builder = Jvm.on(java).agent(QUIET + "admin.port=0" + (settings.isEmpty() ? "" : "," + settings)).classpath(CLASSES);
        for (String option : options) {
            builder.option(option);
        }
        return new AdminProgram(builder.main("Asker").start());
    }

    String ask(String what) {
        return fork.ask(what, Jvm.LONG);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)), headers);
    }

    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .POST(HttpRequest.BodyPublishers.ofString(body)), headers);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return CLIENT.send(request.timeout(Jvm.LONG).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Bytes as they are; gives the first line that comes back. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            socket.setSoTimeout((int) Jvm.LONG.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder line = new StringBuilder();
            InputStream in = socket.getInputStream();
            for (int c; (c = in.read()) >= 0 && c != '\n'; ) {
                line.append((char) c);
            }
            return line.toString().trim();
        } catch (IOException reset) {
            return "";
        }
    }

    @Override
    public void close() {
        fork.close();
    }
}
