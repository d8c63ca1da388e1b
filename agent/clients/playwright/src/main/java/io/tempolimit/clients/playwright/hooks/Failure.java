package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.TimeoutError;
import io.tempolimit.core.Permit;
import java.io.InterruptedIOException;

/** What a failure says of the site. */
final class Failure {
    /** How the network's failures are called by Chromium, Firefox and the driver's own client. */
    private static final String[] NETWORK = {"net::ERR_", "NS_ERROR_", "ECONN", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH",
        "ENETUNREACH", "ETIMEDOUT", "EPIPE", "socket hang up"};

    private Failure() {
    }

    static void end(Permit permit, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof TimeoutError) {
            permit.failed(new InterruptedIOException(message));
        } else if (message.contains("invalid URL")) {
            permit.unused();
        } else if (message.contains("net::ERR_ABORTED")) { // an answer that is no page: a download, or no content
            permit.answered();
        } else if (isNetwork(message)) {
            permit.failed(failure);
        } else { // the page was closed, or went elsewhere: the site has no part in that
            permit.abandoned();
        }
    }

    private static boolean isNetwork(String message) {
        for (String mark : NETWORK) {
            if (message.contains(mark)) {
                return true;
            }
        }
        return false;
    }
}
