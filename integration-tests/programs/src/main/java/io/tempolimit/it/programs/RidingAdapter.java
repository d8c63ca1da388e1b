package io.tempolimit.it.programs;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Libraries that send through a client of others. The option {@code rider} names the class (in {@code io.tempolimit.it.programs.riding}),
 * and {@code on} the client below, which that class's constructor is given.
 */
public final class RidingAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.noneOf(Feature.class);
    }

    @Override
    public String cancelled() {
        return "none";
    }

    @Override
    public String interrupted() {
        return "none";
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        Http rider = (Http) Class.forName("io.tempolimit.it.programs.riding." + options.get("rider")).getConstructor(String.class)
                .newInstance(options.get("on"));
        return request -> send(rider, request);
    }

    /** Follows redirects that the library gives back, as crawlers do, whose next page that is. */
    private static Reply send(Http rider, Request request) throws Exception {
        Reply reply = rider.send(request);
        for (String header : reply.headers) {
            if (reply.status / 100 == 3 && header.regionMatches(true, 0, "location:", 0, 9)) {
                reply.body.close();
                return send(rider, new Request("GET", header.substring(9).trim(), false));
            }
        }
        return reply;
    }
}
