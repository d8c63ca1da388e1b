package io.tempolimit.start;

import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Nearest;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.DetectRules;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import io.tempolimit.detect.Look;
import io.tempolimit.detect.Score;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code judge}: says of answers in files what the agent would say of them, and why. */
final class Judge {
    /** No block among the answers. */
    private static final int PAGE = 0;
    /** A block that counts. */
    private static final int BLOCK = 1;
    /** A faulty command line, setting or file. */
    private static final int USAGE = 2;

    /** Stands for the host of an answer whose URL is not known. */
    private static final String NO_HOST = "host.invalid";

    private static final String[] OPTIONS = {"--status", "--header", "--method", "--url"};

    private final PrintStream out;
    private final PrintStream err;
    private final InputStream in;
    private final Map<String, Baseline> baselines = new HashMap<>();
    private Settings settings;

    Judge(PrintStream out, PrintStream err, InputStream in) {
        this.out = out;
        this.err = err;
        this.in = in;
    }

    static String usage() {
        return "usage: java -jar tempolimit-agent.jar judge FILE.har\n"
                + "       java -jar tempolimit-agent.jar judge --status N [--header 'N: V']...\n"
                + "           [--method M] [--url U] [PAGE | -]\n\n"
                + "Says whether answers are blocks, by which rule, and how to silence it: all of an\n"
                + "archive that a browser's developer tools saved, or one, with its body in the\n"
                + "file PAGE or on standard input (-). A page without a Content-Type is taken for\n"
                + "HTML. Settings such as detect.ignore are those of the environment and of\n"
                + "-Dtempolimit.KEY=... before -jar.\n\n"
                + "exit codes: 0 no block, 1 a block, 2 a faulty command line, setting or file\n";
    }

