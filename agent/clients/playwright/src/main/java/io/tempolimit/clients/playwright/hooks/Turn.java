package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.PlaywrightException;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;

/** Waits for one's turn, in Playwright's own terms. */
final class Turn {
    private Turn() {
    }

    /** The permit, granted; null if the request is not paced. */
    static Permit await(Gate gate, Target target) throws Refusal {
        try {
            Permit permit = gate.arrive(target);
            if (permit != null) {
                Parking.await(permit);
            }
            return permit;
        } catch (RequestRejectedException | InterruptedException e) {
            throw new Refusal(new PlaywrightException(e.getMessage(), e));
        }
    }
}
