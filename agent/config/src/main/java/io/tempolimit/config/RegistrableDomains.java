package io.tempolimit.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hc.client5.http.psl.PublicSuffixListParser;
import org.apache.hc.client5.http.psl.PublicSuffixMatcher;

/**
 * From a host to the domain that somebody has registered, by the public suffix list with its private part: {@code shop.example.co.uk} to
 * {@code example.co.uk}, {@code me.github.io} to itself. Addresses, single labels and what is a public suffix itself are their own domain.
 * The only class that uses the library, which reads its list of 300 KB with the first name of more than a label. Thread-safe.
 */
final class RegistrableDomains implements UnaryOperator<String> {
    /** As many as keys may be remembered by default; then they are looked for anew. */
    private static final int MOST = 10_000;

    private static final RegistrableDomains ALL = new RegistrableDomains();

    /** Made when first needed. */
    private volatile PublicSuffixMatcher suffixes;
    /** To look one up takes microseconds, label by label. */
    private final ConcurrentHashMap<String, String> found = new ConcurrentHashMap<String, String>();

    /** @param host in canonical form */
    @Override
    public String apply(String host) {
        String domain = found.get(host);
        if (domain == null) {
            domain = find(host);
            if (found.size() >= MOST) {
                found.clear();
            }
            found.put(host, domain);
        }
        return domain;
    }

    /** For hosts that are asked for once: remembers none. */
    static String domainOf(String host) {
        return ALL.find(host);
    }

    /** Whether a host pattern matches what is a domain by itself, and not only hosts below one. */
    boolean matchedBy(String pattern) {
        return pattern.indexOf('/') >= 0 || apply(hostOf(pattern)).equals(hostOf(pattern));
    }

    /** The domain of a pattern's hosts. */
    String ofPattern(String pattern) {
        return apply(hostOf(pattern));
    }

    private static String hostOf(String pattern) {
        return pattern.startsWith("*.") ? "x" + pattern.substring(1) : pattern;
    }

    int remembered() {
        return found.size();
    }

    private String find(String host) {
        if (host.indexOf('.') < 0 || host.indexOf(':') >= 0 || Address.parse(host) != null) {
            return host;
        }
        String domain = suffixes().getDomainRoot(host);
        return domain == null || domain.isEmpty() ? host : domain;
    }

    private PublicSuffixMatcher suffixes() {
        PublicSuffixMatcher made = suffixes;
        if (made != null) {
            return made;
        }
        synchronized (this) {
            if (suffixes == null) {
                suffixes = read();
            }
            return suffixes;
        }
    }

    private static PublicSuffixMatcher read() {
        try (InputStream list = RegistrableDomains.class.getResourceAsStream("/org/publicsuffix/list/effective_tld_names.dat")) {
            return new PublicSuffixMatcher(PublicSuffixListParser.INSTANCE.parseByType(
                    new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))));
        } catch (IOException e) {
            throw new IllegalStateException(e); // it is in the jar
        }
    }
}
