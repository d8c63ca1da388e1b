package io.tempolimit.it.agent;

import io.tempolimit.it.harness.Fork;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A small program in a JVM of its own that drives Chromium, without a window, by Selenium, Playwright or jvppeteer. It needs
 * {@code chromium} and {@code chromedriver} (Debian: {@code apt-get install chromium chromium-driver}) on the path, or named by
 * the environment variables {@code CHROMIUM} and {@code CHROMEDRIVER}; where they are missing the test is skipped, loudly.
 */
final class Browser implements AutoCloseable {
    private static final String MISSING =
            "*  NOT TESTED with a browser: no Chromium or no chromedriver on this machine.\n*  Debian: apt-get install chromium "
            + "chromium-driver";
    static final Optional<Path> CHROMIUM = find("CHROMIUM", MISSING, "chromium", "chromium-browser", "google-chrome");
    static final Optional<Path> DRIVER = find("CHROMEDRIVER", MISSING, "chromedriver");
    private static final String[] FLAGS = {"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-allow-origins=*",
        "--host-resolver-rules=MAP validate.perfdrive.com 127.46.255.254"}; // a known address of blocks, on this machine
    /**
     * Without the pages of a window that nobody sees, which take a processor five seconds at each start. Not for Playwright: it leaves
     * out others by the same flag, and only the last one holds.
     */
    static final String[] NO_WINDOW = {"--disable-extensions", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,InitialWebUI"};
    /** Obeys one command a line, and answers each in one: {@code ok} and something, or the classes of the failure and its causes. */
    private static final String LOOP = """
            import java.io.*;
            public abstract class Loop {
                abstract String obey(String what, String url) throws Exception;
                void run(AutoCloseable end) throws Exception {
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
                    try {
                        System.out.println("= ready");
                        for (String line; (line = in.readLine()) != null && !line.equals("end"); ) {
                            String[] words = line.split(" ");
                            System.out.println("= " + answer(words[0], words.length > 1 ? words[1] : null));
                        }
                    } finally {
                        end.close();
                    }
                }
                void whenThisWaits(AutoCloseable then) {
                    Thread me = Thread.currentThread();
                    new Thread(() -> {
                        while (me.getState() != Thread.State.TIMED_WAITING) {
                            Thread.yield();
                        }
                        try {
                            then.close();
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    }).start();
                }
                private String answer(String what, String url) {
                    try {
                        if (what.equals("interrupted")) {
                            whenThisWaits(Thread.currentThread()::interrupt);
                            return "ok " + obey("get", url);
                        }
                        return "ok " + obey(what, url);
                    } catch (Throwable t) {
                        StringBuilder classes = new StringBuilder();
                        for (Throwable c = t; c != null; c = c.getCause()) {
                            classes.append(c.getClass().getName()).append(' ');
                        }
                        return classes.append(Thread.interrupted() ? "interrupted" : "").toString().trim();
                    }
                }
            }""";

    private static final String SELENIUM = """
            import org.openqa.selenium.chrome.*;
            public class SeleniumLoop extends Loop {
                private final ChromeDriver driver;
                SeleniumLoop(ChromeOptions options) { driver = new ChromeDriver(options); }
                public static void main(String[] args) throws Exception {
                    java.util.logging.LogManager.getLogManager().reset(); // it has much to say on versions
                    System.setProperty("webdriver.chrome.driver", args[1]);
                    System.setProperty("webdriver.chrome.silentOutput", "true");
                    ChromeOptions options = new ChromeOptions();
                    options.setBinary(args[0]);
                    options.addArguments("--headless", "--user-data-dir=" + args[2]);
                    for (String flag : java.util.Arrays.asList(args).subList(3, args.length)) {
                        if (flag.startsWith("proxy=")) {
                            options.setProxy(new org.openqa.selenium.Proxy().setHttpProxy(flag.substring(6)).setNoProxy("<-loopback>"));
                        } else {
                            options.addArguments(flag);
                        }
                    }
                    SeleniumLoop loop = new SeleniumLoop(options);
                    loop.run(loop.driver::quit);
                }
                String obey(String what, String url) {
                    switch (what) {
                        case "get": driver.get(url); return driver.getTitle();
                        case "to": driver.navigate().to(url); return driver.getTitle();
                        case "refresh": driver.navigate().refresh(); return driver.getTitle();
                        case "back": driver.navigate().back(); return driver.getTitle();
                        case "forward": driver.navigate().forward(); return driver.getTitle();
                        case "title": return driver.getTitle();
                        case "landed": driver.get(url); return driver.getCurrentUrl();
                        case "source": driver.get(url); driver.getPageSource(); return driver.getTitle();
                        default: throw new IllegalArgumentException(what);
                    }
                }
            }""";

    private static final String PLAYWRIGHT = """
            import com.microsoft.playwright.*;
            import com.microsoft.playwright.options.*;
            import java.nio.file.Paths;
            public class PlaywrightLoop extends Loop {
                private final Page page;
                private final APIRequestContext requests;
                PlaywrightLoop(Page page, APIRequestContext requests) { this.page = page; this.requests = requests; }
                public static void main(String[] args) throws Exception {
                    Playwright playwright = Playwright.create();
                    BrowserType.LaunchOptions options = new BrowserType.LaunchOptions().setExecutablePath(Paths.get(args[0]));
                    com.microsoft.playwright.Browser browser = playwright.chromium().launch(options.setArgs(java.util.Arrays.asList(args).subList(3, args.length)));
                    Page page = browser.newPage();
                    new PlaywrightLoop(page, playwright.request().newContext()).run(playwright::close);
                }
                String obey(String what, String url) {
                    switch (what) {
                        case "get": page.navigate(url); return page.title();
                        case "to": page.mainFrame().navigate(url); return page.title();
                        case "refresh": page.reload(); return page.title();
                        case "back": page.goBack(); return page.title();
                        case "forward": page.goForward(); return page.title();
                        case "title": return page.title();
                        case "landed": page.navigate(url); return page.url();
                        case "source": page.navigate(url); page.content(); return page.title();
                        case "status": return "" + page.navigate(url).status();
                        case "fetch": return "" + requests.get(url).status();
                        case "strict": return "" + requests.get(url, RequestOptions.create().setFailOnStatusCode(true)).status();
                        case "through":
                            String[] siteAndProxy = url.split(",");
                            Proxy proxy = new Proxy(siteAndProxy[1]).setBypass("<-loopback>");
                            try (BrowserContext context = page.context().browser().newContext(new com.microsoft.playwright.Browser.NewContextOptions().setProxy(proxy))) {
                                Page through = context.newPage();
                                through.navigate(siteAndProxy[0]);
                                return through.title();
                            }
                        case "relative":
                            com.microsoft.playwright.Browser.NewContextOptions options = new com.microsoft.playwright.Browser.NewContextOptions().setBaseURL(url);
                            try (BrowserContext context = page.context().browser().newContext(options)) {
                                context.newPage().navigate("/page");
                                return "" + context.request().get("fetched").status();
                            }
                        default: throw new IllegalArgumentException(what);
                    }
                }
            }""";

    /** What differs between its versions is written in capitals. */
    private static final String JVPPETEER = """
            import IMPORTS;
            import java.nio.file.*;
            import java.util.*;
            public class JvppeteerLoop extends Loop {
                private final Browser browser;
                private final Page page;
                JvppeteerLoop(Browser browser) { this.browser = browser; page = browser.newPage(); }
                public static void main(String[] args) throws Exception {
                    List<String> flags = new ArrayList<>(Arrays.asList(args).subList(3, args.length));
                    flags.add("--user-data-dir=" + args[2]);
                    Path chrome = Paths.get(args[2]).resolveSibling("chrome"); // version 3.1 takes a browser by no other name
                    Files.createSymbolicLink(chrome, Paths.get(args[0]));
                    JvppeteerLoop loop = new JvppeteerLoop(Puppeteer.launch(options(chrome.toString(), flags)));
                    loop.run(loop.browser::close);
                    EXIT
                }
                static LaunchOptions options(String chromium, List<String> flags) {
                    OPTIONS
                }
                String obey(String what, String url) throws Exception {
                    switch (what) {
                        case "get": page.goTo(url); return page.title();
                        case "to": page.mainFrame().goTo(FRAME); return page.title();
                        case "refresh": page.reload(RELOAD); return page.title();
                        case "back": page.goBack(); return page.title();
                        case "forward": page.goForward(); return page.title();
                        case "title": return page.title();
                        case "landed": page.goTo(url); return page.mainFrame().url();
                        case "source": page.goTo(url); page.content(); return page.title();
                        case "status": return "" + page.goTo(url).status();
                        case "closed":
                            Page held = browser.newPage();
                            whenThisWaits(held::close);
                            held.goTo(url);
                            return "";
                        CONTEXT
                        default: throw new IllegalArgumentException(what);
                    }
                }
            }""";
    private static final String SETTERS = """
            LaunchOptions options = new LaunchOptions();
            options.setExecutablePath(chromium);
            options.setHeadless(true);
            options.setArgs(flags);
            return options;""";
    private static final String BUILDER = """
            return LaunchOptions.builder().product(Product.Chrome).executablePath(chromium).headless(true).args(flags).build();""";
    private static final String CONTEXT = """
            case "through":
                String[] siteAndProxy = url.split(",");
                BrowserContextOptions options = new BrowserContextOptions();
                options.setProxyServer(siteAndProxy[1].replace("me:hunter2@", "")); // Chromium takes none with a user
                options.setProxyBypassList(Arrays.asList("<-loopback>"));
                Page through = browser.createBrowserContext(options).newPage();
                through.goTo(siteAndProxy[0]);
                return through.title();""";

    private static String jvppeteer(char version) {
        String root = "com.ruiyun.jvppeteer.";
        String imports = Stream.of(version == '1' ? new String[] {"core.Puppeteer", "core.browser.Browser", "core.page.Page", "options.*"}
                : version == '2' ? new String[] {"core.*", "entities.*"}
                : new String[] {"cdp.core.Puppeteer", "api.core.*", "cdp.entities.*", "common.Product"})
                .map(name -> root + name).collect(Collectors.joining("; import "));
        return JVPPETEER.replace("IMPORTS", imports)
                .replace("OPTIONS", version == '3' ? BUILDER : SETTERS)
                .replace("FRAME", version == '1' ? "url, new PageNavigateOptions(), true"
                        : version == '2' ? "url, new GoToOptions(), true" : "url, new GoToOptions()")
                .replace("EXIT", version == '1' ? "System.exit(0); // a page that was reloaded keeps a thread for ever" : "")
                .replace("RELOAD", version == '1' ? "new PageNavigateOptions()" : "")
                .replace("CONTEXT", version == '1' ? "" : CONTEXT);
    }

    /** The compiled programs, by client. */
    private static final Map<String, Path> PROGRAMS = new ConcurrentHashMap<>();

    final Fork fork;

    private Browser(Fork fork) {
        this.fork = fork;
        try {
            answer();
        } catch (AssertionError e) {
            close();
            throw e;
        }
    }

    /**
     * Starts one.
     *
     * @param client {@code selenium-4-oldest}, {@code playwright-newest} and so on, a folder of {@code clients}
     * @param flags  more of the browser's; to Selenium also {@code proxy=HOST:PORT}, for its capability
     */
    static Browser start(int java, String client, String settings, String... flags) {
        Assumptions.assumeTrue(CHROMIUM.isPresent() && DRIVER.isPresent(), "SKIPPED: no chromium or no chromedriver on this machine");
        Path temporary = Source.folder();
        boolean playwright = client.startsWith("playwright");
        String program = playwright ? PLAYWRIGHT : client.startsWith("selenium") ? SELENIUM
                : jvppeteer(client.charAt("jvppeteer-".length()));
        Path classes = PROGRAMS.computeIfAbsent(client, c -> Source.compile(8, Source.jarsOf(c), LOOP, program));
        Fork.Builder builder = Jvm.on(java).classpath(classes).classpath(Source.jarsOf(client).toArray(Path[]::new)).recordedAgent(settings)
                .option("-Djava.io.tmpdir=" + temporary).environment("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        List<String> arguments = Stream.of(arguments(temporary), Stream.of(playwright ? new String[0] : NO_WINDOW), Stream.of(flags))
                .flatMap(each -> each).toList();
        String main = playwright ? "PlaywrightLoop" : client.startsWith("selenium") ? "SeleniumLoop" : "JvppeteerLoop";
        return new Browser(builder.main(main, arguments.toArray(String[]::new)).start());
    }

    /** The browser, its driver, its profile in this folder, and its flags. */
    static Stream<String> arguments(Path folder) {
        return Stream.concat(Stream.of(CHROMIUM.get(), DRIVER.get(), folder.resolve("profile")).map(Path::toString), Stream.of(FLAGS));
    }

    /** Obeys {@code get URL}, {@code refresh}, {@code back} ...; gives {@code ok TITLE}, or the classes of the failure and its causes. */
    String ask(String command) {
        fork.tell(command);
        return answer();
    }

    private String answer() {
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("= ")) { // something that the client or the browser printed
            line = fork.line(Jvm.LONG);
        }
        return line.substring(2);
    }

    /** Ends it in order. */
    void end() {
        fork.tell("end");
        fork.exit(Jvm.LONG);
    }

    /** The driver and the browser do not end with a program that is killed. */
    @Override
    public void close() {
        ProcessHandle.of(fork.pid()).ifPresent(p -> p.descendants().forEach(ProcessHandle::destroyForcibly));
        fork.close();
    }

    /** A program of this machine: what an environment variable names, or else on the path; where it is missing, that is said loudly. */
    static Optional<Path> find(String variable, String missing, String... names) {
        if (System.getenv(variable) != null) {
            return Optional.of(Path.of(System.getenv(variable)));
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            for (String name : names) {
                Path file = Path.of(folder, name);
                if (Files.isExecutable(file)) {
                    return Optional.of(file);
                }
            }
        }
        String stars = "****************************************************************************";
        System.err.println(stars + "\n" + missing + "; or name it: " + variable + "=/its/file\n" + stars);
        return Optional.empty();
    }
}
