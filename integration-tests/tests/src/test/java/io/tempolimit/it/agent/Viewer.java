package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Looks at pages with Chromium, driven by Selenium in a JVM of its own without the agent. Needs what {@link Browser} needs, else the
 * class's tests are skipped. Registered by a test class, for all of its tests; after each of them the console must be silent: nothing
 * was refused, failed or was warned of, but for wrong tokens, and the end of the program. Pictures are left in {@code
 * target/status-page}.
 */
final class Viewer implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final Path PICTURES = Path.of("target", "status-page").toAbsolutePath();
    /** One command a line, its arguments as a JSON list of strings; the answer likewise. */
    private static final String LOOP = """
            import java.io.*;
            import java.nio.file.*;
            import java.util.*;
            import org.openqa.selenium.*;
            import org.openqa.selenium.chrome.*;
            import org.openqa.selenium.json.Json;
            public class ViewerLoop {
                public static void main(String[] args) throws Exception {
                    java.util.logging.LogManager.getLogManager().reset(); // it has much to say on versions
                    System.setProperty("webdriver.chrome.driver", args[1]);
                    System.setProperty("webdriver.chrome.silentOutput", "true");
                    ChromeOptions options = new ChromeOptions();
                    options.setBinary(args[0]);
                    options.addArguments("--headless=new", "--hide-scrollbars", "--user-data-dir=" + args[2]);
                    options.addArguments(Arrays.asList(args).subList(3, args.length));
                    options.setCapability("goog:loggingPrefs", Collections.singletonMap("browser", "ALL"));
                    ChromeDriver driver = new ChromeDriver(options);
                    driver.manage().timeouts().scriptTimeout(java.time.Duration.ofMinutes(2));
                    Json json = new Json();
                    try {
                        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
                        System.out.println("= \\"ready\\"");
                        for (String line; (line = in.readLine()) != null; ) {
                            List<String> a = json.toType(line, List.class);
                            Object answer;
                            try {
                                answer = obey(driver, a);
                            } catch (WebDriverException e) {
                                answer = "! " + e.getRawMessage();
                            }
                            System.out.println("= " + json.toJson(answer).replace("\\n", " "));
                        }
                    } finally {
                        driver.quit();
                    }
                }
                static Object obey(ChromeDriver driver, List<String> a) throws Exception {
                    switch (a.get(0)) {
                        case "open":
                            Map<String, Object> away = new HashMap<>(); // the pointer, from where it has clicked last
                            away.put("type", "mouseMoved");
                            away.put("x", 0);
                            away.put("y", 0);
                            driver.executeCdpCommand("Input.dispatchMouseEvent", away);
                            driver.get(a.get(1));
                            return driver.getTitle();
                        case "until": // an expression is true, which the page itself looks after
                            return driver.executeAsyncScript("const done = arguments[0]; (function look() { try { if (" + a.get(1)
                                    + ") done('true'); else setTimeout(look, 50); } catch (e) { done('! ' + e); } })()");
                        case "js": return driver.executeScript(a.get(1));
                        case "click": driver.findElement(By.cssSelector(a.get(1))).click(); return "done";
                        case "type": driver.findElement(By.cssSelector(a.get(1))).clear(); driver.findElement(By.cssSelector(a.get(1))).sendKeys(a.get(2)); return "done";
                        case "press": driver.switchTo().activeElement().sendKeys(Keys.valueOf(a.get(1))); return "done";
                        case "size":
                            Map<String, Object> size = new HashMap<>();
                            size.put("width", Integer.valueOf(a.get(1)));
                            size.put("height", Integer.valueOf(a.get(2)));
                            size.put("deviceScaleFactor", 1);
                            size.put("mobile", Integer.parseInt(a.get(1)) < 600);
                            driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", size);
                            return "done";
                        case "scheme":
                            Map<String, Object> feature = new HashMap<>();
                            feature.put("name", "prefers-color-scheme");
                            feature.put("value", a.get(1));
                            driver.executeCdpCommand("Emulation.setEmulatedMedia", Collections.singletonMap("features", Collections.singletonList(feature)));
                            return "done";
                        case "picture": Files.write(Paths.get(a.get(1)), driver.getScreenshotAs(OutputType.BYTES)); return "done";
                        case "console":
                            List<String> said = new ArrayList<>();
                            driver.manage().logs().get("browser").forEach(entry -> said.add(entry.getLevel() + " " + entry.getMessage()));
                            return said;
                        default: throw new IllegalArgumentException(a.get(0));
                    }
                }
            }""";

    private final Gson gson = new Gson();
    /** Null before it has started. */
    private Fork fork;

    @Override
    public void beforeAll(ExtensionContext tests) throws IOException {
        Assumptions.assumeTrue(Browser.CHROMIUM.isPresent() && Browser.DRIVER.isPresent(),
                "SKIPPED: no chromium or no chromedriver on this machine");
        List<Path> jars = Source.jarsOf("selenium-4-newest");
        Path temporary = Source.folder();
        List<String> arguments = Stream.concat(Browser.arguments(temporary), Stream.of(Browser.NO_WINDOW)).toList();
        Files.createDirectories(PICTURES);
        fork = Fork.on(Javas.require(17)).classpath(Source.compile(11, jars, LOOP)).classpath(jars.toArray(Path[]::new))
                .option("-XX:TieredStopAtLevel=1")
                .option("-Djava.io.tmpdir=" + temporary).main("ViewerLoop", arguments.toArray(String[]::new)).start();
        answer();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        List<String> said = console();
        open("about:blank");
        assertEquals(List.of(), said.stream().filter(line -> !line.contains(" 401 ") && !line.contains("net::ERR_")).toList());
    }

    private JsonElement ask(String... command) {
        fork.tell(gson.toJson(command));
        JsonElement answer = answer();
        if (answer.isJsonPrimitive() && answer.getAsString().startsWith("! ")) {
            throw fork.trouble("does not obey " + String.join(" ", command) + ": " + answer);
        }
        return answer;
    }

    private JsonElement answer() {
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("= ")) { // something that the driver printed
            line = fork.line(Jvm.LONG);
        }
        return JsonParser.parseString(line.substring(2));
    }

    /** Gives the title. */
    String open(String url) {
        return ask("open", url).getAsString();
    }

    /** What an expression is, as text. */
    String js(String expression) {
        JsonElement e = ask("js", "return String(" + expression + ")");
        return e.getAsString();
    }

    /** What an element shows; empty if there is none. */
    String text(String css) {
        return js("(document.querySelector(" + gson.toJson(css) + ") || {innerText: ''}).innerText");
    }

    void click(String css) {
        ask("click", css);
    }

    void type(String css, String text) {
        ask("type", css, text);
    }

    /** A key of {@code org.openqa.selenium.Keys}. */
    void press(String key) {
        ask("press", key);
    }

    void size(int width, int height) {
        ask("size", String.valueOf(width), String.valueOf(height));
    }

    /** {@code light} or {@code dark}. */
    void scheme(String scheme) {
        ask("scheme", scheme);
    }

    /** Into a file of this name, for people to look at. */
    Path picture(String name) {
        Path file = PICTURES.resolve(name);
        ask("picture", file.toString());
        return file;
    }

    /** What the console said since it was asked last. */
    List<String> console() {
        List<String> said = new ArrayList<>();
        ask("console").getAsJsonArray().forEach(e -> said.add(e.getAsString()));
        return said;
    }

    /** Waits until an expression is true. */
    void until(String expression) {
        ask("until", expression);
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        if (fork != null) {
            ProcessHandle.of(fork.pid()).ifPresent(p -> p.descendants().forEach(ProcessHandle::destroyForcibly));
            fork.close();
        }
    }

    /** Texts that are hard to read by the measure of WCAG 2 (4.5 to 1). */
    String lowContrast() {
        return js("""
                (() => {
                  const rgb = c => c.match(/[\\d.]+/g).map(Number);
                  const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
                  const light = c => { const [r, g, b] = rgb(c).map(v => linear(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
                  const ground = e => {
                    for (; e; e = e.parentElement) {
                      const c = getComputedStyle(e).backgroundColor, a = rgb(c);
                      if (a.length < 4 || a[3] > 0) return c;
                    }
                    return 'rgb(255,255,255)';
                  };
                  const bad = new Set();
                  for (const e of document.querySelectorAll('body *')) {
                    const hasText = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
                    if (!hasText || e.tagName === 'SCRIPT' || !e.getClientRects().length || e.disabled) continue;
                    const a = light(getComputedStyle(e).color), b = light(ground(e));
                    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
                    if (ratio < 4.5) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
                  }
                  return [...bad].join();
                })()""");
    }
}
