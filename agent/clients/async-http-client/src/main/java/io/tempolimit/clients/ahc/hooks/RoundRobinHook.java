package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;

/** To one of the site's addresses in turn; they are resolved first. */
public final class RoundRobinHook extends SendHook {
    public RoundRobinHook(Gate gate) {
        super(gate, "sendRequestRoundRobin");
    }
}
