package io.tempolimit.examples.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]*)\"");

    @ParameterizedTest
    @ValueSource(ints = {20, 21, 187, 188, 189, 2000})
    void hasAboutAsManyPagesAsAskedForAndLinksReachThemAll(int pages) {
        Shop shop = new Shop(pages);
        assertTrue(shop.size() == pages || shop.size() == pages - 1, shop.size() + " of " + pages);
        Set<String> reached = new HashSet<>(List.of("/"));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            Matcher link = LINK.matcher(shop.page(open.remove()).orElseThrow().get());
            while (link.find()) {
                String target = shop.redirect(link.group(1)).orElse(link.group(1));
                if (reached.add(target)) {
                    open.add(target);
                }
            }
        }
        assertEquals(shop.size(), reached.size());
    }

    @Test
    void isTheSameEachTime() {
        for (String target : List.of("/", "/about", "/category/toys?page=2", "/product/77")) {
            assertEquals(new Shop(1000).page(target).orElseThrow().get(), new Shop(1000).page(target).orElseThrow().get());
        }
    }

    @Test
    void hasPagesOfTheSizeThatShopsHave() {
        Shop shop = new Shop(2000);
        for (int product = 1; product < 1500; product++) {
            String page = shop.page("/product/" + product).orElseThrow().get();
            assertTrue(page.length() > 5_000 && page.length() < 20_000, product + ": " + page.length());
            assertTrue(page.matches("(?s).*<title>[A-Z][a-z ]+ No\\. " + product + "</title>.*<p class=\"price\">\\d+\\.\\d\\d EUR</p>.*"));
        }
    }
}
