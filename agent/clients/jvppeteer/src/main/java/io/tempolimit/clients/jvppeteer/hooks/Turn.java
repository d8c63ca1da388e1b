package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;

/** Waits for one's turn, in jvppeteer's own terms. */
final class Turn {
    private Turn() {
    }

    /**
     * Gives the permit, granted; null if the request is not paced, or cannot be sent, which the method itself finds out.
     *
     * @param session without which it cannot be sent
     */
    static Permit await(Gate gate, Target target, Object session) throws Exception {
        if (CloseHook.CLOSED.isClosed(session)) {
            return null;
        }
        try {
            Permit permit = gate.arrive(target);
            if (permit == null) {
                return null;
            }
            await(permit, session);
            return permit.cancelled() ? null : permit;
        } catch (RequestRejectedException | InterruptedException e) {
            throw new Refusal(Names.exception(e));
        }
    }

    private static void await(Permit permit, Object session) throws InterruptedException, RequestRejectedException {
        try {
            CloseHook.CLOSED.waits(permit, session, permit::cancel);
            Parking.await(permit);
        } finally {
            CloseHook.CLOSED.waitIsOver(permit);
        }
    }
}
