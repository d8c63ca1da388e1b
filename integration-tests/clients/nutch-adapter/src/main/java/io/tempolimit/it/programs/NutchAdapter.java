package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.nutch.net.protocols.Response;

/** Nutch's fetcher with its default plugin, which has a class loader of its own. The fetcher follows redirects, as pages of their own. */
public final class NutchAdapter implements Adapter {
    private static final String PLUGIN = "org.apache.nutch.protocol.http.";
    private static final ClassLoader LOADER = loader();

    /** What the fetcher calls of a plugin. */
    public interface Plugin {
        Response fetch(URL url, String method) throws IOException;
    }

    private static ClassLoader loader() {
        URL here = NutchAdapter.class.getProtectionDomain().getCodeSource().getLocation();
        return new URLClassLoader(new URL[] {here}, NutchAdapter.class.getClassLoader()) {
            @Override
            protected synchronized Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : name.startsWith(PLUGIN) ? findClass(name) : super.loadClass(name, resolve);
            }
        };
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.KEEPS_INTERRUPT, Feature.SENDS_ONCE, Feature.NEVER_RETRIES, Feature.TAKES_PROXY, Feature.BODIES,
                Feature.BUFFERS_SYNC, Feature.BUFFERS_ALL, Feature.USER_AGENT, Feature.NO_TLS);
    }

    @Override
    public String cancelled() {
        return "java.io.InterruptedIOException";
    }

    @Override
    public String interrupted() {
        return "java.io.InterruptedIOException";
    }

    @Override
    public Http open(Map<String, String> options) throws ReflectiveOperationException {
        int timeout = Integer.parseInt(options.getOrDefault("timeout", "60000"));
        Plugin plugin = (Plugin) Class.forName(PLUGIN + "Http", true, LOADER)
                .getConstructor(int.class, String.class, InetSocketAddress.class)
                .newInstance(timeout, options.get("user-agent"), Adapter.proxy(options));
        return request -> {
            URL url = new URL(request.url);
            Response response = plugin.fetch(url, request.method);
            for (int hops = 0; hops < 20 && response.getCode() / 100 == 3 && response.getHeader("Location") != null; hops++) {
                url = new URL(url, response.getHeader("Location"));
                response = plugin.fetch(url, request.method);
            }
            return new Reply(response.getCode(), headers(response), new ByteArrayInputStream(response.getContent()));
        };
    }

    private static List<String> headers(Response response) {
        List<String> lines = new ArrayList<>();
        for (String name : response.getHeaders().names()) {
            for (String value : response.getHeaders().getValues(name)) {
                lines.add(name + ": " + value);
            }
        }
        return lines;
    }
}
