package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What is normal on a host. */
class BaselineTest {
    private static final Detector DETECTOR = new Detector(Collections.emptyList());

    private final Baseline baseline = new Baseline();
    private int pages;

    private Finding page(String path, String body) {
        return Answer.html(200, body).path(path).judged(DETECTOR, DetectRules.DEFAULT, baseline);
    }

    private Finding page(String body) {
        return page("/p/" + pages++, body);
    }

    private void goodPages(int count, int characters) {
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder("<title>Thing " + pages + "</title><a href=/>Home</a>");
            for (int n = 0; n < characters / 5; n++) {
                text.append("word ");
            }
            assertEquals(Verdict.SUCCESS, page(text.toString()).verdict());
        }
    }

    private static String bespoke(int i) {
        return "<title>Hold on</title><p>Our owls are looking at you. Feather " + i;
    }

    @Test
    void theThirdBespokePageInARowIsASoftBlock() {
        goodPages(20, 3000);
        assertEquals(Verdict.SUCCESS, page(bespoke(1)).verdict());
        assertEquals(Verdict.SUCCESS, page(bespoke(22)).verdict());
        Finding third = page(bespoke(333));
        assertEquals(Verdict.SOFT_BLOCK, third.verdict());
        assertEquals("baseline", third.rule());
        assertTrue(third.counts());
        assertEquals(Verdict.SOFT_BLOCK, page(bespoke(4)).verdict());
        goodPages(1, 3000);
        assertEquals(Verdict.SUCCESS, page(bespoke(5)).verdict());
    }

    @Test
    void aRetryOfABlockedPageIsBlockedToo() {
        goodPages(20, 3000);
        page("/a", bespoke(1));
        page("/b", bespoke(2));
        assertTrue(page("/c", bespoke(3)).counts());
        assertTrue(page("/c", bespoke(4)).counts());
    }

    @Test
    void nothingIsSaidBeforeEnoughGoodPages() {
        goodPages(19, 3000);
        for (int i = 0; i < 10; i++) {
            assertFalse(page(bespoke(i)).counts());
        }
    }

    @Test
    void hostsWithLittleTextAreLetAlone() {
        for (int i = 0; i < 40; i++) {
            page("<title>App</title><div id=root></div><script src=/a.js></script>");
        }
        goodPages(3, 1500);
        for (int i = 0; i < 10; i++) {
            assertFalse(page(bespoke(i)).counts());
        }
    }

    @Test
    void fragmentsWithoutATitleAreNoBlock() {
        goodPages(30, 4000);
        for (int i = 0; i < 10; i++) {
            assertFalse(page("<li>Blue shirt 12").counts());
        }
    }

    /** What a host sends to whom it does not know: {@code fn5} of the fixtures. */
    @Test
    void theFifthPageInARowWithoutATitleIsASoftBlock() {
        goodPages(20, 3000);
        for (int i = 0; i < 4; i++) {
            assertFalse(page("<html><body><p>client: 192.0.2.1, server: a" + i + "</p></body></html>").counts());
        }
        assertEquals(Verdict.SOFT_BLOCK, page("<html><body><p>client: 192.0.2.1, server: a5</p></body></html>").verdict());
    }

    @Test
    void tenPathsThatAnswerOnePageAreAWallWhateverItSays() {
        goodPages(20, 3000);
        String wall = "<title>Our shop</title><nav>" + "<a href=/a>link</a> ".repeat(30) + "</nav>Welcome back";
        for (int i = 1; i < 10; i++) {
            assertFalse(page(wall).counts(), "page " + i);
        }
        Finding tenth = page(wall);
        assertEquals(Verdict.SOFT_BLOCK, tenth.verdict());
        assertTrue(tenth.counts());
        goodPages(1, 3000);
        assertFalse(page(wall).counts());
    }

    @Test
    void aLongPageThatTenPathsAnswerIsAWallToo() {
        goodPages(20, 3000);
        String wall = "<title>Tell us who you are</title>" + "<a href=/a>link</a> ".repeat(30) + "many words ".repeat(400);
        assertEquals(10, firstThatCounts(wall));
    }

    @Test
    void onHostsWithLittleTextTenPathsThatAnswerOnePageAreAWall() {
        goodPages(20, 600);
        assertEquals(10, firstThatCounts("<title>Tell us who you are</title><a href=/a>1</a> <a href=/b>2</a> Welcome"));
    }

    /** Which of 19 paths is the first whose answer counts; 0 if none does. */
    private int firstThatCounts(String wall) {
        for (int i = 1; i < 20; i++) {
            if (page(wall).counts()) {
                return i;
            }
        }
        return 0;
    }

    @Test
    void pagesOfOneLengthAndTitleThatHaveOtherLinksAreNoWall() {
        goodPages(20, 3000);
        for (int i = 0; i < 19; i++) {
            assertFalse(page("<title>Stations</title>" + "<a href=/a>l</a>".repeat(i) + "many words ".repeat(300) + "x".repeat(19 - i))
                    .counts());
        }
    }

    @Test
    void pagesThatAreAllAlikeByNatureAreNoWall() {
        for (int i = 0; i < 60; i++) {
            assertFalse(page("<title>Weather</title>" + "12 degrees ".repeat(300)).counts(), "page " + i);
        }
    }

    @Test
    void shortPagesOfOneKindAreNoWall() {
        goodPages(20, 3000);
        for (int i = 0; i < 19; i++) {
            assertFalse(page("<title>Our shop</title><nav>" + "<a href=/a>link</a> ".repeat(30) + "</nav>Lamp " + "x".repeat(i)).counts());
        }
    }

    @Test
    void documentsForProgramsAreBlankOnlyOnceTheHostHasSentText() {
        String[] documents = {"<html><head><meta property=\"og:title\" content=\"Post\"></head><body></body></html>",
            "<!DOCTYPE html><html><head><meta name=\"go-import\" content=\"code.example/x git https://git.example/x\"></head></html>",
            "<!doctype html><html><body><div data-show='{\"film\":\"Lamp\"}'></div></body></html>"};
        for (String document : documents) {
            assertFalse(Answer.html(200, document).judged(DETECTOR, DetectRules.DEFAULT, null).counts(), document);
            assertFalse(page(document).counts(), document);
        }
        goodPages(1, 300);
        for (String document : documents) {
            assertTrue(page(document).counts(), document);
        }
    }

    @Test
    void oneSmallPageAskedForAgainAndAgainIsNoBlock() {
        goodPages(30, 4000);
        for (int i = 0; i < 10; i++) {
            assertFalse(page("/status?n=" + i, "<title>Status</title>All well").counts());
        }
    }

    @Test
    void smallPagesWithTitlesOfTheirOwnAreNoBlock() {
        goodPages(30, 4000);
        for (int i = 0; i < 10; i++) {
            assertFalse(page("<title>Note " + i + "</title>Short").counts());
        }
    }

    @Test
    void smallPagesWithTheTitleOfAllPagesAreNoBlock() {
        for (int i = 0; i < 30; i++) {
            page("<title>My shop</title>" + String.join(" ", Collections.nCopies(600, "word")));
        }
        for (int i = 0; i < 10; i++) {
            assertFalse(page("<title>My shop</title>Sold out" + "!".repeat(i)).counts());
        }
    }

    @Test
    void pagesWithNavigationAreNoBlock() {
        goodPages(30, 4000);
        for (int i = 0; i < 10; i++) {
            assertFalse(page("<title>Nothing found</title>" + "word ".repeat(i)
                    + "<a href=/>1</a><a href=/a>2</a><a href=/b>3</a><a href=/c>4</a>").counts());
        }
    }

    @Test
    void aNewFaceIsLearntAnew() {
        goodPages(30, 4000);
        int counted = 0;
        for (int i = 0; i < 100; i++) {
            counted += page(bespoke(7)).counts() ? 1 : 0;
        }
        assertTrue(counted < 20, "counted " + counted);
        assertFalse(page(bespoke(7)).counts());
    }

    @Test
    void aDocumentOfNoBytesCountsOnceTheHostHasSentText() {
        assertFalse(page("").counts());
        assertEquals(Verdict.BLANK_PAGE, page("").verdict());
        goodPages(1, 300);
        assertTrue(page("").counts());
        assertTrue(page("<html><body></body></html>").counts());
    }

    @Test
    void anEmptyContentLengthIsBlankByTheHeadAlone() {
        goodPages(1, 300);
        Look look = Answer.html(200, "").with("Content-Length", "0").look(DETECTOR, DetectRules.DEFAULT, baseline);
        assertTrue(look.settled());
        assertEquals(Verdict.BLANK_PAGE, look.head().verdict());
        assertTrue(look.head().counts());
    }

    @Test
    void blankPagesBetweenGoodOnesAreNormal() {
        for (int i = 0; i < 5; i++) {
            goodPages(1, 300);
            page("/ping", "");
        }
        goodPages(1, 300);
        assertFalse(page("/ping", "").counts());
        goodPages(1, 300);
        assertFalse(page("/ping", " ").counts());
    }

    @Test
    void blankPagesInARowCountAlsoWhereSingleOnesAreNormal() {
        for (int i = 0; i < 6; i++) {
            goodPages(1, 300);
            page("/ping", "");
        }
        goodPages(1, 300);
        boolean counted = false;
        for (int i = 0; i < 4; i++) {
            counted |= page("").counts();
        }
        assertTrue(counted);
    }

    @Test
    void aHostThatOnlySendsBlankPagesIsBlankByNature() {
        int counted = 0;
        for (int i = 0; i < 100; i++) {
            counted += page(" ").counts() ? 1 : 0;
        }
        assertTrue(counted <= 20);
        assertFalse(page(" ").counts());
    }

    @Test
    void aHostsMemoryIsLittle() {
        assertEquals(56, bytes(Baseline.class));
        assertEquals(32, bytes(EmptyResults.class));
    }

    /** Where references take four bytes. */
    private static int bytes(Class<?> type) {
        int bytes = 12; // the object's header
        for (Field f : type.getDeclaredFields()) {
            if (!Modifier.isStatic(f.getModifiers()) && !f.isSynthetic()) {
                assertTrue(f.getType().isPrimitive() || f.getType() == EmptyResults.class);
                bytes += f.getType() == long.class ? 8 : f.getType() == byte.class ? 1 : 4;
            }
        }
        return (bytes + 7) / 8 * 8;
    }
}
