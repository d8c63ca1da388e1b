package io.tempolimit.examples.site;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shop's pages: a start page, eight categories in pages of 20 products, and the products. A shop of a given size is always
 * the same. Every page can be reached by links from the start page, and all links are relative to the host.
 */
final class Shop {
    static final List<String> CATEGORIES = List.of("garden", "kitchen", "tools", "toys", "books", "lamps", "bags", "outdoors");
    private static final int PER_LISTING = 20;
    private static final int OFFERS = 5;

    private static final Pattern LISTING = Pattern.compile("/category/([a-z]+)(?:\\?page=(\\d{1,7}))?");
    private static final Pattern PRODUCT = Pattern.compile("/product/(\\d{1,7})");
    private static final Pattern GO = Pattern.compile("/go/(\\d{1,7})");

    private final int products;

    /** Makes a shop of at most this many pages, and at most one less. */
    Shop(int pages) {
        int fitting = 0;
        while (size(fitting + 1) <= pages) {
            fitting++;
        }
        products = fitting;
    }

    /** How many pages a visitor can reach. */
    int size() {
        return size(products);
    }

    private static int size(int products) {
        int size = 2 + products;
        for (int category = 0; category < CATEGORIES.size(); category++) {
            size += listings(productsIn(category, products));
        }
        return size;
    }

    /** Products go round the categories: 1 to the first, 2 to the second, and so on. */
    private static int productsIn(int category, int products) {
        return (products + CATEGORIES.size() - 1 - category) / CATEGORIES.size();
    }

    private static int listings(int products) {
        return Math.max(1, (products + PER_LISTING - 1) / PER_LISTING);
    }

    /** Where a forwarding address leads, if it is one. */
    Optional<String> redirect(String target) {
        Matcher go = GO.matcher(target);
        if (go.matches() && isProduct(Integer.parseInt(go.group(1)))) {
            return Optional.of("/product/" + Integer.parseInt(go.group(1)));
        }
        return Optional.empty();
    }

    /** What makes the page at a path and query, if there is one. */
    Optional<Supplier<String>> page(String target) {
        if (target.equals("/")) {
            return Optional.of(this::start);
        }
        if (target.equals("/about")) {
            return Optional.of(this::about);
        }
        Matcher product = PRODUCT.matcher(target);
        if (product.matches()) {
            int number = Integer.parseInt(product.group(1));
            return isProduct(number) ? Optional.of(() -> product(number)) : Optional.empty();
        }
        Matcher listing = LISTING.matcher(target);
        if (listing.matches()) {
            int category = CATEGORIES.indexOf(listing.group(1));
            int page = listing.group(2) == null ? 1 : Integer.parseInt(listing.group(2));
            boolean exists = category >= 0 && page >= 1 && page <= listings(productsIn(category, products));
            return exists ? Optional.of(() -> listing(category, page)) : Optional.empty();
        }
        return Optional.empty();
    }

    String notFound() {
        return new Html("Not found").heading("There is no such page").paragraph("It may have been sold out.").end();
    }

    private boolean isProduct(int number) {
        return number >= 1 && number <= products;
    }

    private String start() {
        Html html = new Html("The Corner Shop").heading("Welcome to the Corner Shop");
        Prose prose = new Prose(random(products));
        html.paragraph("We have " + products + " things for you.").paragraph(prose.paragraph(8));
        html.subheading("Categories").list();
        for (int category = 0; category < CATEGORIES.size(); category++) {
            html.item("/category/" + CATEGORIES.get(category), Prose.capitalised(CATEGORIES.get(category)),
                    productsIn(category, products) + " products. " + prose.sentence());
        }
        html.endList().subheading("Today's offers").list();
        for (int offer = 1; offer <= Math.min(OFFERS, products); offer++) {
            int number = products * offer / (OFFERS + 1) + 1;
            html.item("/go/" + number, "Offer: " + name(number), price(number));
        }
        html.endList().subheading("News");
        for (int i = 0; i < 6; i++) {
            html.paragraph(prose.paragraph(7));
        }
        return html.end();
    }

    private String about() {
        Html html = new Html("About us").heading("About us");
        Prose prose = new Prose(random(0));
        for (int i = 0; i < 10; i++) {
            html.paragraph(prose.paragraph(7));
        }
        return html.end();
    }

    private String listing(int category, int page) {
        String slug = CATEGORIES.get(category);
        int count = productsIn(category, products);
        int last = listings(count);
        String title = Prose.capitalised(slug) + ", page " + page + " of " + last;
        Html html = new Html(title).heading(title).list();
        for (int rank = (page - 1) * PER_LISTING; rank < Math.min(page * PER_LISTING, count); rank++) {
            int number = rank * CATEGORIES.size() + category + 1;
            html.item("/product/" + number, name(number),
                    price(number) + ". " + new Prose(random(number)).paragraph(2));
        }
        html.endList().startPager();
        if (page > 1) {
            html.link(listingPath(slug, page - 1), "Previous page");
        }
        if (page < last) {
            html.link(listingPath(slug, page + 1), "Next page");
            html.link(listingPath(slug, last), "Last page");
        }
        return html.endPager().end();
    }

    /** The first page has one address only, so that nobody fetches it twice. */
    private static String listingPath(String slug, int page) {
        return "/category/" + slug + (page == 1 ? "" : "?page=" + page);
    }

    private String product(int number) {
        String slug = CATEGORIES.get((number - 1) % CATEGORIES.size());
        Random random = random(number);
        Prose prose = new Prose(random);
        Html html = new Html(name(number)).heading(name(number))
                .price(price(number))
                .paragraph(random.nextInt(5) > 0 ? "In stock." : "Back in a week.");
        for (int i = 8 + random.nextInt(8); i > 0; i--) {
            html.paragraph(prose.paragraph(6));
        }
        html.subheading("Details").list();
        for (String detail : List.of("Width", "Height", "Depth")) {
            html.item(detail + ": " + (5 + random.nextInt(190)) + " cm");
        }
        html.item("Article number: " + (100_000 + number)).endList().subheading("What customers say");
        for (int i = 3 + random.nextInt(20); i > 0; i--) {
            html.review(1 + random.nextInt(5), prose.name(), prose.paragraph(4));
        }
        html.subheading("You may also like").list();
        for (int i = 0; i < 5; i++) {
            int other = 1 + random.nextInt(products);
            html.item("/product/" + other, name(other), price(other));
        }
        return html.endList().startPager().link("/category/" + slug, "More in " + slug).endPager().end();
    }

    private static String name(int number) {
        return new Prose(random(number)).product() + " No. " + number;
    }

    private static String price(int number) {
        int cents = 199 + random(-number).nextInt(49_900);
        return String.format("%d.%02d EUR", cents / 100, cents % 100);
    }

    /** Neighbouring seeds start with similar numbers; spread out, neighbouring products differ. */
    private static Random random(int number) {
        return new Random(number * 0x9E3779B97F4A7C15L);
    }
}
