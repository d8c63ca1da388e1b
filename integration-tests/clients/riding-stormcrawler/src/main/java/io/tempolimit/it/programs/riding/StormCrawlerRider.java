package io.tempolimit.it.programs.riding;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.protocol.Protocol;
import com.digitalpebble.stormcrawler.protocol.ProtocolResponse;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.Config;

/** StormCrawler's protocols. */
public final class StormCrawlerRider implements Http {
    private final Protocol protocol;

    public StormCrawlerRider(String on) {
        protocol = on.equals("okhttp") ? new com.digitalpebble.stormcrawler.protocol.okhttp.HttpProtocol()
                : new com.digitalpebble.stormcrawler.protocol.httpclient.HttpProtocol();
        Config config = new Config();
        config.put("http.agent.name", "test");
        protocol.configure(config);
    }

    @Override
    public Reply send(Request request) throws Exception {
        ProtocolResponse response = protocol.getProtocolOutput(request.url, new Metadata());
        List<String> headers = new ArrayList<>();
        for (String name : response.getMetadata().keySet()) {
            headers.add(name + ": " + response.getMetadata().getFirstValue(name));
        }
        return new Reply(response.getStatusCode(), headers, new ByteArrayInputStream(response.getContent()));
    }
}
