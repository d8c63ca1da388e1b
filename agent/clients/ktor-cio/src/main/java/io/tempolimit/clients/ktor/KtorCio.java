package io.tempolimit.clients.ktor;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * The engine CIO of Ktor's client, 2 and 3. Ktor's other engines ride on clients that are woven themselves.
 *
 * <p>{@code CIOEngine.execute} runs once for each hop (first request, redirect, retry, authentication, a web socket's handshake):
 * all of that is done by plugins above the engine. It is a suspend function: a method with a {@code Continuation}, which returns
 * {@code COROUTINE_SUSPENDED}. There a hop waits: the method is skipped, and called when its turn has come, on the engine's own
 * dispatcher. It gets a continuation of ours, which sees the answer and hands it on. A hop ends its wait when its job is cancelled,
 * as Ktor cancels it with the call, and when the engine is closed. A rejection is thrown.
 *
 * <p>The engine's timeouts begin after the wait. The plugin {@code HttpTimeout} begins above the engine: it launches a
 * coroutine that sleeps for {@code requestTimeoutMillis} and then cancels the call. When it wakes up, it sleeps on for as long as
 * the call's hops have waited.
 *
 * <p>Bodies are looked at where what is read leaves the channel: raw. Their ends are those of their calls. Ktor 2 and 3 have different
 * channels. These belong to a library that Ktor's server and other engines use, too.
 *
 * <p>Lost: to hold what is above {@code HttpTimeout}. Retries may be below it, and redirects may be above it.
 */
public final class KtorCio {
    private static final String ENGINE = "io/ktor/client/engine/cio/CIOEngine";
    private static final String TIMEOUT = "io/ktor/client/plugins/HttpTimeout";
    private static final String CHANNELS = "io/ktor/utils/io/";

    private KtorCio() {
    }

    public static final Client CLIENT = new Client("ktor-cio", "Ktor CIO", "io.ktor.client.engine.cio.CIOEngine",
            "io.tempolimit.clients.ktor.hooks",
            Site.gate(ENGINE, "execute", "SendHook").fields("proxy"),
            Site.closes(ENGINE, "close"),
            Site.gate(TIMEOUT + "$Plugin$install$1$1$killer$1", "invokeSuspend", "TimeoutHook").fields("label").optional(), // 2
            Site.gate(TIMEOUT + "Kt$HttpTimeout$2$1$1$killer$1", "invokeSuspend", "TimeoutHook").fields("label").optional(), // 3.0
            Site.gate(TIMEOUT + "Kt$HttpTimeout$3$1$1$killer$1", "invokeSuspend", "TimeoutHook").fields("label").optional(), // 3.1
            Site.gate(TIMEOUT + "Kt$applyRequestTimeout$killer$1", "invokeSuspend", "TimeoutHook").fields("label").optional(), // since 3.2
            Site.gate(CHANNELS + "ByteBufferChannel", "bytesRead", "RingHook").fields("readPosition", "reservedSize").optional(), // 2
            Site.gate(CHANNELS + "ByteChannel", "moveFlushToReadBuffer", "BufferHook")
                    .fields("flushBuffer", "flushBufferMutex").optional()) // 3
            .needing("io.ktor.client.plugins.websocket.cio.BuildersCioKt", "webSocketRaw"); // features in 1
}
