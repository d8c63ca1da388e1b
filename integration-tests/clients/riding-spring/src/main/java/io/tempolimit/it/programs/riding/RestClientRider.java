package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.client.RestClient;

/** Spring's RestClient. */
public final class RestClientRider implements Http {
    private final RestClient client;

    public RestClientRider(String on) throws Exception {
        client = RestClient.builder().requestFactory(Factories.of(on)).build();
    }

    @Override
    public Reply send(Request request) {
        return client.get().uri(URI.create(request.url)).exchange((sent, response) -> {
            List<String> headers = new ArrayList<>();
            response.getHeaders().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
            return new Reply(response.getStatusCode().value(), headers, new ByteArrayInputStream(response.getBody().readAllBytes()));
        });
    }
}
