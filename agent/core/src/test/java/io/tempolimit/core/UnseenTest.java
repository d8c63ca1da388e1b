package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.PageUrl;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnseenTest {
    private static final long SECOND = 1_000_000_000L;

    private final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    private final List<String> told = new ArrayList<>();
    private final Policy paced = new Policy.Builder().build();
    private final TestRules rules = new TestRules(host -> host.equals("free.example") ? null : paced, true, false, 5_000, SECOND);
    private final Limiter limiter = new Limiter(clock, new Seeded(), rules, new Listener() {
        @Override
        public void unseen(String host, String by, boolean http2) {
            told.add(host + " by " + by + (http2 ? " 2" : ""));
        }
    });
    private final Unseen unseen = limiter.unseen();

    private void sent(String host) {
        if (!unseen.expected(host)) {
            unseen.sent(host, false, () -> "Nutch");
        }
    }

    @Test
    void nobodyLooksOnByDefault() {
        assertTrue(unseen.expected("shop.example"));
        assertTrue(unseen.expects("shop.example"));
        assertEquals(0, unseen.count());
    }

    @Test
    void eachRequestThatArrivesIsExpectedOnce() throws Exception {
        unseen.begin(0);
        limiter.arrive(new TestTarget("Shop.Example."));
        limiter.charge(new TestTarget("shop.example"));
        limiter.arrive(new TestTarget("free.example"));
        for (String host : new String[] {"shop.example", "shop.example", "free.example"}) {
            assertTrue(unseen.expects(host));
            sent(host);
        }
        assertEquals(List.of(), told);
        sent("shop.example");
        sent("shop.example");
        sent("free.example");
        sent("other.example");
        assertEquals(List.of("shop.example by Nutch", "other.example by Nutch"), told, "what is left out is not told");
        assertEquals(3, unseen.count());
        assertEquals("shop.example", unseen.hosts().get(0).name());
        assertEquals(2, unseen.hosts().get(0).requests());
        assertEquals("Nutch", unseen.hosts().get(1).by());
    }

    /** It was sorted by numbers that other threads count up meanwhile, which a sort answers with an exception. */
    @Test
    void theListOfHostsStaysAsItWas() {
        unseen.begin(0);
        sent("shop.example");
        sent("shop.example");
        sent("other.example");
        List<Unseen.Host> before = unseen.hosts();
        sent("other.example");
        sent("other.example");
        assertEquals(1, before.get(1).requests());
        assertEquals(3, unseen.hosts().get(0).requests());
    }

    @Test
    void whatIsKnownAfterAllDoesNotCount() {
        unseen.begin(0);
        unseen.sent("shop.example", false, () -> null);
        assertEquals(0, unseen.count());
        assertEquals(List.of(), unseen.hosts());
    }

    @Test
    void whatMayHaveBegunBeforeDoesNotCount() {
        unseen.begin(10 * SECOND);
        sent("shop.example");
        assertEquals(0, unseen.count());
        clock.turn(10 * SECOND);
        sent("shop.example");
        assertEquals(1, unseen.count());
    }

    @Test
    void whileNothingIsPacedNothingIsUnseen() {
        unseen.begin(0);
        limiter.setEnabled(false);
        sent("shop.example");
        limiter.setEnabled(true);
        limiter.exempt().enter();
        sent("shop.example");
        limiter.exempt().leave();
        assertEquals(0, unseen.count());
    }

    /** Its credit is forgotten by then. */
    @Test
    void aRequestThatHasWaitedForLongIsNotUnseen() throws Exception {
        unseen.begin(0);
        Permit permit = limiter.arrive(new TestTarget("shop.example"));
        for (int i = 0; i < 400; i++) {
            permit = limiter.arrive(new TestTarget("shop.example"));
        }
        for (int i = 0; i < 401; i++) {
            sent("shop.example");
        }
        assertTrue(permit.waiting());
        clock.turn(2 * Credits.PERIOD);
        assertTrue(permit.poll());
        sent("shop.example");
        assertEquals(List.of(), told);
        assertFalse(unseen.expects("shop.example"));
    }

    /** Else an unknown client's requests to the same host would pass for these. */
    @Test
    void whatIsNotSentAfterAllHidesNobody() throws Exception {
        unseen.begin(0);
        Policy one = new Policy.Builder().rate(1).burst(1).maxWait(0).build();
        Limiter rejecting = new Limiter(clock, new Seeded(), TestRules.of(one), Listener.NONE);
        rejecting.unseen().begin(0);
        rejecting.arrive(new TestTarget("shop.example"));
        assertThrows(RequestRejectedException.class, () -> rejecting.arrive(new TestTarget("shop.example")));
        assertTrue(rejecting.unseen().expected("shop.example"));
        assertFalse(rejecting.unseen().expected("shop.example"));
        Permit waits = null;
        for (int i = 0; i < 100; i++) {
            Permit p = limiter.arrive(new TestTarget("shop.example"));
            if (p.waiting()) {
                waits = p;
                break;
            }
            sent("shop.example");
        }
        assertTrue(waits.cancel());
        assertFalse(unseen.expects("shop.example"));
        assertEquals(List.of(), told);
    }

    /** An unknown client's next request to the same host passed for it, for up to ten minutes. */
    @Test
    void whatGoesOverHttp2HidesNobodyOnceItIsAnswered() throws Exception {
        unseen.begin(0);
        for (int i = 0; i < 3; i++) {
            Permit permit = limiter.arrive(new TestTarget("shop.example"));
            assertTrue(unseen.expects("shop.example"), "by the connection's preface");
            permit.answered(200);
        }
        Permit next = limiter.arrive(new TestTarget("shop.example"));
        clock.turn(2 * HostCredit.GRACE);
        sent("shop.example");
        assertEquals(List.of(), told, "the next one is under way");
        sent("shop.example");
        assertEquals(List.of("shop.example by Nutch"), told);
        next.answered(200);
    }

    @Test
    void whatCouldNotConnectHidesNobody() throws Exception {
        unseen.begin(0);
        limiter.arrive(new TestTarget("shop.example")).failed(new ConnectException());
        limiter.arrive(new TestTarget("shop.example")).abandoned();
        limiter.charge(new TestTarget("shop.example")).unused();
        clock.turn(2 * HostCredit.GRACE);
        sent("shop.example");
        assertEquals(List.of("shop.example by Nutch"), told);
    }

    /** The thread that has written the request was stopped, and another has read the answer. */
    @Test
    void anAnswerMayComeBeforeItsRequestWasSeen() throws Exception {
        unseen.begin(0);
        limiter.arrive(new TestTarget("shop.example")).answered(200);
        clock.turn(HostCredit.GRACE - 1);
        sent("shop.example");
        assertEquals(List.of(), told);
    }

    /** It leaves its client's queue by another permit. */
    @Test
    void whatWasKeptBeyondItsTurnIsStillExpected() throws Exception {
        unseen.begin(0);
        Permit kept = limiter.arrive(new TestTarget("shop.example"));
        clock.turn(10 * SECOND);
        Permit again = kept.depart();
        assertNotSame(kept, again);
        clock.turn(2 * HostCredit.GRACE);
        assertTrue(unseen.expects("shop.example"));
        assertTrue(again.poll());
        again.answered(200);
        clock.turn(2 * HostCredit.GRACE);
        assertFalse(unseen.expects("shop.example"));
    }

    /** It is seen as it is written, so nothing has to announce it. */
    @Test
    void whatIsOnTheWireIsNotAnnounced() throws Exception {
        unseen.begin(0);
        limiter.arrive(new TestTarget("shop.example") {
            @Override
            public boolean unannounced() {
                return true;
            }
        });
        assertFalse(unseen.expects("shop.example"));
    }

    /** What an interceptor of the program sends meanwhile, to the same host and by itself, would pass for it. */
    @Test
    void whatIsAnnouncedAtItsDepartureIsNotExpectedBefore() throws Exception {
        unseen.begin(0);
        Permit permit = limiter.arrive(new TestTarget("shop.example") {
            @Override
            public boolean announcedAtDeparture() {
                return true;
            }
        });
        assertFalse(unseen.expects("shop.example"));
        permit.depart();
        assertTrue(unseen.expected("shop.example"));
        permit.answered(200);
        assertFalse(unseen.expected("shop.example"));
    }

    /** A page that was announced, and never written, would be the credit of an unknown client's request. */
    @Test
    void whatABrowserSendsIsNotAnnounced() throws Exception {
        unseen.begin(0);
        limiter.arrive(PageUrl.of("http://shop.example/"));
        assertFalse(unseen.expected("shop.example"));
    }

    @Test
    void aThousandHostsAreRememberedAndAllRequestsCount() {
        unseen.begin(0);
        for (int i = 0; i < 1_200; i++) {
            sent("h" + i + ".example");
        }
        assertEquals(1_000, told.size());
        assertEquals(1_000, unseen.hosts().size());
        assertEquals(1_200, unseen.count());
    }
}
