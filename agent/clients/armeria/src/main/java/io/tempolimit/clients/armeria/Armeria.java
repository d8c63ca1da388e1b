package io.tempolimit.clients.armeria;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Armeria 1.0 and later: {@code WebClient} and what stands on it (blocking and REST clients, gRPC, Thrift), HTTP/1.1
 * and HTTP/2.
 *
 * <p>{@code HttpClientDelegate} is below all decorators: redirects, retries and the application's own come to it with
 * each hop. It makes the hop's response, gives that to the application, and goes on in a private method that knows
 * request and response. There a hop waits: the method is skipped, and called again on the event loop of the hop's
 * context when its turn has come. So nobody gets another type of response than the client's own, and cancelling reaches
 * it. Connecting, writing and the response's timeout begin after the wait. From 1.32 the name is looked up after the
 * wait, too; before, there is no such method above the lookup. Before, a cancelled context also tells nobody until its
 * request has been sent, so it does not end a wait.
 *
 * <p>Two timeouts begin earlier. A response timeout that runs from the start of the request ({@code
 * ResponseTimeoutMode.FROM_START}) is stopped, and begins anew after the wait. The deadline for all attempts of a
 * {@code RetryingClient} is moved by the wait.
 *
 * <p>A rejection, a cancelled wait and a closed factory fail the response, the request and the log, as the client does
 * for a hop that never got a connection. A rejection is not wrapped in {@code UnprocessedRequestException}, which is
 * what retry rules like to send once more. To 1.28 a closed factory goes on sending, and so do the hops that wait.
 *
 * <p>Redirects and retries give the application a response of their own, and look whether it is cancelled with the next
 * hop only. So their responses are watched: when one is cancelled, the wait of its hop ends.
 *
 * <p>Bodies are looked at where the decoder puts them into the response: raw, as the application reads them unless it
 * has a decorator that decodes. They end where the client closes its wrapper of the response, so a response that nobody
 * reads frees its place.
 *
 * <p>To a site without TLS the client first speaks HTTP/2 without asking; then, on another connection, it asks for
 * HTTP/2 by a request of its own, {@code OPTIONS *}; then it speaks HTTP/1.1. It remembers what a site has said. All
 * that happens below the gate, for the same hop. {@code OPTIONS *} is a request to the site, so it takes a token in
 * advance.
 *
 * <p>Tried and lost: a deferred response in place of {@code HttpClientDelegate.execute}. It is of another type,
 * cancelling its context does not reach it before {@code execute} has run, and what its request becomes has to be
 * watched apart.
 */
public final class Armeria {
    private static final String CLIENT_PACKAGE = "com/linecorp/armeria/client/";
    private static final String DELEGATE = CLIENT_PACKAGE + "HttpClientDelegate";
    private static final String WRITE = "tryWrite";
    private static final String CLOSE = "(Ljava/lang/Throwable;";

    private Armeria() {
    }

    public static final Client CLIENT = new Client("armeria", "Armeria", "com.linecorp.armeria.client.HttpClientDelegate",
            "io.tempolimit.clients.armeria.hooks",
            Site.gate(DELEGATE, "execute0|acquireConnectionAndExecute", "HopHook").fields("factory"),
            Site.watch(CLIENT_PACKAGE + "DecodedHttpResponse", WRITE, "AnswerHook"), // to 1.22
            Site.watch("com/linecorp/armeria/internal/client/DecodedHttpResponse", WRITE, "AnswerHook"),
            Site.gate(CLIENT_PACKAGE + "HttpResponseDecoder$HttpResponseWrapper", "close", "EndHook").descriptor(CLOSE)
                    .fields("delegate"), // to 1.24
            Site.gate(CLIENT_PACKAGE + "HttpResponseWrapper", "close", "EndHook").descriptor(CLOSE).fields("delegate"),
            Site.watch(CLIENT_PACKAGE + "RedirectingClient", "execute", "FrontHook"), // since 1.10
            Site.watch(CLIENT_PACKAGE + "retry/RetryingClient", "doExecute", "FrontHook"),
            Site.watch(CLIENT_PACKAGE + "retry/AbstractRetryingClient$State", "actualResponseTimeoutMillis", "RetryTimeHook"),
            Site.gate(CLIENT_PACKAGE + "HttpClientPipelineConfigurator$UpgradeRequestHandler", "channelActive", "UpgradeHook"),
            Site.closes(CLIENT_PACKAGE + "HttpClientFactory", "close|closeAsync"));
}
