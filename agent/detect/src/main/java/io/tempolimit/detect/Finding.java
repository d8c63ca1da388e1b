package io.tempolimit.detect;

/** A verdict with its reasons. Immutable. */
public final class Finding {
    /** The site asks for no wait. */
    public static final long NO_WAIT = -1;
    /** What most answers get. */
    private static final Finding PAGE = new Finding(Verdict.SUCCESS, false, 200, null, null, null, NO_WAIT);

    private final Verdict verdict;
    private final boolean counts;
    private final int status;
    private final String vendor;
    private final String rule;
    private final String evidence;
    private final long retryAfter;

    Finding(Verdict verdict, boolean counts, int status, String vendor, String rule, String evidence, long retryAfter) {
        this.verdict = verdict;
        this.counts = counts;
        this.status = status;
        this.vendor = vendor;
        this.rule = rule;
        this.evidence = evidence;
        this.retryAfter = retryAfter;
    }

    /** A verdict that needs no reasons; {@code status} is 0 where there was no answer. A block among them counts. */
    public static Finding of(Verdict verdict, int status) {
        return verdict == Verdict.SUCCESS && status == 200 ? PAGE
                : new Finding(verdict, verdict.isBlock(), status, null, null, null, NO_WAIT);
    }

    /** The same, but that it does not make the count rise. */
    Finding uncounted() {
        return counts ? new Finding(verdict, false, status, vendor, rule, evidence, retryAfter) : this;
    }

    /** The verdict. */
    public Verdict verdict() {
        return verdict;
    }

    /** Whether it makes the count of blocks rise. A block that does not count neither climbs nor resets. */
    public boolean counts() {
        return counts;
    }

    /** The answer's status; 0 where there was none. */
    public int status() {
        return status;
    }

    /** Who made the block, as the catalogue writes it ({@code cloudflare}); null where it is not known. */
    public String vendor() {
        return vendor;
    }

    /** The name of the rule that decided; null where the status did. */
    public String rule() {
        return rule;
    }

    /**
     * What of that rule matched ({@code header cf-mitigated}); null where the status decided. These are the catalogue's or
     * the user's own words: never a page's text, a header's value or a query.
     */
    public String evidence() {
        return evidence;
    }

    /** The nanoseconds that the site asks to wait, at most {@code Long.MAX_VALUE}; {@link #NO_WAIT} where it asks for nothing. */
    public long retryAfter() {
        return retryAfter;
    }
}
