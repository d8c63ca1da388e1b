package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How rules and what was learned do on pages that they were not made for. Prints confusion tables. */
class UnseenTest {
    /** Vendors whom the catalogue knows, in pages of other making. */
    @Test
    void knowsItsVendorsInPagesThatItWasNotTunedOn() throws IOException {
        Confusion all = of("unseen.txt");
        assertEquals(Collections.emptyList(), all.falseAlarms);
        assertTrue(all.found() >= 0.95, () -> "missed: " + all.missed);
    }

    /** Guards that nobody lists: less is found, and no ordinary page counts. */
    @Test
    void findsManyGuardsThatNobodyLists() throws IOException {
        Confusion held = of("own-held.txt");
        assertEquals(Collections.emptyList(), held.falseAlarms);
        assertTrue(held.found() >= 0.5, () -> "missed: " + held.missed);
        Confusion tuned = of("own-tuned.txt");
        assertEquals(Collections.emptyList(), tuned.falseAlarms);
    }

    private static Confusion of(String list) throws IOException {
        List<Case> cases = PagesTest.cases(list);
        Confusion confusion = new Confusion(cases);
        System.out.println(confusion.table(list) + "  false alarms: " + confusion.falseAlarms);
        return confusion;
    }
}
