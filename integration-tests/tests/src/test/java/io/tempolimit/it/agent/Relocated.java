package io.tempolimit.it.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;

/** A client as shaded SDKs carry it: its packages moved, in its jars and in the program that uses it. */
final class Relocated {
    private Relocated() {
    }

    /**
     * A folder with all that is in these jars and folders, but for {@code META-INF}.
     *
     * @param moves packages, with dots, and where to
     */
    static Path copy(Map<String, String> moves, List<Path> jarsAndFolders) {
        Path folder = Source.folder();
        Moves remapper = new Moves(moves);
        try {
            for (Path from : jarsAndFolders) {
                if (Files.isDirectory(from)) {
                    copy(from, folder, remapper);
                } else {
                    try (FileSystem files = FileSystems.newFileSystem(from)) {
                        copy(files.getPath("/"), folder, remapper);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    private static void copy(Path root, Path folder, Moves moves) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString().replace('\\', '/');
                if (name.startsWith("META-INF/") || name.equals("module-info.class")) {
                    continue;
                }
                byte[] bytes = Files.readAllBytes(file);
                Path to = folder.resolve(name.endsWith(".class") ? moves.map(name.substring(0, name.length() - 6)) + ".class"
                        : moves.map(name));
                Files.createDirectories(to.getParent());
                Files.write(to, name.endsWith(".class") ? moves.apply(bytes)
                        : name.endsWith(".properties") ? moves.applyToText(bytes) : bytes);
            }
        }
    }

    /** As the shade plugin does it: types everywhere, and texts that look like their names. */
    private static final class Moves extends Remapper {
        private final Map<String, String> moves;

        Moves(Map<String, String> moves) {
            this.moves = moves;
        }

        byte[] apply(byte[] classFile) {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(0);
            reader.accept(new ClassRemapper(writer, this), 0);
            return writer.toByteArray();
        }

        /** Of a client's own settings, whose names are those of its packages. */
        byte[] applyToText(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            return text.lines().map(line -> moved(line, '.') + "\n").collect(Collectors.joining()).getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public String map(String name) {
            return moved(name, '/');
        }

        @Override
        public Object mapValue(Object value) {
            return value instanceof String ? moved((String) value, '.') : super.mapValue(value);
        }

        private String moved(String name, char separator) {
            for (Map.Entry<String, String> move : moves.entrySet()) {
                String from = move.getKey().replace('.', separator) + separator;
                if (name.startsWith(from)) {
                    return move.getValue().replace('.', separator) + separator + name.substring(from.length());
                }
            }
            return name;
        }
    }
}
