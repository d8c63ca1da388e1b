package io.tempolimit.clients.nutch.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** An answer's head. */
final class ResponseHead extends Head {
    /** What the plugin decodes. */
    private static final List<String> DECODED = Arrays.asList("gzip", "x-gzip", "deflate");

    private final Internals plugin;
    private final Object response;

    ResponseHead(Internals plugin, Object response) {
        this.plugin = plugin;
        this.response = response;
    }

    @Override
    public int status() {
        return plugin.code(response);
    }

    @Override
    public void headers(Headers to) {
        Object headers = plugin.headers(response);
        for (String name : plugin.names(headers)) {
            if (!name.startsWith("_")) { // the plugin's own notes, as the address
                for (String value : plugin.values(headers, name)) {
                    to.add(name, value);
                }
            }
        }
    }

    @Override
    public boolean decoded() {
        Object headers = plugin.headers(response);
        for (String name : plugin.names(headers)) {
            if (name.equalsIgnoreCase("Content-Encoding")) {
                String[] values = plugin.values(headers, name);
                return values.length > 0 && DECODED.contains(values[0].trim().toLowerCase(Locale.ROOT));
            }
        }
        return false;
    }
}
