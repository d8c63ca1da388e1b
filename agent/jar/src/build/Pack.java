import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts the classes of each folder into one file of it, {@code classes.bin}: their number; of each its name without the package, and how
 * many bytes it has; then the bytes of all, in the same order. {@code AgentLoader} reads it. Run by this module's build:
 * {@code java Pack.java FOLDER}.
 */
public final class Pack {
    private Pack() {
    }

    public static void main(String[] arguments) throws IOException {
        Map<Path, List<Path>> folders;
        try (Stream<Path> files = Files.walk(Path.of(arguments[0]))) {
            folders = files.filter(f -> f.toString().endsWith(".class")).sorted()
                    .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
        }
        for (Map.Entry<Path, List<Path>> folder : folders.entrySet()) {
            pack(folder.getKey().resolve("classes.bin"), folder.getValue());
        }
    }

    private static void pack(Path to, List<Path> classes) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(to))) {
            out.writeShort(classes.size());
            for (Path file : classes) {
                byte[] bytes = Files.readAllBytes(file);
                String name = file.getFileName().toString();
                out.writeUTF(name.substring(0, name.length() - ".class".length()));
                out.writeInt(bytes.length);
                content.write(bytes);
                Files.delete(file);
            }
            content.writeTo(out);
        }
    }
}
