package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code private} and {@code services}. */
class NamedListsTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "db", "my_service", "127.0.0.1", "127.255.255.254", "127.1", "2130706433",
        "10.0.0.1", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "0.0.0.0", "::1", "::", "fc00::1",
        "fdff:1::2", "fe80::1", "febf::1",
        "printer.local", "app.localhost", "metadata.google.internal", "db.prod.svc", "db.prod.svc.cluster.local",
        "nas.lan", "router.home.arpa", "shop.test"})
    void isPrivate(String host) {
        assertTrue(PrivateHosts.contains(host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "8.8.8.8", "134744072", "172.15.0.1", "172.32.0.1", "192.169.0.1",
        "169.253.0.1", "100.63.0.1", "100.128.0.1", "11.0.0.1",
        "126.0.0.1", "0.0.0.1", "2001:db8::1", "fb00::1", "fe00::1", "fec0::1", "::2", "notlocal.com",
        "local.example.com", "xlan.com", "10.example.com",
        "127.0.0.1.nip.io", "home.arpa.com", "mytest.de"})
    void isNotPrivate(String host) {
        assertFalse(PrivateHosts.contains(host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"storage.googleapis.com", "bucket.s3.amazonaws.com", "bucket.s3.eu-central-1.amazonaws.com",
        "s3.us-west-2.amazonaws.com",
        "sts.amazonaws.com", "sts.eu-west-1.amazonaws.com", "account.blob.core.windows.net", "oauth2.googleapis.com",
        "login.microsoftonline.com",
        "repo.maven.apache.org", "repo1.maven.org", "registry.npmjs.org", "files.pythonhosted.org",
        "registry-1.docker.io", "ocsp.digicert.com",
        "r10.o.lencr.org", "crl3.digicert.com", "o1.ingest.sentry.io", "http-intake.logs.datadoghq.com", "collector.newrelic.com",
        "s3.new-region-9.amazonaws.com", "dc.services.visualstudio.com", "logs.us-east-1.amazonaws.com"})
    void isAService(String host) {
        assertTrue(ServiceHosts.contains(host));
        assertFalse(PrivateHosts.contains(host));
    }

    /** Sites of customers and pages for people stay paced. */
    @ParameterizedTest
    @ValueSource(strings = {"example.com", "www.amazon.com", "ec2-1-2-3-4.compute-1.amazonaws.com",
        "site.s3-website-us-east-1.amazonaws.com",
        "site.s3-website.eu-central-1.amazonaws.com", "x.execute-api.us-east-1.amazonaws.com", "x.elb.amazonaws.com",
        "amazonaws.com", "www.amazonaws.com", "s3.amazonaws.com.evil.org", "logs.amazonaws.com",
        "x.logs.us-east-1.amazonaws.com", "d111111abcdef8.cloudfront.net",
        "www.google.com", "youtube.googleapis.com", "pypi.org", "www.npmjs.com", "github.com",
        "raw.githubusercontent.com", "api.github.com",
        "x.azurewebsites.net", "x.web.core.windows.net", "sentry.io", "hub.docker.com", "mvnrepository.com"})
    void isNoService(String host) {
        assertFalse(ServiceHosts.contains(host));
    }

    /** The file is read without checks at run time, so they are here. */
    @Test
    void theFileIsInOrder() throws Exception {
        Set<String> seen = new HashSet<>();
        List<String> lines;
        try (var in = new BufferedReader(new InputStreamReader(ServiceHosts.class.getResourceAsStream("services.txt"),
                StandardCharsets.UTF_8))) {
            lines = in.lines().toList();
        }
        for (String line : lines) {
            assertEquals(line.strip(), line);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String pattern = line.replace("{region}", "us-east-1");
            assertEquals(pattern, HostPatterns.canonical(pattern));
            assertTrue(seen.add(line), "twice: " + line);
        }
        assertTrue(seen.size() > 150);
    }
}
