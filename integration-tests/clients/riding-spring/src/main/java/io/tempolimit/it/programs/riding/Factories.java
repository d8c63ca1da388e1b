package io.tempolimit.it.programs.riding;

import java.net.http.HttpClient;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;

/** What Spring sends through. */
final class Factories {
    private Factories() {
    }

    static ClientHttpRequestFactory of(String client) throws Exception {
        switch (client) {
            case "jdk":
                return new JdkClientHttpRequestFactory(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build());
            case "apache5":
                return new HttpComponentsClientHttpRequestFactory();
            case "jetty":
                JettyClientHttpRequestFactory jetty = new JettyClientHttpRequestFactory();
                jetty.afterPropertiesSet();
                return jetty;
            case "reactor-netty":
                return new ReactorClientHttpRequestFactory(reactor.netty.http.client.HttpClient.create().followRedirect(true));
            default:
                return new SimpleClientHttpRequestFactory();
        }
    }
}
