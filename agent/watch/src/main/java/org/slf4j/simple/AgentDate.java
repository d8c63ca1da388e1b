package org.slf4j.simple;

import java.text.DateFormat;
import java.text.FieldPosition;
import java.text.ParsePosition;
import java.util.Date;

/**
 * {@code 2026-11-27 22:20:01 [tempolimit]}: local time, and the name, which the contract's line has before the level, where
 * slf4j-simple has no place for it.
 *
 * <p>Not a SimpleDateFormat, whose first use searches for locale providers and costs 60 ms of CPU on the thread of a
 * request, or in premain. Hence {@link Date}'s own fields, deprecated since 1.1 but right for this.
 */
final class AgentDate extends DateFormat {
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings("deprecation")
    public StringBuffer format(Date date, StringBuffer to, FieldPosition none) {
        to.append(date.getYear() + 1900);
        two(to, '-', date.getMonth() + 1);
        two(to, '-', date.getDate());
        two(to, ' ', date.getHours());
        two(to, ':', date.getMinutes());
        two(to, ':', date.getSeconds());
        return to.append(" [tempolimit]");
    }

    private static void two(StringBuffer to, char before, int n) {
        to.append(before).append((char) ('0' + n / 10)).append((char) ('0' + n % 10));
    }

    @Override
    public Date parse(String source, ParsePosition position) {
        throw new UnsupportedOperationException();
    }
}
