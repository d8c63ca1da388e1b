package io.tempolimit.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Pages over time, one panel a site and one line a policy, as SVG. */
final class Picture {
    /** Told apart by those, too, who do not see red and green. */
    private static final String[] COLOURS = {"#999999", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};
    private static final int WIDTH = 300;
    private static final int HEIGHT = 150;
    private static final int LEFT = 50;
    private static final int TOP = 30;
    private static final int ROW = HEIGHT + 70;
    private static final int COLUMN = WIDTH + LEFT + 20;
    private static final int HOURS = 4;

    private final List<String> panels = new ArrayList<>();
    private final Map<String, String> colours = new LinkedHashMap<>();

    /** Adds a site; {@code lines} has the pages of each policy in each part of the time. */
    void panel(String name, Map<String, int[]> lines) {
        int most = 1;
        for (int[] pages : lines.values()) {
            int sum = 0;
            for (int n : pages) {
                sum += n;
            }
            most = Math.max(most, sum);
        }
        StringBuilder svg = new StringBuilder();
        int x = LEFT + panels.size() % 3 * COLUMN;
        int y = TOP + panels.size() / 3 * ROW;
        text(svg, x, y - 8, "start", name);
        text(svg, x - 5, y + 10, "end", Integer.toString(most));
        text(svg, x - 5, y + HEIGHT, "end", "0");
        text(svg, x + WIDTH, y + HEIGHT + 16, "end", HOURS + " h");
        svg.append(String.format(Locale.ROOT, "<path d='M%d %dV%dH%d' fill='none' stroke='#666'/>%n", x, y, y + HEIGHT, x + WIDTH));
        for (Map.Entry<String, int[]> line : lines.entrySet()) {
            String colour = colours.computeIfAbsent(line.getKey(), k -> COLOURS[colours.size() % COLOURS.length]);
            svg.append("<polyline fill='none' stroke='").append(colour).append("' stroke-width='")
                    .append(line.getKey().equals("Tempolimit") ? 3 : 1.5).append("' points='").append(x).append(',').append(y + HEIGHT);
            int sum = 0;
            for (int i = 0; i < line.getValue().length; i++) {
                sum += line.getValue()[i];
                svg.append(String.format(Locale.ROOT, " %.1f,%.1f", x + (i + 1.0) * WIDTH / line.getValue().length,
                        y + HEIGHT - (double) sum / most * HEIGHT));
            }
            svg.append(String.format("'/>%n"));
        }
        panels.add(svg.toString());
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String words) {
        svg.append(String.format(Locale.ROOT, "<text x='%d' y='%d' text-anchor='%s'>%s</text>%n", x, y, anchor, words));
    }

    /** The whole picture. The names of the policies stand where the next panel would. */
    String svg() {
        int rows = panels.size() / 3 + 1;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(Locale.ROOT, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                + " font-size='12'>%n<title>Pages over four hours</title>%n<rect width='100%%' height='100%%' fill='white'/>%n",
                3 * COLUMN + 10, rows * ROW));
        panels.forEach(svg::append);
        int x = LEFT + panels.size() % 3 * COLUMN;
        int y = TOP + panels.size() / 3 * ROW + 15;
        for (Map.Entry<String, String> policy : colours.entrySet()) {
            svg.append(String.format(Locale.ROOT, "<path d='M%d %dh30' stroke='%s' stroke-width='3'/>%n", x, y - 4, policy.getValue()));
            text(svg, x + 40, y, "start", policy.getKey());
            y += 20;
        }
        return svg.append(String.format("</svg>%n")).toString();
    }
}
