package io.tempolimit.clients.armeria.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * A new connection, of which the argument is the context, asks the site whether it speaks HTTP/2: by a request of its
 * own.
 */
public final class UpgradeHook extends Hook {
    private final Gate gate;

    public UpgradeHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        SocketAddress site = ((ChannelHandlerContext) args[0]).channel().remoteAddress();
        if (site instanceof InetSocketAddress) {
            Permit permit = gate.limiter().charge(new Question((InetSocketAddress) site));
            if (permit != null) {
                permit.answered();
            }
        }
        return null;
    }

    /** {@code OPTIONS *}. */
    private static final class Question extends Target {
        private final InetSocketAddress site;

        Question(InetSocketAddress site) {
            this.site = site;
        }

        @Override
        public String method() {
            return "OPTIONS";
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public String host() {
            return site.getHostString();
        }

        @Override
        public int port() {
            return site.getPort() == 80 ? -1 : site.getPort();
        }

        @Override
        public String path() {
            return "*";
        }
    }
}
