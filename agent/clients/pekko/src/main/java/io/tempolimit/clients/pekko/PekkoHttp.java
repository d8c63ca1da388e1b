package io.tempolimit.clients.pekko;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Pekko HTTP 1.0 and later, HTTP/1.1: {@code singleRequest}, {@code superPool}, and the flows of host connection pools
 * and of single connections, in the APIs of both languages.
 *
 * <p>Each request for a pool passes {@code PoolMaster.dispatchRequest}, which gives a future. There a request waits: the
 * method is skipped, its caller gets a future of ours, and the method is called on the materializer's executor when the
 * turn has come. So nothing of the pool counts a request that waits, neither {@code max-open-requests} nor a timeout. A
 * flow waits as it does for a slow site, since it has only so many requests in flight. If the pool shuts down just then,
 * it gives the request back to that method, which goes on with the same permit. The request is a copy, known by its
 * identity.
 *
 * <p>The library's futures cannot be cancelled. When the actor system has ended, the waits end.
 *
 * <p>A pool tries a request again by itself ({@code max-retries}). It copies the request's context for that, and for
 * nothing else. The attempt takes a token in advance.
 *
 * <p>The future that its caller has is completed with an entity of the same kind, whose bytes pass through a stage that
 * shows them as they are read. If nobody reads it, the pool gives up, and so does the body.
 *
 * <p>The flows of {@code outgoingConnection} and {@code connectionTo} have a connection and no pool. In front of each
 * comes a stage that lets one request after the other to it, each in its turn. The connection opens with the flow, so
 * the site, or the client's idle timeout, may close it during a long wait. Then the request fails.
 *
 * <p>HTTP/2 and web sockets are counted and named. Answers of HTTP/2 come in any order, and nothing but what the
 * application adds to its requests says which answer is whose.
 *
 * <p>Akka HTTP 10.2 is the same under other names: {@link AkkaHttp}. The hooks name no type that the Scala libraries of
 * 2.12, 2.13 and 3 have different ones of.
 *
 * <p>Lost: {@code PoolInterface.request}, which has the future that is completed, too. By then the pool's own timer runs,
 * and shuts the pool down under those that wait.
 */
public final class PekkoHttp {
    private PekkoHttp() {
    }

    public static final Client CLIENT = of("pekko", "Pekko HTTP", "org/apache/pekko/");

    /** @param root the package of all types of the library, with slashes */
    static Client of(String id, String label, String root) {
        String client = root + "http/impl/engine/client/";
        String extension = root + "http/scaladsl/HttpExt";
        return new Client(id, label, extension.replace('/', '.'), "io.tempolimit.clients.pekko.hooks",
                Site.gate(client + "PoolMaster", "dispatchRequest", "SendHook"),
                Site.gate(client + "PoolFlow$RequestContext", "copy", "RetryHook").fields("responsePromise"),
                Site.gate(client + "pool/SlotState$WaitingForResponseEntitySubscription", "onTimeout", "UnreadHook")
                        .fields("ongoingRequest"),
                Site.watch(client + "PoolInterface$", "apply", "PoolHook"),
                Site.watch(extension, "_outgoingConnection", "ConnectionHook"))
                .withCopies(root);
    }
}
