package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.settings.ClientConnectionSettings;
import org.apache.pekko.stream.scaladsl.BidiFlow;
import org.apache.pekko.stream.scaladsl.Flow;
import org.apache.pekko.stream.scaladsl.Keep;

/** The flow of a connection of the application's own; the arguments are host, port, settings, and whether by TLS. */
public final class ConnectionHook extends Hook {
    private final Gate gate;

    public ConnectionHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (PoolHook.isMaking()) {
            return null;
        }
        Endpoint endpoint = new Endpoint((String) args[0], (Integer) args[1], ((ConnectionContext) args[3]).isSecure(),
                (ClientConnectionSettings) args[2]);
        return new Call() {
            @Override
            @SuppressWarnings("unchecked")
            public Object exit(Object flow) {
                return paced((Flow<HttpRequest, HttpResponse, Object>) flow, endpoint);
            }

            @Override
            public Throwable fail(Throwable failure) {
                return failure;
            }
        };
    }

    private Flow<HttpRequest, HttpResponse, Object> paced(Flow<HttpRequest, HttpResponse, Object> flow, Endpoint endpoint) {
        return BidiFlow.fromGraph(new Pace(gate, endpoint)).joinMat(flow, Keep.right());
    }
}
