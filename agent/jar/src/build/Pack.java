import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts the classes of each package into one file, {@code PACKAGE.classes}, and deletes the folders that are empty then. The file has the
 * number of classes; of each the hash of its name without the package, where its bytes begin and how many there are, in the order of
 * the hashes; then the bytes. {@code AgentLoader} reads it. Run by this module's build: {@code java Pack.java FOLDER}.
 */
public final class Pack {
    private static final int RECORD = 12;

    private Pack() {
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Map<Path, List<Path>> folders;
        try (Stream<Path> files = Files.walk(root)) {
            folders = files.filter(f -> f.toString().endsWith(".class"))
                    .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
        }
        for (Map.Entry<Path, List<Path>> folder : folders.entrySet()) {
            pack(root.resolve(root.relativize(folder.getKey()).toString().replace('/', '.').replace('\\', '.') + ".classes"),
                    folder.getValue());
        }
        List<Path> all;
        try (Stream<Path> left = Files.walk(root)) {
            all = new ArrayList<>(left.filter(Files::isDirectory).toList());
        }
        for (int i = all.size() - 1; i > 0; i--) { // what is within a folder stands behind it
            String[] files = all.get(i).toFile().list();
            if (files.length == 0) {
                Files.delete(all.get(i));
            }
        }
    }

    private static void pack(Path to, List<Path> files) throws IOException {
        TreeMap<Integer, byte[]> classes = new TreeMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (classes.put(name.substring(0, name.length() - ".class".length()).hashCode(), Files.readAllBytes(file)) != null) {
                throw new IllegalStateException("two classes in " + to + " have the same hash; rename " + name);
            }
            Files.delete(file);
        }
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(to))) {
            out.writeInt(classes.size());
            int from = 4 + classes.size() * RECORD;
            for (Map.Entry<Integer, byte[]> type : classes.entrySet()) {
                out.writeInt(type.getKey());
                out.writeInt(from);
                out.writeInt(type.getValue().length);
                from += type.getValue().length;
            }
            for (byte[] type : classes.values()) {
                out.write(type);
            }
        }
    }
}
