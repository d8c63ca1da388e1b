package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;

/** The application is done with a connection, whether it has had an answer, has asked for one, or has only connected. */
public final class DisconnectHook extends Hook {
    public DisconnectHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        HttpURLConnection connection = (HttpURLConnection) self;
        Permit permit = ConnectHook.PERMITS.remove(connection);
        if (permit != null) {
            permit.abandoned();
        }
        BodyHook.skipped(connection);
        return null;
    }
}
