package io.tempolimit.detect;

import java.util.List;

/** One pass over an answer's headers: keeps what matters. */
final class HeadReading implements Headers {
    String contentType;
    String contentEncoding;
    String contentLength;
    String contentDisposition;
    String location;
    String date;
    boolean refresh;
    /** See {@link Head#rendered}. */
    boolean rendered;
    Waits waits;
    /** Rules of the catalogue with a header that is there, by their numbers; null: none. */
    long[] rules;
    /** Which of their headers the user's rules have found; null: none. */
    int[] own;

    private final Compiled compiled;

    HeadReading(Compiled compiled) {
        this.compiled = compiled;
    }

    @Override
    public void add(String name, String value) {
        Compiled.Use use = name == null || value == null ? null : compiled.of(name);
        if (use == null) {
            return;
        }
        if (use.meaning != Compiled.NO_MEANING) {
            meaning(use.meaning, value);
        }
        List<Catalogue.HeaderCondition> conditions = use.conditions;
        for (int i = 0; i < conditions.size(); i++) {
            Catalogue.HeaderCondition condition = conditions.get(i);
            if (condition.holdsFor(value.trim())) {
                rules = rules == null ? new long[(compiled.catalogue.rules.size() + 63) / 64] : rules;
                rules[condition.rule >> 6] |= 1L << condition.rule;
            }
        }
        for (int i = 0; i < use.own.size(); i++) {
            int[] ruleAndBit = use.own.get(i);
            String wanted = compiled.own.get(ruleAndBit[0]).headers[Integer.numberOfTrailingZeros(ruleAndBit[1])];
            if (wanted.equals("*") || wanted.equalsIgnoreCase(value.trim())) {
                own = own == null ? new int[compiled.own.size()] : own;
                own[ruleAndBit[0]] |= ruleAndBit[1];
            }
        }
    }

    private void meaning(int meaning, String value) {
        switch (meaning) {
            case Compiled.CONTENT_TYPE:
                contentType = value;
                break;
            case Compiled.CONTENT_ENCODING:
                contentEncoding = contentEncoding == null ? value : contentEncoding + ", " + value;
                break;
            case Compiled.CONTENT_LENGTH:
                contentLength = value;
                break;
            case Compiled.CONTENT_DISPOSITION:
                contentDisposition = value;
                break;
            case Compiled.LOCATION:
                location = value;
                break;
            case Compiled.REFRESH:
                refresh = true;
                break;
            case Compiled.DATE:
                date = value;
                break;
            default:
                waits = waits == null ? new Waits() : waits;
                wait(meaning, value);
        }
    }

    private void wait(int meaning, String value) {
        switch (meaning) {
            case Compiled.RETRY_AFTER:
                waits.retryAfter(value);
                break;
            case Compiled.RETRY_AFTER_MILLIS:
                waits.retryAfterMillis(value);
                break;
            case Compiled.RATE_LIMIT:
                waits.rateLimit(value);
                break;
            case Compiled.RATE_LIMIT_POLICY:
                waits.policy(value);
                break;
            case Compiled.REMAINING:
                waits.remaining(value);
                break;
            default:
                waits.reset(value);
        }
    }
}
