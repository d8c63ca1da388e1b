package io.tempolimit.detect;

/** A rule of the catalogue that held for an answer. Immutable. */
public final class Score {
    final Rule rule;
    private final String evidence;
    private final boolean ignored;

    Score(Rule rule, String evidence, boolean ignored) {
        this.rule = rule;
        this.evidence = evidence;
        this.ignored = ignored;
    }

    /** Its name. */
    public String rule() {
        return rule.name;
    }

    /** Its vendor; null where it has none. */
    String vendor() {
        return rule.vendor;
    }

    /** What it takes the answer for; null for a circumstance, which adds to a score and never decides. */
    Verdict verdict() {
        return rule.verdict;
    }

    /** What sort of evidence it is, as the catalogue writes it. Of each sort only the strongest adds to the score. */
    public String kind() {
        return rule.kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    /** How much it adds; 50 in all are a block. */
    public int weight() {
        return rule.weight;
    }

    /** What of it matched, in the catalogue's words; never null. */
    public String evidence() {
        return evidence;
    }

    /** What looks like it and is none; null where nothing is known. */
    public String alike() {
        return rule.alike;
    }

    /** Where it is from: verified or second-hand; null for a circumstance. */
    public String source() {
        return rule.source;
    }

    /** Whether the rules for the host silence it. */
    public boolean ignored() {
        return ignored;
    }
}
