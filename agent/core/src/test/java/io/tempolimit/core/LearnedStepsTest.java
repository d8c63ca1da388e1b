package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a step that held, a block at a rate that was proven, and a look that found nothing new say of a site. */
class LearnedStepsTest {
    private static final double HOURS = 4 * 3600;

    private static Crawl play(GuardedSite site, int seed) throws Exception {
        Crawl crawl = new Crawl(site, 1, b -> b.auto(Double.POSITIVE_INFINITY), seed, HOURS);
        crawl.play();
        return crawl;
    }

    private static String figures(Crawl crawl) {
        return crawl.goodput() + "%, " + crawl.blocksPerPage();
    }

    /** Each look went through the same steps up to the limit and fell back to where it had begun, a tenth below: 88% of the pages. */
    @Test
    void aStepThatHeldIsKeptWhereLooksKeepFindingTheLimit() throws Exception {
        Crawl second = play(GuardedSite.clockWindow(2, 1), 0);
        assertTrue(second.goodput() > 94 && second.blocksPerPage() < 0.3, figures(second));
        Crawl span = play(RealSites.haproxy(30, 0, 0, 429), 0);
        assertTrue(span.goodput() > 91 && span.blocksPerPage() < 0.3, figures(span));
    }

    /** A bucket lets a step pass on its tokens: believing it costs two blocks, and no pages. */
    @Test
    void aStepOnTheTokensOfABucketIsBelievedTwiceAtTheMost() throws Exception {
        Crawl crawl = play(GuardedSite.bucket(1, 10), 0);
        assertTrue(crawl.goodput() > 99 && crawl.blocksPerPage() < 0.4, figures(crawl));
    }

    /** Blocks by chance lowered a rate that had held, or ended a climb, though a ban would not have been over at once: 78%. */
    @Test
    void aSiteThatBansAndIsOpenAtOnceHasNotBlockedForTheRate() throws Exception {
        double pages = 0;
        for (int seed = 0; seed < 4; seed++) {
            GuardedSite site = GuardedSite.moody(new Random(seed * 7919L), 0.001, GuardedSite.ban(60, 60, 300, true));
            pages += play(site, seed).goodput() / 4;
        }
        assertTrue(pages > 82, pages + "%");
    }

    /** A site whose limit was low for long was looked at as rarely as one whose limit had never moved: 95% of the pages. */
    @Test
    void aLimitThatRisesAgainIsFoundSoon() throws Exception {
        Crawl crawl = play(GuardedSite.known().get("E  2/s, then 0.5/s, then 2/s").apply(new Random(0)), 0);
        assertTrue(crawl.goodput() > 96 && crawl.blocksPerPage() < 0.5, figures(crawl));
    }

    /** Ten seconds had held thirty requests from the first on, and were taken for what a ban counts: it came again, twice as long. */
    @Test
    void aSpanThatWasFullAllTheTimeIsNotWhatABanCounts() throws Exception {
        Crawl crawl = new Crawl(GuardedSite.ban(40, 60, 120, true, 2, 1800), 1, b -> b.auto(Double.POSITIVE_INFINITY), 0, HOURS)
                .latency(0.3);
        crawl.play();
        assertTrue(crawl.goodput() > 90, figures(crawl));
    }

    /** A climb came to 3% above the limit. The next rate was an eighth below it, and not the one where the climb had begun: 88.7%. */
    @Test
    void theRateThatWasProvenIsNotGivenUpForAClimbThatWentTooFar() throws Exception {
        Crawl crawl = play(GuardedSite.liar(GuardedSite.bucket(1, 10), 60), 0);
        assertTrue(crawl.goodput() > 89.5, figures(crawl));
    }

    /** After three looks that found nothing, the next one came an hour and a half later: 55% where four times as many may go at night. */
    @Test
    void aLimitThatRisesByTheHourIsFoundWhereLooksCostBans() throws Exception {
        GuardedSite site = ServiceSites.all().get("60/min by day, 240 by night, 1 min").apply(new Random(0));
        Crawl crawl = new Crawl(site, 1, b -> b.auto(Double.POSITIVE_INFINITY), 0, HOURS).latency(0.3);
        crawl.play();
        assertTrue(crawl.goodput() > 60, figures(crawl));
    }
}
