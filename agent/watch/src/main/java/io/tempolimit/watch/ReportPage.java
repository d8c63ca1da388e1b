package io.tempolimit.watch;

import java.io.IOException;

/** Tells a run as one HTML page. */
public interface ReportPage {
    /** The page, with all that has happened so far. */
    String html() throws IOException;
}
