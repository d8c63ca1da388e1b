package io.tempolimit.clients.commons.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Locale;
import org.apache.commons.httpclient.Header;
import org.apache.commons.httpclient.HttpConnection;
import org.apache.commons.httpclient.HttpMethodBase;

/** The answer's head is there. Of two methods of that name the one with the connection alone makes the body's stream. */
public final class AnswerHook extends Hook {
    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange exchange = args.length == 1 ? Exchange.of(self) : null;
        return exchange == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                return exchange.answered((InputStream) result, (HttpConnection) args[0], drains((HttpMethodBase) self));
            }
        };
    }

    /** Only a body whose end is known leaves a connection to be used again. */
    private static boolean drains(HttpMethodBase method) {
        Header encoding = method.getResponseHeader("Transfer-Encoding");
        return encoding == null ? method.getResponseContentLength() >= 0 : encoding.getValue().toLowerCase(Locale.ROOT).endsWith("chunked");
    }
}
