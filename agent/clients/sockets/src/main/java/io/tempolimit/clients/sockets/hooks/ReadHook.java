package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSocket;

/**
 * Something is read. The arguments begin with an array and where the bytes go in it, and end with the socket, if that is not the woven
 * object itself; or they begin with a buffer, or with an array of buffers, where they begin and how many they are.
 */
public final class ReadHook extends Hook {
    private static final String TLS = "sun.security.ssl.";

    public ReadHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Object last = args[args.length - 1];
        Object socket = last instanceof Socket ? last : self;
        if (socket instanceof SSLSocket && !self.getClass().getName().startsWith(TLS)) {
            return null; // what TLS reads from the network for the same socket
        }
        Into into = args[0] instanceof byte[] ? new Into((byte[]) args[0], (Integer) args[1])
                : args[0] instanceof ByteBuffer ? new Into(new ByteBuffer[] {(ByteBuffer) args[0]}, 0, 1)
                : new Into((ByteBuffer[]) args[0], (Integer) args[1], (Integer) args[2]);
        return new Call() {
            @Override
            public Object exit(Object result) {
                long n = ((Number) result).longValue();
                Exchange exchange = n == 0 ? null : Connection.exchangeAt(socket); // it may have begun while this waited for bytes
                if (exchange == null) {
                    return result;
                }
                if (n < 0) {
                    exchange.ended();
                    exchange.awaitTurn();
                    Connection.end(socket, exchange);
                    return result;
                }
                boolean whole = into.show((int) n, exchange);
                exchange.awaitTurn();
                if (whole) {
                    Connection.end(socket, exchange);
                }
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                Exchange exchange = Connection.exchangeAt(socket);
                if (exchange != null) {
                    boolean over = exchange.failed(failure);
                    exchange.awaitTurn();
                    if (over) {
                        Connection.end(socket, exchange);
                    }
                }
                return failure;
            }
        };
    }

    /** Where the bytes are put. */
    private static final class Into {
        private final byte[] array;
        private final int from;
        private final ByteBuffer[] buffers;

        Into(byte[] array, int from) {
            this.array = array;
            this.from = from;
            this.buffers = null;
        }

        /** The buffers as they are before the read. */
        Into(ByteBuffer[] all, int first, int count) {
            array = null;
            from = 0;
            buffers = new ByteBuffer[Math.max(0, Math.min(count, all.length - first))];
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = all[first + i] == null ? null : all[first + i].duplicate();
            }
        }

        /** Shows what was read; whether the answer's head is complete. */
        boolean show(int n, Exchange exchange) {
            if (array != null) {
                return exchange.read(array, from, n);
            }
            int left = n;
            for (int i = 0; i < buffers.length && left > 0; i++) {
                byte[] bytes = new byte[Math.min(left, buffers[i].remaining())];
                buffers[i].get(bytes);
                left -= bytes.length;
                if (exchange.read(bytes, 0, bytes.length)) {
                    return true;
                }
            }
            return false;
        }
    }
}
