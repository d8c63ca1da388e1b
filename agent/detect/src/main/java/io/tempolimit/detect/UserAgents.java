package io.tempolimit.detect;

import java.util.Locale;

/** User agents that sites refuse at sight. */
public final class UserAgents {
    private static final String[] TOKENS = {
        "bot", "crawler", "spider", "scraper", "curl", "wget", "python-requests", "postman", "postmanruntime", "insomnia", "httpie"};
    /** What Java's HTTP clients call themselves where the application does not say otherwise. */
    private static final String[] DEFAULTS = {
        "java/", "java-http-client/", "okhttp/", "apache-httpclient/", "apache-httpasyncclient/", "jakarta commons-httpclient/",
        "ahc/", "jetty/", "reactornetty/", "vert.x-webclient/", "crawler4j", "jersey/", "unirest-java/", "ktor-client", "ktor client",
        "akka-http/", "pekko-http/", "ning/", "armeria/", "helidon"};

    private UserAgents() { }

    /**
     * Why sites refuse this user agent at sight, for a message ({@code the default of okhttp}); null where it is fine:
     * a browser's, one that names a contact, or any other of its own.
     *
     * @param userAgent the header's value; null where the request has none
     */
    public static String suspicious(String userAgent) {
        if (userAgent == null || userAgent.trim().isEmpty()) {
            return "none of its own";
        }
        String ua = userAgent.trim().toLowerCase(Locale.ROOT);
        if (namesContact(ua) || isBrowser(ua)) {
            return null;
        }
        for (String name : DEFAULTS) {
            if (ua.startsWith(name)) {
                return "the default of " + (name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
            }
        }
        for (String token : TOKENS) {
            if (hasToken(ua, token)) {
                return "it says " + token;
            }
        }
        return null;
    }

    private static boolean namesContact(String ua) {
        if (ua.contains("+http://") || ua.contains("+https://")) {
            return true;
        }
        for (int at = ua.indexOf('@'); at > 0; at = ua.indexOf('@', at + 1)) {
            int end = at + 1;
            while (end < ua.length() && isAddress(ua.charAt(end))) {
                end++;
            }
            int dot = ua.indexOf('.', at);
            if (isAddress(ua.charAt(at - 1)) && dot > at + 1 && dot < end - 1) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAddress(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_' || c == '+' || c > 127;
    }

    /** As browsers write it; a crawler that writes like one says {@code compatible}. Some telephones are called after a token. */
    private static boolean isBrowser(String ua) {
        return ua.startsWith("mozilla/5.0 (") && !ua.contains("compatible;")
                && (ua.contains(" applewebkit/") && (ua.contains("safari/") || ua.contains(" mobile/"))
                || ua.contains(" gecko/") && ua.contains(" firefox/"));
    }

    private static boolean hasToken(String ua, String token) {
        for (int at = ua.indexOf(token); at >= 0; at = ua.indexOf(token, at + 1)) {
            int end = at + token.length();
            if ((at == 0 || !Character.isLetterOrDigit(ua.charAt(at - 1)))
                    && (end == ua.length() || !Character.isLetterOrDigit(ua.charAt(end)))) {
                return true;
            }
        }
        return false;
    }
}
