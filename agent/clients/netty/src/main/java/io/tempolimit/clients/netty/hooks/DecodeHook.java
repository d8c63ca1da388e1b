package io.tempolimit.clients.netty.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;

/** Bytes are decoded; the arguments are the context, the bytes, and a list for what becomes of them. */
public final class DecodeHook extends Hook {
    public DecodeHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Line line = self instanceof HttpResponseDecoder ? Line.of(((ChannelHandlerContext) args[0]).channel()) : null;
        if (line == null) {
            return null;
        }
        List<?> out = (List<?>) args[2];
        int before = out.size();
        return new Call() {
            @Override
            public Object exit(Object result) {
                for (int i = before; i < out.size(); i++) {
                    if (out.get(i) instanceof HttpResponse) {
                        answered(line, (HttpResponse) out.get(i));
                    }
                }
                return result;
            }
        };
    }

    private static void answered(Line line, HttpResponse response) {
        int status = response.getStatus().code();
        Permit permit = status < 200 && status != 101 ? null : line.answered();
        if (permit == null) {
            return;
        }
        Body body = permit.answered(new Head() {
            @Override
            public int status() {
                return status;
            }

            @Override
            public void headers(Headers to) {
                for (Map.Entry<String, String> e : response.headers().entries()) {
                    to.add(e.getKey(), e.getValue());
                }
            }
        });
        if (body != null) {
            body.cut(); // as on sockets
        }
    }
}
