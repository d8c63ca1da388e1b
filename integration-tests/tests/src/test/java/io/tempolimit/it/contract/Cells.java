package io.tempolimit.it.contract;

import io.tempolimit.it.harness.Javas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which cells run what. A client's oldest version has the whole contract on the oldest Java, its newest version on the
 * newest Java; the JDK's own clients have it on the oldest Java and on the newest. Pace, faithfulness and waits are for one
 * of the other two corners: by turns the oldest version on the newest Java, and the newest on the oldest. The rest,
 * versions and Javas, has a turn with -Pmatrix, where every cell has the whole contract. That the hooks fit the versions
 * between is shown by {@code HooksIT} and {@code SitesTest}. Oldest and newest are taken from the Javas of this machine; cells
 * of the other Javas are skipped by name.
 */
final class Cells {
    /**
     * The cells to run alone, with the whole contract: {@code OkHttp 5.5.1, Java 25}. Each word begins a word of the cell's name. Several
     * cells are separated by semicolons.
     */
    private static final String ASKED = System.getProperty("cell", "");
    /** Whether to run as little as shows that each client still works. */
    private static final boolean QUICK = Boolean.getBoolean("tempolimit.quick");

    private Cells() {
    }

    /** Those for all of the contract. */
    static List<Cell> full() {
        return ASKED.isEmpty() ? those(Cells::full) : asked();
    }

    /** Those for pace, faithfulness and waits: of each client one of the two, in turn. */
    static List<Cell> waiting() {
        List<Cell> corners = those(cell -> !full(cell) && !cell.row().isBetween() && ends(cell));
        Map<String, List<Cell>> byClient = new LinkedHashMap<>();
        corners.forEach(cell -> byClient.computeIfAbsent(cell.row().client(), client -> new ArrayList<>()).add(cell));
        List<Cell> inTurn = new ArrayList<>();
        byClient.values().forEach(cells -> inTurn.add(cells.get(inTurn.size() % cells.size())));
        return inTurn;
    }

    /** Those for pace and faithfulness: with -Pquick each client in its newest version on the Java that builds. */
    static List<Cell> quick() {
        return QUICK ? newestHere() : List.of();
    }

    private static List<Cell> newestHere() {
        int java = Runtime.version().feature();
        Map<String, Row> newest = new LinkedHashMap<>();
        Row.ALL.stream().filter(row -> row.runsOn(java)).forEach(row -> newest.put(row.client(), row));
        return newest.values().stream().map(row -> new Cell(row, java)).toList();
    }

    private static List<Cell> those(Predicate<Cell> which) {
        return ASKED.isEmpty() ? all().filter(which).toList() : List.of();
    }

    private static Stream<Cell> all() {
        return Row.ALL.stream().flatMap(row -> Javas.SUPPORTED.stream().filter(row::runsOn).map(java -> new Cell(row, java)));
    }

    private static boolean full(Cell cell) {
        Row row = cell.row();
        if (Cell.MATRIX || row.isTheJvms()) {
            return Cell.MATRIX || ends(cell);
        }
        return !row.isBetween() && cell.java() == (row.isOldest() ? oldest(row) : newest(row));
    }

    private static boolean ends(Cell cell) {
        return cell.java() == oldest(cell.row()) || cell.java() == newest(cell.row());
    }

    /** Of the Javas of this machine on which it runs; 0 if there are none. */
    private static int oldest(Row row) {
        return present(row).min(Comparator.naturalOrder()).orElse(0);
    }

    private static int newest(Row row) {
        return present(row).max(Comparator.naturalOrder()).orElse(0);
    }

    private static Stream<Integer> present(Row row) {
        return Javas.SUPPORTED.stream().filter(java -> row.runsOn(java) && Javas.find(java).isPresent());
    }

    private static List<Cell> asked() {
        return Arrays.stream(ASKED.split(";")).flatMap(cell -> asked(cell).stream()).distinct().toList();
    }

    private static List<Cell> asked(String name) {
        List<String> words = words(name);
        List<Cell> found = all().filter(cell -> hasAll(words, words(cell.toString()))).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("No cell of the contract is '" + name + "'. Nearest: " + String.join("; ", nearest(words)));
        }
        return found;
    }

    private static boolean hasAll(List<String> asked, List<String> name) {
        return asked.stream().allMatch(word -> name.stream().anyMatch(w -> w.startsWith(word)));
    }

    /** The names whose words begin most alike. */
    private static List<String> nearest(List<String> words) {
        return all().map(Cell::toString).sorted(Comparator.comparingInt(name -> -alike(words, words(name)))).limit(6).toList();
    }

    private static int alike(List<String> asked, List<String> name) {
        return asked.stream().mapToInt(word -> name.stream().mapToInt(w -> alike(word, w)).max().orElse(0)).sum();
    }

    /** How many letters are the same at their beginning; a word that is there in full counts more. */
    private static int alike(String asked, String word) {
        int same = 0;
        while (same < Math.min(asked.length(), word.length()) && asked.charAt(same) == word.charAt(same)) {
            same++;
        }
        return asked.equals(word) ? 2 * same : same;
    }

    private static List<String> words(String name) {
        return Arrays.stream(name.toLowerCase(Locale.ROOT).split("[\\s,]+")).filter(word -> !word.isEmpty() && !word.equals("on")).toList();
    }
}
