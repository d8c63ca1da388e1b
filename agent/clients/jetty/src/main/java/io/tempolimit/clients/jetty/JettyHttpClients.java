package io.tempolimit.clients.jetty;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;
import java.util.ArrayList;
import java.util.List;

/**
 * Jetty's {@code HttpClient} 9.4 to 12.1, {@code send()} and {@code send(listener)}, over whatever transport (HTTP/1.1, HTTP/2 ...).
 *
 * <p>Every hop (first request, redirect, authentication) is handed to {@code HttpDestination.send} as an exchange of
 * its own, before it enters the destination's queue and before a connection is looked for. One that has to wait is
 * handed over later, on the client's executor. No thread waits but the caller of a blocking {@code send()}, which Jetty
 * itself lets wait for the answer. The exchange is part of its conversation already, so aborting any of the
 * conversation's requests fails it as if it were in the queue. Before 9.4.9 the exchange is made inside of
 * {@code send(HttpRequest, List)}, and a hop waits in front of that.
 *
 * <p>The total timeout does not run during a wait: it begins when the exchange enters the queue, or (9.4.9 to 10.0.13) is begun again, or
 * (in versions that have it as a listener) stands still. Only in a blocking {@code send()} before 9.4.9 it goes on. A rejection aborts the
 * request, as a full queue does; a client that is stopped aborts those that wait as it does those in its queue; a destination through which
 * a hop will go is not given up for being idle.
 *
 * <p>A request on a connection that the application has taken for itself ({@code Connection.send}) takes its token
 * without waiting, and the next one pays: there is no exchange yet that could be aborted during a wait. {@code CONNECT}
 * comes that way too, and is free.
 *
 * <p>Bodies are seen on their way from the network, as the listeners ask for them, and before they are decoded: up to
 * 11 they are handed over, in 12 the first of the sources that the listener's is made of reads them. A body that the
 * client reads itself (a redirect's, a request's for a password, one without a listener) is seen too.
 *
 * <p>Not done: to let those depart once more that Jetty kept in its queue for want of a connection. The first ones to a host are always
 * in it for as long as it takes to connect, and would pay twice.
 *
 * <p>Packages differ up to 11 and in 12, names and shapes hardly do: one set of hooks finds them in the woven class's package.
 */
public final class JettyHttpClients {
    private static final String PACKAGE_9_TO_11 = "org/eclipse/jetty/client/";
    private static final String PACKAGE_12 = "org/eclipse/jetty/client/transport/";

    private JettyHttpClients() {
    }

    public static final Client CLIENT = new Client("jetty", "Jetty HttpClient", "org.eclipse.jetty.client.HttpClient",
            "io.tempolimit.clients.jetty.hooks", sites());

    private static Site[] sites() {
        List<Site> sites = new ArrayList<>();
        for (String in : new String[] {PACKAGE_9_TO_11, PACKAGE_12}) {
            sites.add(Site.gate(in + "HttpDestination", "send", "SendHook").descriptor("(L" + in + "HttpExchange;)").optional());
            sites.add(Site.watch(in + "HttpDestination", "sweep", "SweepHook").optional());
            sites.add(Site.watch(in + "HttpConnection", "send", "ConnectionHook").descriptor(in.equals(PACKAGE_12)
                    ? "(Lorg/eclipse/jetty/client/Request;" : "(Lorg/eclipse/jetty/client/api/Request;"));
            sites.add(Site.watch(in + "HttpConversation", "abort", "AbortHook"));
            Site head = Site.watch(in + "HttpReceiver", "responseHeaders", "AnswerHook");
            sites.add(in.equals(PACKAGE_12) ? head.fields("invoker") : head);
            sites.add(Site.watch(in + "HttpReceiver", "responseSuccess", "SuccessHook"));
            for (String end : new String[] {"abort", "requestComplete", "responseComplete"}) {
                sites.add(Site.watch(in + "HttpExchange", end, "FailureHook"));
            }
        }
        sites.add(Site.watch(PACKAGE_9_TO_11 + "HttpReceiver", "responseContent", "ContentHook"));
        sites.add(Site.watch(PACKAGE_12 + "HttpReceiver$ContentSource", "read", "ReadHook").fields("this$0"));
        sites.add(Site.gate(PACKAGE_9_TO_11 + "HttpDestination", "send", "EarlySendHook")
                .descriptor("(Lorg/eclipse/jetty/client/HttpRequest;Ljava/util/List;"));
        sites.add(Site.watch("org/eclipse/jetty/client/HttpClient", "doStop", "StopHook"));
        return sites.toArray(new Site[0]);
    }
}
