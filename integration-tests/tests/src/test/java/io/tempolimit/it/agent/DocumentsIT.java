package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the documents say is so: their commands run, their settings are settings, their samples are read, their links lead somewhere. */
class DocumentsIT {
    private static final Path ROOT = root();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern SETTING = Pattern.compile("([a-z][a-z0-9.-]*)=(\\S+)");
    private static final Pattern AGENT_ARGUMENTS = Pattern.compile("-javaagent:\\S*tempolimit-agent\\.jar=([^\\s\"`]+)");
    private static final Pattern PROPERTY = Pattern.compile("-Dtempolimit\\.([a-z][a-zA-Z0-9.*-]*)=(\\S+)");
    private static final Pattern VARIABLE = Pattern.compile("\\bTEMPOLIMIT_([A-Z_]+)=(\\S+)");
    /** Begins a sentence's successor: the end of a sentence stands before a capital, or before what is marked. */
    private static final Pattern NEXT_SENTENCE = Pattern.compile("(?<=[.!?:])\\**\\s+(?=[A-Z\"(*])");
    private static final int MOST_WORDS = 25;
    /** What looks like a setting, and is part of a key's name, or a property of the tests. */
    private static final Set<String> OTHERS = Set.of("authorization", "verbose");
    private static final String SECRET = "a-secret-of-some-length";

    private static final Set<String> KEYS = new TreeSet<>();

    /** As {@code check} lists them. */
    @BeforeAll
    static void keys() {
        Command.run("check").lines().stream().map(l -> l.split("\\s", 2)[0]).filter(w -> w.matches("[a-z][a-z0-9.-]*")).forEach(KEYS::add);
    }

