package io.tempolimit.detect;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code java -jar benchmarks.jar learn [write]}, from the project's folder: fits what {@link Learned} weighs traits with, from the
 * tests' own pages alone, and prints how it does in cross-validation by source and on pages that it was not fitted by. The same
 * pages give the same weights.
 */
public final class Training {
    private static final Path PAGES = Paths.get("agent/detect/src/test/resources/io/tempolimit/detect");
    private static final Path WEIGHTS = Paths.get("agent/detect/src/main/catalogue/weights.txt");
    private static final int FOLDS = 10;
    /** Keeps weights small. */
    private static final double SMALL = 0.0005;
    private static final int STEPS = 400;
    /** A false alarm costs so many missed blocks, or more where blocks are many times as many as good pages. */
    private static final double ALARM = 4;
    /** In hundredths, above the good page that looks most like a block when its source was left out. */
    private static final int MARGIN = 20;
    /** The same for HTML: some ordinary pages from public repositories, by which nothing is fitted, come a little nearer. */
    private static final int MARGIN_OF_HTML = 5;
    /** A page that was written whole counts as so many that are made of phrases. */
    private static final int WHOLE = 10;
    private static final int NEAREST = 12;

    private static final class Sample {
        final String name;
        final String group;
        final boolean block;
        final String kind;
        final List<String> traits;
        /** How many pages it stands for. */
        int count;

        Sample(String name, String group, boolean block, String kind, List<String> traits) {
            this.name = name;
            this.group = group;
            this.block = block;
            this.kind = kind;
            this.traits = traits;
        }
    }

    private final Words words = Learned.all().words;
    private final Compiled compiled = new Compiled(Catalogue.all(), Collections.emptyList());

    private Training() {
    }

    /** Fits, prints and, if {@code write}, writes the weights. */
    public static void run(boolean write, PrintStream out) throws IOException {
        new Training().fit(write, out);
    }