    /** Gives the exit code. */
    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(usage());
            return PAGE;
        }
        OneAnswer one = new OneAnswer();
        String file = null;
        boolean options = false;
        for (int i = 0; i < arguments.size(); i++) {
            String a = arguments.get(i);
            if (a.startsWith("--")) {
                options = true;
                String value = i + 1 < arguments.size() ? arguments.get(++i) : null;
                String fault = value == null ? a + " needs a value" : one.option(a, value);
                if (fault != null) {
                    return faulty(fault);
                }
            } else if (file != null) {
                return faulty("one file at a time: " + a);
            } else {
                file = a;
            }
        }
        if (options ? one.status == 0 : file == null) {
            return faulty(options ? "--status is missing" : "a file, or --status, is missing");
        }
        try {
            settings = Settings.load(Sources.ofJvm(null));
        } catch (BadSettings e) {
            Start.printFaults(e, err);
            return USAGE;
        }
        return options ? one(one, file) : archive(file);
    }

    private int faulty(String what) {
        err.println(what);
        err.print(usage());
        return USAGE;
    }

    // ---- one answer

    /** An answer from the command line. */
    private static final class OneAnswer extends Head {
        private int status;
        private String method = "GET";
        private String url = "";
        private boolean typed;
        private final List<String> headers = new ArrayList<>();

        /** Takes an option; gives what is wrong with it, or null. */
        private String option(String name, String value) {
            switch (name) {
                case "--status":
                    try {
                        status = Integer.parseInt(value);
                    } catch (NumberFormatException e) {
                        status = 0;
                    }
                    return status < 100 || status > 999 ? "--status needs a number from 100 to 999, not " + value : null;
                case "--header":
                    int colon = value.indexOf(':');
                    if (colon < 1) {
                        return "--header needs 'Name: value', not " + value;
                    }
                    headers.add(value.substring(0, colon).trim());
                    headers.add(value.substring(colon + 1).trim());
                    typed |= headers.get(headers.size() - 2).equalsIgnoreCase("content-type");
                    return null;
                case "--method":
                    method = value.toUpperCase(Locale.ROOT);
                    return null;
                case "--url":
                    url = value;
                    return PageUrl.of(value).host() == null ? "--url needs a web address, not " + value : null;
                default:
                    return "no such option: " + name + Nearest.hint(name, OPTIONS);
            }
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public void headers(Headers to) {
            for (int i = 0; i < headers.size(); i += 2) {
                to.add(headers.get(i), headers.get(i + 1));
            }
            if (!typed) {
                to.add("Content-Type", "text/html");
            }
        }
    }

    private int one(OneAnswer answer, String file) {
        byte[] body;
        try {
            body = file == null ? null : file.equals("-") ? bytes(in) : bytes(file);
        } catch (IOException e) {
            return unreadable(file, e);
        }
        PageUrl url = PageUrl.of(answer.url);
        Look look = look(answer, answer.method, url, body);
        Finding finding = look.end(body != null);
        explain(finding, look, "", host(url));
        return finding.counts() ? BLOCK : PAGE;
    }

    // ---- an archive

    private int archive(String file) {
        Map<String, Integer> verdicts = new TreeMap<>();
        int answers = 0;
        int blocks = 0;
        try (Har har = new Har(new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8))) {
            int number = 0;
            for (Har.Entry entry = har.next(); entry != null; entry = har.next()) {
                number++;
                PageUrl url = PageUrl.of(entry.url);
                String shown = "#" + number + " " + entry.method + " " + (url.host() == null ? "(no web address)" : url.url());
                if (entry.status() <= 0) {
                    out.println(shown + ": no answer");
                    continue;
                }
                Look look = look(entry, entry.method, url, entry.body);
                Finding finding = look.end(entry.body != null);
                answers++;
                blocks += finding.counts() ? 1 : 0;
                verdicts.merge(finding.verdict().type(), 1, Integer::sum);
                out.println(shown + ": " + entry.status() + ", " + finding.verdict().type());
                if (finding.verdict().isBlock()) {
                    explain(finding, look, "    ", host(url));
                }
            }
        } catch (IOException e) {
            return unreadable(file, e);
        } catch (OutOfMemoryError e) {
            err.println(file + ": an entry does not fit into memory; give more, by -Xmx2g before -jar");
            return USAGE;
        }
        out.println(answers + (answers == 1 ? " answer, " : " answers, ") + blocks
                + (blocks == 1 ? " block that counts" : " blocks that count") + (answers == 0 ? "" : ": " + verdicts));
        return blocks > 0 ? BLOCK : PAGE;
    }

    private int unreadable(String file, IOException e) {
        File f = new File(file);
        err.println(file + ": " + (!file.equals("-") && !f.exists() ? "no such file" : f.isDirectory() ? "is a directory"
                : e instanceof FileNotFoundException || e.getMessage() == null ? "not readable" : e.getMessage()));
        return USAGE;
    }

    // ---- both

    private Look look(Head head, String method, PageUrl url, byte[] body) {
        String host = host(url);
        Policy policy = settings.policy(host);
        Baseline baseline = baselines.computeIfAbsent(host, h -> new Baseline());
        Look look = settings.detector().look(method, host, url.path(), head,
                policy == null ? DetectRules.DEFAULT : policy.detection(), baseline);
        if (body != null && !look.settled()) {
            look.add(body, 0, body.length);
        }
        return look;
    }

    private static String host(PageUrl url) {
        String host = Hosts.canonical(url.host());
        return host == null ? NO_HOST : host;
    }

    private void explain(Finding finding, Look look, String indent, String host) {
        out.println(indent + "verdict:  " + finding.verdict().type()
                + (finding.verdict().isBlock() && !finding.counts() ? ", which does not count: it starts no cooldown" : ""));
        line(indent, "vendor:   ", finding.vendor());
        line(indent, "rule:     ", finding.rule());
        line(indent, "evidence: ", finding.evidence());
        if (finding.retryAfter() >= 0) {
            line(indent, "wait:     ", finding.retryAfter() / 1_000_000_000L + " s, as the site asks");
        }
        if (!look.scores().isEmpty()) {
            out.println(indent + "score:    " + look.score() + "; 50 are a block. Of each kind the strongest rule adds:");
            for (Score s : look.scores()) {
                out.println(indent + String.format(Locale.ROOT, "  %4d  %-6s  %s%s", s.weight(), s.kind(), s.rule(),
                        s.ignored() ? ", ignored" : ""));
                out.println(indent + "                  " + s.evidence());
                line(indent, "                  source: ", s.source());
                line(indent, "                  no block: ", s.alike());
            }
        }
        if (finding.counts()) {
            Set<String> names = new LinkedHashSet<>(Arrays.asList(finding.rule(), finding.verdict().type()));
            if (finding.vendor() != null) {
                names.add(finding.vendor()); // may be the rule's name, too
            }
            out.println(indent + "silence:  detect.ignore=" + String.join(", or ", names) + "; for one host "
                    + (host.equals(NO_HOST) ? "HOST" : host) + ":" + finding.rule());
        }
    }

    private void line(String indent, String name, String value) {
        if (value != null) {
            out.println(indent + name + value);
        }
    }

    private static byte[] bytes(String file) throws IOException {
        try (InputStream in = new FileInputStream(file)) {
            return bytes(in);
        }
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n; (n = in.read(buffer)) >= 0; ) {
            bytes.write(buffer, 0, n);
        }
        return bytes.toByteArray();
    }
}
