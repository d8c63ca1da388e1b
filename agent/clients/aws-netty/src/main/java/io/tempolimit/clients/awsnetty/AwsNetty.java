package io.tempolimit.clients.awsnetty;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * The Netty client of the AWS SDK 2, {@code NettyNioAsyncHttpClient} 2.10 and later, HTTP/1.1 and HTTP/2. It follows
 * no redirects and sends nothing again: whoever calls it does. 2.1 to 2.9 have the same methods and are woven, too, and
 * are not tested: they name the site in a request's first line, as if to a proxy.
 *
 * <p>{@code execute} runs once for each request and returns a future. There a request waits: the method is skipped, the
 * caller gets a future of ours, and the method is called again on one of the client's event loops when its turn has
 * come. So nothing is leased meanwhile, and none of the client's timeouts (acquiring, connecting, write, read) has
 * begun. Cancelling the future ends the wait, and closing the client does. A rejection fails the future, and the
 * request's handler is told, as it is of a connection that cannot be had.
 *
 * <p>The client gives each request to a {@code NettyRequestExecutor} of its own, on the thread that calls. There a hop
 * meets its {@code RequestContext}, by which it is known from then on. The application's handler is taken out of that
 * each time that it is to be told something: then one of ours is given, which sees head and body, raw, and passes them
 * on. A request has ended when its future has.
 *
 * <p>Lost: a copy of the request, with a handler of ours. Each version of the SDK has more to copy. The request itself
 * does not tell which hop it is: an application may send it twice.
 */
public final class AwsNetty {
    private static final String PACKAGE = "software/amazon/awssdk/http/nio/netty/";
    private static final String CLIENT_CLASS = PACKAGE + "NettyNioAsyncHttpClient";
    private static final String INTERNAL = PACKAGE + "internal/";

    private AwsNetty() {
    }

    public static final Client CLIENT = new Client("aws-netty", "AWS SDK 2 Netty client",
            "software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient", "io.tempolimit.clients.awsnetty.hooks",
            Site.gate(CLIENT_CLASS, "execute", "SendHook").fields("sdkEventLoopGroup", "pools"),
            Site.gate(INTERNAL + "NettyRequestExecutor", "execute", "ContextHook").fields("context"),
            Site.watch(INTERNAL + "RequestContext", "handler", "HandlerHook"),
            Site.closes(CLIENT_CLASS, "close"))
            .needing("software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient", "execute"); // not in the preview 2.0
}
