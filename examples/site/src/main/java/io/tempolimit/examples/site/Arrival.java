package io.tempolimit.examples.site;

/**
 * One request as it reached the site.
 *
 * @param nanos when, by the site's clock
 * @param client who asked: an address, or what the {@code X-Client} header said
 * @param method the HTTP method
 * @param host the {@code Host} header, empty where there was none
 * @param target path and query
 * @param status the status it was answered with
 */
public record Arrival(long nanos, String client, String method, String host, String target, int status) {
}
