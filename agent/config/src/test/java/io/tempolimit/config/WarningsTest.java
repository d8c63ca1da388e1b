package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What settings that can hold, but are hardly meant, are told of. */
class WarningsTest {
    @Test
    void aBurstThatCannotBeSmallerIsNoWarning() throws BadSettings {
        assertEquals(List.of(), Given.arguments("rate=2/h,burst=1").load().warnings());
        assertEquals(1, Given.arguments("rate=2/h,burst=2").load().warnings().size());
    }

    @Test
    void warnings() throws BadSettings {
        assertEquals(List.of("burst=181 is more than 60 times rate=3: so many requests may leave at once"),
                Given.arguments("burst=181").load().warnings());
        assertEquals(List.of(), Given.arguments("burst=180").load().warnings());
        assertEquals(List.of("domain example.com: burst=5 is more than 60 times rate=1/h: so many requests may leave at once"),
                Given.arguments("domain.example.com.rate=1/h").load().warnings());
        assertEquals(List.of("domain a.example.com: burst=40 is more than 60 times rate=0.5: so many requests may leave at once"),
                Given.arguments("domain.a.example.com.burst=40,domain.*.example.com.rate=0.5").load().warnings());
    }

    /** {@code check} passed them. */
    @Test
    void settingsOfAPageThatIsNotServed() throws BadSettings {
        assertEquals(List.of("admin.host has no effect without admin.port"), Given.arguments("admin.host=0.0.0.0").load().warnings());
        assertEquals(List.of("admin.token has no effect without admin.port"),
                Given.arguments("admin.port=off,admin.token=x").load().warnings());
        assertEquals(List.of(), Given.arguments("admin.port=9464,admin.host=::1").load().warnings());
    }

    /** {@code rate=auto} learns whatever {@code learn} says. */
    @Test
    void anAutomaticRateLearns() throws BadSettings {
        String warning = "learn=false has no effect: rate=auto always learns";
        Settings s = Given.arguments("rate=auto,learn=false").load();
        assertTrue(s.policy("a.example").learns());
        assertEquals(List.of(warning), s.warnings());
        assertEquals(List.of("domain a.example: " + warning),
                Given.arguments("learn=false,domain.a.example.rate=auto:9").load().warnings());
        assertEquals(List.of("domain a.example: " + warning), Given.arguments("rate=auto,domain.a.example.learn=false").load().warnings());
        assertEquals(List.of(), Given.arguments("rate=auto,domain.a.example.learn=false,domain.a.example.rate=2").load().warnings());
    }

    @Test
    void settingsOfHostsThatAreNotPacedAreWarnedAbout() throws BadSettings {
        assertEquals(List.of("settings of domain 10.0.0.5 have no effect: it is excluded by private, which exclude=-private takes out"),
                Given.arguments("domain.10.0.0.5.rate=1").load().warnings());
        assertEquals(List.of(), Given.arguments("domain.10.0.0.5.rate=1,exclude=-private").load().warnings());
        assertEquals(List.of("include=localhost has no effect: it is excluded by private, which exclude=-private takes out"),
                Given.arguments("include=localhost;example.com").load().warnings());
        assertEquals(List.of("settings of domain *.example.com have no effect: it is excluded by a pattern of exclude"),
                Given.arguments("domain.*.example.com.rate=1,exclude=*.example.com").load().warnings());
        assertEquals(List.of("settings of domain example.org have no effect: it is not in include"),
                Given.arguments("domain.example.org.rate=1,domain.*.example.com.rate=1,include=a.example.com").load().warnings());
    }

    /**
     * Services named {@code tempolimit}, {@code tempolimit-admin} and {@code tempolimit-redis}: each container of the
     * namespace gets these.
     */
    @Test
    void whatKubernetesMakesOfAServiceIsOneWarning() throws BadSettings {
        Given links = Given.environment("TEMPOLIMIT_PORT", "tcp://10.0.0.1:80").withEnvironment("TEMPOLIMIT_SERVICE_HOST", "10.0.0.1")
                .withEnvironment("TEMPOLIMIT_PORT_80_TCP", "tcp://10.0.0.1:80").withEnvironment("TEMPOLIMIT_PORT_80_TCP_ADDR", "10.0.0.1")
                .withEnvironment("TEMPOLIMIT_ADMIN_PORT", "tcp://10.0.0.1:8080").withEnvironment("TEMPOLIMIT_ADMIN_SERVICE_PORT", "8080")
                .withEnvironment("TEMPOLIMIT_ADMIN_SERVICE_PORT_HTTP", "8080").withEnvironment("TEMPOLIMIT_REDIS_PORT_53_UDP_PROTO", "udp");
        assertEquals(List.of(), links.faults());
        Settings s = links.load();
        assertEquals(List.of("environment variables of a Kubernetes service, ignored: TEMPOLIMIT_ADMIN_PORT, "
                + "TEMPOLIMIT_ADMIN_SERVICE_PORT, TEMPOLIMIT_ADMIN_SERVICE_PORT_HTTP, "
                + "TEMPOLIMIT_PORT, TEMPOLIMIT_PORT_80_TCP, TEMPOLIMIT_PORT_80_TCP_ADDR, "
                + "TEMPOLIMIT_REDIS_PORT_53_UDP_PROTO, TEMPOLIMIT_SERVICE_HOST. "
                + "enableServiceLinks: false in the pod's spec leaves them out"), s.warnings());
        assertEquals(-1, s.adminPort());
    }

