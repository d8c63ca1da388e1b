package io.tempolimit.examples.site;

/** Writes one page of the shop, from its head to the links at its foot. Texts are the shop's own and need no escaping. */
final class Html {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <title>%s</title>
            <style>
            body { font: 16px/1.5 serif; color: #222; max-width: 50em; margin: 0 auto; padding: 1em }
            nav a { margin-right: 1em }
            .price { font-size: 1.4em; color: #060 }
            .review { border-left: 3px solid #ccc; padding-left: 1em; margin: 1em 0 }
            </style>
            </head>
            <body>
            <nav><a href="/">The Corner Shop</a><a href="/about">About us</a></nav>
            """;

    private final StringBuilder text = new StringBuilder(16_000);

    Html(String title) {
        text.append(String.format(HEAD, title));
    }

    Html heading(String heading) {
        return line("<h1>", heading, "</h1>");
    }

    Html subheading(String heading) {
        return line("<h2>", heading, "</h2>");
    }

    Html paragraph(String paragraph) {
        return line("<p>", paragraph, "</p>");
    }

    Html price(String price) {
        return line("<p class=\"price\">", price, "</p>");
    }

    Html review(int stars, String author, String review) {
        return line("<div class=\"review\"><p>" + stars + " of 5 stars, by " + author + "</p><p>", review, "</p></div>");
    }

    Html list() {
        return line("<ul>", "", "");
    }

    Html item(String item) {
        return line("<li>", item, "</li>");
    }

    Html item(String link, String label, String remark) {
        return line("<li><a href=\"" + link + "\">", label, "</a> " + remark + "</li>");
    }

    Html endList() {
        return line("</ul>", "", "");
    }

    Html startPager() {
        return line("<nav>", "", "");
    }

    Html link(String link, String label) {
        return line("<a href=\"" + link + "\">", label, "</a>");
    }

    Html endPager() {
        return line("</nav>", "", "");
    }

    String end() {
        return text.append("</body>\n</html>\n").toString();
    }

    private Html line(String before, String content, String after) {
        text.append(before).append(content).append(after).append('\n');
        return this;
    }
}
