package io.tempolimit.examples.site;

import java.util.Locale;

/** How a request ended, as the counts show it. */
public enum Outcome {
    /** A page of the shop, or its robots.txt. */
    PAGES,
    /** The client has the page already (304). */
    NOT_MODIFIED,
    /** Sent on to another page (302). */
    REDIRECTS,
    /** No such page (404). */
    NOT_FOUND,
    /** Neither GET nor HEAD (405). */
    NOT_ALLOWED,
    /** Refused for coming too fast (429). */
    REFUSED_429,
    /** Refused because of a ban (403). */
    REFUSED_403;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
