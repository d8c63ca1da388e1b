package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;

/** To the site, or to a proxy where it is certain what to say to it. */
public final class DirectHook extends SendHook {
    public DirectHook(Gate gate) {
        super(gate, "sendRequestWithCertainForceConnect");
    }
}
