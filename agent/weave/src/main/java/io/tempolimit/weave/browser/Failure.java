package io.tempolimit.weave.browser;

import io.tempolimit.core.Permit;
import java.io.InterruptedIOException;

/** What a failure says of the site. */
public final class Failure {
    /** How the network's failures are called by Chromium, Firefox and Playwright's own client. */
    private static final String[] NETWORK = {"net::ERR_", "NS_ERROR_", "about:neterror", "ECONN", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH",
        "ENETUNREACH", "ETIMEDOUT", "EPIPE", "socket hang up"};
    /** An answer that is no page: a download or no content; a failure without a body. */
    private static final String[] NO_PAGE = {"net::ERR_ABORTED", "net::ERR_HTTP_RESPONSE_CODE_FAILURE"};

    private Failure() {
    }

    /**
     * Ends the permit of a request that failed.
     *
     * @param timedOut whether the client waited no longer
     */
    public static void end(Permit permit, Throwable failure, boolean timedOut) {
        String message = String.valueOf(failure.getMessage());
        if (timedOut) {
            permit.failed(new InterruptedIOException(message));
        } else if (message.contains("invalid URL")) {
            permit.unused();
        } else if (hasOneOf(NO_PAGE, message)) {
            permit.answered();
        } else if (hasOneOf(NETWORK, message)) {
            permit.failed(failure);
        } else { // the page was closed or went elsewhere, or a dialog is open: the site has no part in that
            permit.abandoned();
        }
    }

    private static boolean hasOneOf(String[] marks, String message) {
        for (String mark : marks) {
            if (message.contains(mark)) {
                return true;
            }
        }
        return false;
    }
}
