package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;
import java.util.function.Consumer;

/** Before a hop takes its connection. */
public final class ConnectHook extends Hook {
    /** The permit of a connection's latest hop. */
    static final WeakMap<HttpURLConnection, Permit> PERMITS = new WeakMap<>(new Consumer<Permit>() { // not a lambda: see Timer
        @Override
        public void accept(Permit permit) {
            permit.abandoned();
        }
    });

    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if ((Boolean) args[0]) {
            return null; // connected already
        }
        HttpURLConnection connection = (HttpURLConnection) self;
        Permit before = PERMITS.remove(connection);
        if (before != null) {
            before.abandoned();
        }
        Permit permit = gate.pass(new UrlTarget(connection.getURL()));
        if (permit == null) {
            return null;
        }
        PERMITS.put(connection, permit);
        return new Call() {
            @Override
            public Throwable fail(Throwable failure) {
                permit.failed(failure);
                return failure;
            }
        };
    }
}
