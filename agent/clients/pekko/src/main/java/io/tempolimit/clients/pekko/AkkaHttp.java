package io.tempolimit.clients.pekko;

import io.tempolimit.weave.Client;

/** Akka HTTP 10.2: what Pekko HTTP was made of, and woven as {@link PekkoHttp} is. */
public final class AkkaHttp {
    private AkkaHttp() {
    }

    public static final Client CLIENT = PekkoHttp.of("akka", "Akka HTTP", "akka/").hooksSpeakOf("org/apache/pekko/");
}
