package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** Spring's WebClient. */
public final class WebClientRider implements Http {
    private final WebClient client;

    public WebClientRider(String on) {
        ClientHttpConnector connector = on.equals("jdk")
                ? new JdkClientHttpConnector(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build())
                : new ReactorClientHttpConnector(reactor.netty.http.client.HttpClient.create().followRedirect(true));
        client = WebClient.builder().clientConnector(connector).build();
    }

    @Override
    public Reply send(Request request) {
        return client.get().uri(URI.create(request.url)).exchangeToMono(response -> response.bodyToMono(byte[].class)
                .defaultIfEmpty(new byte[0]).map(body -> {
            List<String> headers = new ArrayList<>();
            response.headers().asHttpHeaders().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
            return new Reply(response.statusCode().value(), headers, new ByteArrayInputStream(body));
        })).block();
    }
}
