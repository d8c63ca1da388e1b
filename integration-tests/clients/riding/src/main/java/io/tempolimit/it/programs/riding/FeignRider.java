package io.tempolimit.it.programs.riding;

import feign.Client;
import feign.Feign;
import feign.RequestLine;
import feign.Response;
import feign.Target;
import feign.hc5.ApacheHttp5Client;
import feign.okhttp.OkHttpClient;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** OpenFeign. */
public final class FeignRider implements Http {
    /** An API of nothing but pages. */
    interface Pages {
        @RequestLine("GET")
        Response get(URI page);
    }

    private final Pages pages;

    public FeignRider(String on) {
        Client client = on.equals("okhttp") ? new OkHttpClient() : new ApacheHttp5Client();
        pages = Feign.builder().client(client).target(Target.EmptyTarget.create(Pages.class));
    }

    @Override
    public Reply send(Request request) throws IOException {
        Response response = pages.get(URI.create(request.url));
        List<String> headers = new ArrayList<>();
        response.headers().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
        return new Reply(response.status(), headers, response.body().asInputStream());
    }
}
