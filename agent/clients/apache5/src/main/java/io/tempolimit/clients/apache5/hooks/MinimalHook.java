package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHost;

/** A request of the minimal client, which has no chain: host (may be null), request, context; the field is its connection manager. */
public final class MinimalHook extends Hook {
    private final Gate gate;

    public MinimalHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        ClassicHttpRequest request = (ClassicHttpRequest) args[1];
        HttpHost host = (HttpHost) args[0];
        if (host == null && request.getAuthority() != null) {
            host = new HttpHost(request.getScheme(), request.getAuthority());
        }
        Permit permit = host == null ? null : Exchange.pass(gate, new MinimalTarget(host, request), request, args[3]);
        return new Exchange(permit, request).begin();
    }

    /** There is nothing above the place where it waits that could turn a rejection into a response. */
    private static final class MinimalTarget extends HostTarget {
        MinimalTarget(HttpHost host, ClassicHttpRequest request) {
            super(host, null, request, null);
        }

        @Override
        public boolean answerable() {
            return false;
        }
    }
}