    private record Line(Path file, int number, String text) {
        @Override
        public String toString() {
            return ROOT.relativize(file) + ":" + number + ": " + text;
        }
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path file : documents()) {
            Matcher link = LINK.matcher(Files.readString(file));
            while (link.find()) {
                String target = link.group(1);
                if (target.matches("https?:.*")) {
                    continue;
                }
                int hash = target.indexOf('#');
                Path to = hash == 0 ? file : file.resolveSibling(hash < 0 ? target : target.substring(0, hash)).normalize();
                if (!Files.exists(to) || hash >= 0 && !anchors(to).contains(target.substring(hash + 1))) {
                    broken.add(ROOT.relativize(file) + ": " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    /** Files that commands run, modules that Maven builds. */
    @Test
    void filesInCommandsAreThere() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Line line : samples()) {
            String command = line.text.replaceAll("\\s#.*", "");
            Matcher modules = Pattern.compile("mvn .*-pl (\\S+)").matcher(command);
            if (modules.find()) {
                Arrays.stream(modules.group(1).split(",")).filter(m -> !Files.exists(ROOT.resolve(m).resolve("pom.xml")))
                        .forEach(m -> missing.add(line + ": " + m));
            }
            Matcher script = Pattern.compile("(?:^|\\s)((?:examples|integration-tests)/\\S+)").matcher(command.replaceAll("-pl \\S+", ""));
            while (script.find()) {
                if (!script.group(1).contains("/target/") && !Files.exists(ROOT.resolve(script.group(1)))) {
                    missing.add(line + ": " + script.group(1));
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    /** The page had another command than the script looked for, so the script ran nothing. */
    @Test
    void theScriptThatRunsTheSampleOfMavenFindsItsCommand() throws IOException {
        Matcher sed = Pattern.compile("sed -n '/(\\^[^/]+)/,.*(examples/maven/README.md)").matcher(
                Files.readString(ROOT.resolve("integration-tests/artifact/run")));
        assertTrue(sed.find(), "the script reads no command");
        String page = Files.readString(ROOT.resolve(sed.group(2)));
        assertTrue(Pattern.compile(sed.group(1), Pattern.MULTILINE).matcher(page).find(), sed::group);
    }

    /** Each command of the jar that a document shows does what it is there for. */
    @Test
    void commandsOfTheJarRun() throws IOException {
        Path folder = Source.folder();
        Files.writeString(folder.resolve("limits.json"), blocks("{ \"version\"").get(0));
        Files.writeString(folder.resolve("secret"), SECRET);
        Files.writeString(folder.resolve("page.html"), "<html><title>Just a moment...</title><body>Wait</body></html>");
        Files.writeString(folder.resolve("session.har"), """
                {"log":{"entries":[{"request":{"method":"GET","url":"http://shop.example/"},
                  "response":{"status":429,"headers":[],"content":{"mimeType":"text/html","text":"<p>no"}}}]}}""");
        int ran = 0;
        try (Server server = Server.start();
                Scraper scraper = Scraper.start(Jvm.scraper(Runtime.version().feature()).agent("exclude=-private"), "UrlConnection")) {
            assertEquals("200", scraper.get(server.site("127.81", Server.Script.status(200)).url("/")));
            for (Line line : samples()) {
                int at = line.text.indexOf("java -jar tempolimit-agent.jar ");
                if (at < 0 || line.text.contains("--connect") || line.text.contains("account")) { // these ask a Redis, or standard input
                    continue;
                }
                String words = line.text.substring(at + "java -jar tempolimit-agent.jar ".length()).replaceAll("\\s+#.*", "");
                Command command = Command.run((Object[]) words(words, folder, scraper.fork.pid()));
                int due = words.startsWith("judge") ? 1 : 0; // which says that it is a block
                assertEquals(due, command.exit(), line + "\n" + command.err());
                assertTrue(!command.out().isBlank(), line::toString);
                ran++;
            }
            assertEquals(0, scraper.end());
        }
        assertTrue(ran >= 10, ran + " commands: this test looks in the wrong place");
    }

    private static String[] words(String command, Path folder, long pid) {
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(command);
        while (word.find()) {
            String w = word.group(1) != null ? word.group(1) : word.group(2);
            if (w.equals("--watch") || w.equals("--interval")) {
                continue; // it would go on
            }
            String file = w.replaceFirst("^config=", "");
            boolean named = Files.exists(folder.resolve(file));
            words.add(w.matches("PID|4711") ? String.valueOf(pid) : named ? w.replace(file, folder.resolve(file).toString()) : w);
        }
        return words.toArray(new String[0]);
    }

    /** On command lines, in the environment, and in running text. */
    @Test
    void settingsAreSettings() throws IOException {
        Set<String> unknown = new TreeSet<>();
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (Line line : lines()) {
            for (String setting : settings(line)) {
                Matcher m = SETTING.matcher(setting);
                if (!m.matches() || setting.contains("…") || OTHERS.contains(m.group(1))) {
                    continue;
                }
                if (!KEYS.contains(m.group(1)) && !m.group(1).startsWith("domain.")) {
                    unknown.add(line.toString());
                } else if (!m.group(2).matches("@.*|.*([A-Z]{2,}|\\.\\.\\.|\\$).*")) { // a file, or something to be filled in
                    values.computeIfAbsent(m.group(1), k -> new LinkedHashSet<>()).add(m.group(2).replace(',', ';'));
                }
            }
        }
        assertEquals(Set.of(), unknown);
        assertTrue(values.size() > 25, values::toString);
        values.get("exclude").removeAll(List.of("none", "all")); // faults, as the document says
        values.remove("config");
        while (values.values().stream().anyMatch(all -> !all.isEmpty())) { // each time another value of each
            List<Object> words = new ArrayList<>(List.of("check", "admin.token=" + SECRET));
            values.forEach((key, all) -> all.stream().findFirst().ifPresent(value -> {
                words.add(key + "=" + value);
                all.remove(value);
            }));
            Command command = Command.run(words.toArray());
            assertEquals(0, command.exit(), words + "\n" + command.err());
        }
    }

    private static List<String> settings(Line line) {
        List<String> settings = new ArrayList<>();
        Matcher arguments = AGENT_ARGUMENTS.matcher(line.text);
        while (arguments.find()) {
            settings.addAll(List.of(arguments.group(1).replaceAll("</?\\w+>", "").split(",(?=[a-z.-]+=)")));
        }
        Matcher property = PROPERTY.matcher(line.text);
        while (property.find()) {
            settings.add(property.group(1) + "=" + property.group(2).replaceAll("`.*", ""));
        }
        Matcher variable = VARIABLE.matcher(line.text);
        while (variable.find()) {
            String name = variable.group(1);
            String key = KEYS.stream().filter(k -> k.replaceAll("[.-]", "_").equalsIgnoreCase(name)).findFirst().orElse(name);
            settings.add(key.toLowerCase(Locale.ROOT) + "=" + variable.group(2).replaceAll("`.*", ""));
        }
        Matcher code = CODE.matcher(line.text.startsWith("    ") ? "" : line.text);
        while (code.find()) {
            settings.addAll(List.of(code.group(1).split(",(?=[a-z.-]+=)")));
        }
        return settings;
    }

    /** The files that show what a settings' file is. */
    @Test
    void samplesOfTheFileAreRead() throws IOException {
        Path folder = Source.folder();
        Path secret = Files.writeString(folder.resolve("account-secret.txt"), SECRET);
        List<String> files = new ArrayList<>(blocks("{ \"version\""));
        files.addAll(blocks("{ \"default_config\""));
        files.addAll(blocks("{ \"block_rules\""));
        assertTrue(files.size() >= 3, files::toString);
        for (String file : files) {
            Path limits = Files.writeString(folder.resolve("sample.json"), file.replace("@account-secret.txt", "@" + secret));
            Command command = Command.run("check", "config=" + limits);
            assertEquals(0, command.exit(), file + command.err());
        }
    }

    @Test
    void samplesOfJsonAreJson() throws IOException {
        int read = 0;
        for (String start : List.of("{\"time\"", "{ \"status\"", "{ \"key\"")) {
            for (String block : blocks(start)) {
                for (String object : block.split("\n(?=\\{)")) {
                    assertTrue(JsonParser.parseString(object).isJsonObject(), object);
                    read++;
                }
            }
        }
        assertTrue(read >= 4, read + " samples: this test looks in the wrong place");
    }

    @Test
    void sentencesAreShort() throws IOException {
        List<String> longOnes = new ArrayList<>();
        for (Path file : documents()) {
            for (String paragraph : paragraphs(Files.readString(file))) {
                String plain = paragraph.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("`[^`]*`", "X");
                for (String sentence : NEXT_SENTENCE.split(plain)) {
                    long words = Arrays.stream(sentence.split("\\s+")).filter(w -> w.matches(".*\\w.*")).count();
                    if (words > MOST_WORDS) {
                        longOnes.add(ROOT.relativize(file) + ": " + words + " words: " + sentence);
                    }
                }
            }
        }
        assertEquals(List.of(), longOnes);
    }

    /** Items of lists and cells of tables are paragraphs of their own; samples are none. */
    private static List<String> paragraphs(String document) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        for (String line : document.replaceAll("(?ms)^```.*?^```$", "").split("\n")) {
            boolean ends = line.isBlank() || line.startsWith("#") || line.startsWith("|") || line.startsWith("    ")
                    || line.matches("\\s*([-*]|\\d+\\.) .*");
            if (ends) {
                paragraphs.add(paragraph.toString());
                paragraph.setLength(0);
            }
            if (line.startsWith("|")) {
                paragraphs.addAll(List.of(line.split("\\|")));
            } else if (!line.startsWith("#") && !line.startsWith("    ")) {
                paragraph.append(line.replaceFirst("^\\s*([-*]|\\d+\\.) ", "")).append(' ');
            }
        }
        paragraphs.add(paragraph.toString());
        return paragraphs;
    }

    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new TreeSet<>();
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("#")) {
                anchors.add(line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'));
            }
        }
        return anchors;
    }

    /** Samples of several lines that begin so, without their indent. */
    private static List<String> blocks(String start) throws IOException {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (Line line : lines()) {
            boolean indented = line.text.startsWith("    ");
            if (block == null && line.text.startsWith("    " + start)) {
                block = new StringBuilder();
            }
            if (block != null && indented) {
                block.append(line.text.substring(4)).append('\n');
            } else if (block != null) {
                blocks.add(block.toString());
                block = null;
            }
        }
        return blocks;
    }

    /** Lines that are shown as they are typed or printed; a line that ends with a backslash has the next one. */
    private static List<Line> samples() throws IOException {
        List<Line> samples = new ArrayList<>();
        for (Line line : lines()) {
            if (line.text.startsWith("    ")) {
                samples.add(line);
            }
        }
        return samples;
    }

    private static List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Path file : documents()) {
            int number = 0;
            for (String text : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                lines.add(new Line(file, ++number, text));
            }
            lines.add(new Line(file, number + 1, ""));
        }
        return lines;
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            /** Folders below target may vanish meanwhile. */
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = name.equals("target") || name.startsWith(".");
                return skipped && !folder.equals(ROOT) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md") && !file.endsWith("CHANGELOG.md")) {
                    documents.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        documents.sort(null);
        return documents;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CONTRIBUTING.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
