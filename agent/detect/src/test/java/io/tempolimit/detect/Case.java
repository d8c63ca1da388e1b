package io.tempolimit.detect;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An answer whose verdict is known: from a list of pages as {@code pages.txt}, or from a folder with {@code VERDICTS.tsv}. */
final class Case {
    /** What a list may say of a page beside the types of blocks. */
    private static final Set<String> WORDS = new HashSet<>(Arrays.asList("ok", "block", "uncounted"));

    static {
        for (Verdict verdict : Verdict.values()) {
            WORDS.add(verdict.type());
        }
    }

    /** A type of block, {@code ok}, or a word of the list's own. */
    final String verdict;
    /** The rule that finds it, or what the page is from. */
    final String source;
    final Answer answer;
    private final String where;

    private Case(String verdict, String source, String where, Answer answer) {
        this.verdict = verdict;
        this.source = source;
        this.where = where;
        this.answer = answer;
    }

    static Case of(String verdict, String source, String where, Answer answer) {
        return new Case(verdict, source, where, answer);
    }

    boolean isGood() {
        return verdict.equals("ok");
    }

    /** A look at all of it by the catalogue alone; ended. */
    Look looked() {
        Look look = answer.look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
        if (!look.settled()) {
            look.add(answer.body, 0, answer.body.length);
        }
        look.end(true);
        return look;
    }

    @Override
    public String toString() {
        return where + ": " + verdict + " " + source;
    }

    /** Those of a list. */
    static List<Case> of(BufferedReader in) throws IOException {
        List<Case> cases = new ArrayList<>();
        String line = in.readLine();
        int number = 1;
        while (line != null && !line.startsWith("===")) {
            line = in.readLine();
            number++;
        }
        while (line != null) {
            String[] words = line.split(" ");
            int begin = number;
            if (!WORDS.contains(words[1])) {
                throw new IOException("line " + begin + ": " + words[1] + " is no verdict"); // else a good page would pass for a block
            }
            String[] first = in.readLine().split(" ");
            Answer answer = new Answer(Integer.parseInt(first[0]));
            answer.method = first.length > 1 ? first[1] : "GET";
            answer.path = first.length > 2 ? first[2] : answer.path;
            number++;
            boolean typed = false;
            for (line = in.readLine(), number++; line != null && !line.isEmpty() && !line.startsWith("===");
                    line = in.readLine(), number++) {
                String[] header = line.split(": ", 2);
                answer.with(header[0], header[1]);
                typed |= header[0].equals("Content-Type");
            }
            if (!typed) {
                answer.with("Content-Type", "text/html; charset=utf-8");
            }
            StringBuilder body = new StringBuilder();
            if (line != null && line.isEmpty()) {
                for (line = in.readLine(), number++; line != null && !line.startsWith("==="); line = in.readLine(), number++) {
                    body.append(expanded(line)).append('\n');
                }
            }
            answer.body(body.toString().trim().isEmpty() && !body.toString().contains(" ") ? "" : body.toString());
            cases.add(new Case(words[1], words[2], "line " + begin, answer));
        }
        return cases;
    }

    private static String expanded(String line) {
        if (!line.startsWith("@")) {
            return line;
        }
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < Integer.parseInt(line.split(" ")[1]); i++) {
            s.append(line.startsWith("@words") ? "word" + i % 7 + " " : "<a href=\"/" + i + "\">" + i + "</a>\n");
        }
        return s.toString();
    }

    /** Those of a list in the folder of the tests' resources. */
    static List<Case> of(Path list) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(list, StandardCharsets.UTF_8)) {
            return of(in);
        }
    }

    /** Those of a folder that has {@code VERDICTS.tsv} and, for each name, {@code NAME.meta} and {@code NAME.body}. */
    static List<Case> ofFolder(Path folder) throws IOException {
        List<Case> cases = new ArrayList<>();
        List<String> lines = Files.readAllLines(folder.resolve("VERDICTS.tsv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split("\t");
            List<String> meta = Files.readAllLines(folder.resolve(fields[0] + ".meta"));
            Answer answer = new Answer(Integer.parseInt(meta.get(0).trim()));
            for (String header : meta.subList(1, meta.size())) {
                int colon = header.indexOf(':');
                if (colon > 0) {
                    answer.with(header.substring(0, colon), header.substring(colon + 1).trim());
                }
            }
            cases.add(new Case(fields[1], fields[0], "fixtures", answer.body(Files.readAllBytes(folder.resolve(fields[0] + ".body")))));
        }
        return cases;
    }
}