    @Test
    void whatSomebodyWroteIsNoServiceLink() {
        assertEquals(1, Given.environment("TEMPOLIMIT_ADMIN_PORT", "http://10.0.0.1:8080").faults().size());
        assertEquals(1, Given.environment("TEMPOLIMIT_REDIS", "tcp://10.0.0.1:6379").faults().size());
        assertEquals(1, Given.environment("TEMPOLIMIT_ADMIN_PORT", "80800").faults().size());
    }

    /** Templates of containers write {@code TEMPOLIMIT_RATE=""} where they have no value. */
    @Test
    void anEmptyVariableIsUnset() throws BadSettings {
        for (SettingKey key : SettingKey.values()) {
            Given empty = Given.environment("TEMPOLIMIT_" + key.environmentName(), "").withEnvironment("TEMPOLIMIT_WIBBLE", " ");
            assertEquals(List.of(), empty.faults(), key.key);
            assertEquals(List.of(), empty.load().warnings(), key.key);
        }
        assertEquals(2, rate(Given.environment("TEMPOLIMIT_RATE", "\t").withProperty("tempolimit.rate", "2").load(), "example.com"));
        assertFalse(Given.environment("TEMPOLIMIT_ENABLED", "").sources().disabled());
        assertEquals(1, Given.property("tempolimit.rate", "").faults().size(), "a property is written by somebody");
    }

    @Test
    void unknownVariablesAreOneWarning() throws BadSettings {
        Settings s = Given.environment("TEMPOLIMIT_RAT", "1")
                .withEnvironment("TEMPOLIMIT_RATEE", "1").withEnvironment("PATH", "/bin").load();
        assertEquals(List.of("unknown environment variables, ignored: TEMPOLIMIT_RAT (did you mean TEMPOLIMIT_RATE?), "
                + "TEMPOLIMIT_RATEE (did you mean TEMPOLIMIT_RATE?)"), s.warnings());
        assertEquals(3, rate(s, "example.com"));
    }

    /** Both were ignored silently, and the scraper ran at the default rate. */
    @Test
    void aSlipOfCaseInANameIsToldWithTheRightName() throws BadSettings {
        assertEquals(List.of("unknown system properties, ignored: TEMPOLIMIT_RATE (did you mean tempolimit.rate?), "
                        + "Tempolimit.wibble (settings begin with tempolimit.), "
                        + "tempolimit-cooldown-threshold (did you mean tempolimit.cooldown.threshold?)"),
                Given.property("TEMPOLIMIT_RATE", "5").withProperty("Tempolimit.wibble", "1").withProperty("tempolimitsomething", "1")
                        .withProperty("tempolimit-cooldown-threshold", "1").load().warnings());
        assertEquals(List.of("unknown environment variables, ignored: TEMPOLIMIT_rate (did you mean TEMPOLIMIT_RATE?), "
                        + "Tempolimit_Rate (did you mean TEMPOLIMIT_RATE?), tempolimit.max-wait (did you mean TEMPOLIMIT_MAX_WAIT?)"),
                Given.environment("TEMPOLIMIT_rate", "5").withEnvironment("Tempolimit_Rate", "5")
                        .withEnvironment("tempolimit.max-wait", "5s").withEnvironment("TEMPOLIMITED", "1")
                        .withEnvironment("Tempolimit_Burst", "").load().warnings());
        assertEquals(1, Given.property("tempolimit.Rate", "5").faults().size(), "an unknown key, as any");
    }

    @Test
    void whatNeedsAnotherSettingSaysSo() throws BadSettings {
        assertEquals(List.of("events.max-size has no effect without events", "log.max-size has no effect without log.file",
                        "metrics.keys has no effect without admin.port"),
                Given.arguments("events.max-size=1MB,log.max-size=1MB,metrics.keys=5").load().warnings());
        assertEquals(List.of(), Given.arguments("events=stdout,events.max-size=1MB,log.file=x.log,log.max-size=1MB").load().warnings());
    }

    @Test
    void aLimitThatNobodyRunsIntoCannotClimb() throws Exception {
        String warning = "escalation.on=limit has no effect while requests wait without end: it needs on-limit=reject or max-wait";
        assertEquals(List.of(warning), Given.arguments("escalation.on=block;limit").load().warnings());
        assertEquals(List.of("domain a.example: " + warning), Given.arguments("domain.a.example.escalation.on=limit").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=limit,max-wait=10s").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=limit,on-limit=reject").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=block").load().warnings());
    }

    private static double rate(Settings s, String host) {
        return s.policy(host).limit().rate();
    }
}