    private void fit(boolean write, PrintStream out) throws IOException {
        List<Sample> all = new ArrayList<>();
        for (String name : new String[] {"pages", "unseen", "own-tuned"}) {
            add(Case.of(PAGES.resolve(name + ".txt")), name, all);
        }
        add(Phrases.pages(PAGES.resolve("phrases.txt")), "phrases", all);
        StringBuilder file = new StringBuilder(
                "# What a page's traits weigh, in hundredths: written by benchmarks.jar learn write, never by hand.\n");
        for (String kind : new String[] {"html", "data", "text"}) {
            List<Sample> samples = new ArrayList<>();
            all.stream().filter(s -> s.kind.equals(kind)).forEach(samples::add);
            int threshold = crossValidated(samples, kind, out);
            file.append(kind).append(' ').append(threshold).append(' ').append(Learned.THRESHOLD).append('\n');
            new TreeMap<>(weights(samples)).forEach((trait, w) -> {
                if (w != 0) {
                    file.append(kind).append(' ').append(w).append(' ').append(trait).append('\n');
                }
            });
        }
        printTables(out);
        if (write) {
            Files.write(WEIGHTS, file.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What becomes of all pages with the weights that this program was built with. */
    private static void printTables(PrintStream out) throws IOException {
        Path fixtures = Paths.get(System.getProperty("fixtures", "../shared/fixtures"));
        for (String folder : new String[] {"", "mini", "trap"}) {
            if (Files.exists(fixtures.resolve(folder).resolve("VERDICTS.tsv"))) {
                out.print(new Confusion(Case.ofFolder(fixtures.resolve(folder))).table("fixtures " + folder));
            }
        }
        for (String list : new String[] {"pages", "unseen", "own-tuned", "own-held"}) {
            out.print(new Confusion(Case.of(PAGES.resolve(list + ".txt"))).table(list));
        }
    }

    /** Pages of one source that show the same are one sample. */
    private void add(List<Case> cases, String list, List<Sample> to) {
        Map<String, Sample> known = new LinkedHashMap<>();
        for (Case c : cases) {
            Sample sample = sample(c, list);
            if (sample != null) {
                Sample same = known.computeIfAbsent(sample.group + sample.block + sample.kind + sample.traits, k -> sample);
                same.count += list.equals("phrases") ? 1 : WHOLE;
                if (same == sample) {
                    to.add(sample);
                }
            }
        }
    }

    /** Null for a page that is none for the model. Statuses that are blocks by themselves are taken for 200. */
    private Sample sample(Case c, String list) {
        String type = null;
        for (String[] header : c.answer.headers) {
            type = header[0].equalsIgnoreCase("content-type") ? header[1] : type;
        }
        int status = c.answer.status;
        if (status == 404 || status == 410 || status == 204 || status / 100 == 3 || c.verdict.equals("uncounted")) {
            return null;
        }
        PageReader reader = new PageReader(compiled.patterns(), type, null, false, 512 << 10);
        reader.add(c.answer.body, 0, c.answer.body.length);
        Page page = reader.end(true);
        if (page == null || !Learned.mayJudge(page)) {
            return null;
        }
        Look look = c.looked();
        Finding finding = look.end(true);
        boolean own = list.equals("own-tuned") || list.equals("phrases");
        if (!own && !c.isGood() && (finding.vendor() != null || Look.STATUS.equals(finding.rule())
                || finding.verdict() == Verdict.BLANK_PAGE)) {
            return null; // found by what it says of a vendor, or by its head
        }
        List<String> traits = Traits.of(words, compiled, page,
                page.html() && DetectRules.DEFAULT.blocks(status) ? 200 : status, look.scores());
        if (traits.isEmpty()) {
            return null;
        }
        return new Sample(c.toString(), list.equals("phrases") ? c.source : list + c, !c.isGood(), Learned.kind(page), traits);
    }

    /** Gives the threshold: no good page reaches it when the model has not seen its source. */
    private static int crossValidated(List<Sample> samples, String name, PrintStream out) {
        Map<Sample, Integer> scores = new LinkedHashMap<>();
        List<String> groups = new ArrayList<>(new TreeSet<>(groups(samples)));
        for (int fold = 0; fold < FOLDS; fold++) {
            int f = fold;
            List<Sample> seen = new ArrayList<>();
            samples.stream().filter(s -> groups.indexOf(s.group) % FOLDS != f).forEach(seen::add);
            Map<String, Integer> weights = weights(seen);
            samples.stream().filter(s -> groups.indexOf(s.group) % FOLDS == f).forEach(s -> scores.put(s, weight(weights, s)));
        }
        int worst = scores.entrySet().stream().filter(e -> !e.getKey().block).mapToInt(Map.Entry::getValue).max().orElse(0);
        int threshold = worst + (name.equals("html") ? MARGIN_OF_HTML : MARGIN);
        long blocks = samples.stream().filter(s -> s.block).mapToInt(s -> s.count).sum();
        long found = scores.entrySet().stream().filter(e -> e.getKey().block && e.getValue() >= threshold)
                .mapToInt(e -> e.getKey().count).sum();
        out.printf("%s: %d blocks, %d good pages; left out by source, %d of the blocks reach %d, and no good page%n", name, blocks,
                samples.stream().mapToInt(s -> s.count).sum() - blocks, found, threshold);
        scores.entrySet().stream().filter(e -> !e.getKey().block).sorted((a, b) -> b.getValue() - a.getValue()).limit(NEAREST)
                .forEach(e -> out.println("  nearest good page: " + e.getValue() + " " + e.getKey().group + " " + e.getKey().name));
        return threshold;
    }

    private static List<String> groups(List<Sample> samples) {
        List<String> groups = new ArrayList<>();
        samples.forEach(s -> groups.add(s.group));
        return groups;
    }

    private static int weight(Map<String, Integer> weights, Sample s) {
        return s.traits.stream().mapToInt(t -> weights.getOrDefault(t, 0)).sum();
    }

    /**
     * Those of a logistic regression, in hundredths. What speaks for a block may not count against one, nor the other way round: else
     * traits that come together share what they weigh in ways that hold for these pages alone. By FISTA, from zero.
     */
    private static Map<String, Integer> weights(List<Sample> samples) {
        TreeSet<String> traits = new TreeSet<>();
        samples.forEach(s -> traits.addAll(s.traits));
        List<String> names = new ArrayList<>(traits);
        int n = names.size();
        int[][] rows = new int[samples.size()][];
        int longest = 1;
        for (int i = 0; i < rows.length; i++) {
            rows[i] = samples.get(i).traits.stream().distinct().mapToInt(t -> Collections.binarySearch(names, t)).toArray();
            longest = Math.max(longest, rows[i].length + 1);
        }
        double blocks = samples.stream().filter(s -> s.block).mapToInt(s -> s.count).sum();
        double alarm = Math.max(ALARM, blocks / Math.max(1, samples.stream().filter(s -> !s.block).mapToInt(s -> s.count).sum()));
        double[] w = new double[n + 1]; // the last one is the same for all pages
        double[] ahead = w.clone();
        double momentum = 1;
        for (int step = 0; step < STEPS; step++) {
            double[] next = ahead.clone();
            double[] slope = slope(samples, rows, ahead, alarm);
            for (int j = 0; j <= n; j++) {
                next[j] -= slope[j] * 4 / (alarm * longest);
                next[j] = j == n ? next[j] : Traits.speaksAgainst(names.get(j)) ? Math.min(0, next[j]) : Math.max(0, next[j]);
            }
            double momentumNext = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
            for (int j = 0; j <= n; j++) {
                ahead[j] = next[j] + (momentum - 1) / momentumNext * (next[j] - w[j]);
            }
            w = next;
            momentum = momentumNext;
        }
        Map<String, Integer> weights = new LinkedHashMap<>();
        for (int j = 0; j < n; j++) {
            weights.put(names.get(j), (int) Math.round(100 * w[j]));
        }
        return weights;
    }

    private static double[] slope(List<Sample> samples, int[][] rows, double[] w, double alarm) {
        int n = w.length - 1;
        double[] slope = new double[n + 1];
        int all = samples.stream().mapToInt(s -> s.count).sum();
        for (int i = 0; i < rows.length; i++) {
            double z = w[n];
            for (int j : rows[i]) {
                z += w[j];
            }
            boolean block = samples.get(i).block;
            double error = (1 / (1 + Math.exp(-z)) - (block ? 1 : 0)) * (block ? 1 : alarm) * samples.get(i).count / all;
            for (int j : rows[i]) {
                slope[j] += error;
            }
            slope[n] += error;
        }
        for (int j = 0; j < n; j++) {
            slope[j] += SMALL * w[j];
        }
        return slope;
    }
}
