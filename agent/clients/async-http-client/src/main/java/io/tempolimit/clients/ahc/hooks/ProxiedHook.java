package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;

/** To a proxy with which a tunnel is needed, unless a pooled connection has one. */
public final class ProxiedHook extends SendHook {
    public ProxiedHook(Gate gate) {
        super(gate, "sendRequestThroughProxy", "sendRequestThroughSslProxy");
    }
}
