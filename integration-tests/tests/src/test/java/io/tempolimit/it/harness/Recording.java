package io.tempolimit.it.harness;

import io.tempolimit.it.programs.Hiccups;
import io.tempolimit.it.programs.Recorder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * What the gate of a forked program has let go, by the gate's own clock, and how late that JVM's threads were woken
 * meanwhile. The program runs with a copy of
 * the agent's jar in which {@code PacedKey} and {@code Departure} call the {@link Recorder}; see the package's description. Thread-safe.
 */
public final class Recording {
    private static final String KEY = "io/tempolimit/core/pace/PacedKey";
    private static final String DEPARTURE = "io/tempolimit/core/pace/Departure";
    private static final String RESERVATION = "io/tempolimit/core/queue/Reservation";
    private static final String RECORDER = Recorder.class.getName().replace('.', '/');

    /** Through so many threads of a client a request passes at most: who was woken at the gate, who has the connection, who writes. */
    private static final int HANDS = 3;
    private static final Set<Recording> ALL = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final ByteBuffer memory;

    private Recording(Path file) throws IOException {
        this.file = file;
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            f.setLength(Recorder.BYTES);
            memory = f.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, Recorder.BYTES);
        }
    }

    /** An empty one, for a program that is yet to start. */
    static Recording create() {
        try {
            Recording recording = new Recording(Files.createTempFile("tempolimit-recording", ""));
            ALL.add(recording);
            return recording;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The option that tells the program where to write. */
    String option() {
        return "-D" + Recorder.FILE + "=" + file;
    }

    /** The agent's jar, with the recorder in it. */
    static Path agentJar() {
        return Copy.JAR;
    }

    /** Where it is kept may go; what has been recorded can still be read. */
    void delete() {
        ALL.remove(this);
        try {
            Files.deleteIfExists(file);
        } catch (IOException inUse) {
            file.toFile().deleteOnExit();
        }
    }

    /**
     * When requests of this key were let go so far, in nanoseconds of {@link System#nanoTime}, ascending; without those
     * that were not sent after all. A request
     * that has arrived is among them.
     */
    public List<Long> departures(String key) {
        List<Long> departures = new ArrayList<>();
        List<Long> unused = new ArrayList<>();
        read(key, departures, unused);
        unused.forEach(departures::remove);
        departures.sort((a, b) -> Long.signum(a - b));
        return departures;
    }

    /** How many requests of this key were let go so far and not sent then, because their client dropped them or kept them for too long. */
    public int unused(String key) {
        List<Long> unused = new ArrayList<>();
        read(key, new ArrayList<>(), unused);
        return unused.size();
    }

    private void read(String key, List<Long> departures, List<Long> unused) {
        byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
        byte[] name = new byte[Math.min(Recorder.NAME, bytes.length)];
        System.arraycopy(bytes, bytes.length - name.length, name, 0, name.length);
        int missing = 0; // a thread may be about to write its record while others have written theirs
        for (int at = Hiccups.BYTES; at <= Recorder.BYTES - Recorder.RECORD && missing < 1000; at += Recorder.RECORD) {
            int what = memory.getInt(at);
            missing = what == 0 ? missing + 1 : 0;
            if (what != 0 && isNamed(at, name)) {
                (what == Recorder.DEPARTED ? departures : unused).add(memory.getLong(at + 8));
            }
        }
        if (memory.getInt(Recorder.BYTES - Recorder.RECORD) != 0) {
            throw new AssertionError("the recording is full");
        }
    }

    private boolean isNamed(int at, byte[] name) {
        if (memory.getInt(at + 4) != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (memory.get(at + 16 + i) != name[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * How late a request may have come for the machine alone between these times of {@link System#nanoTime}: by what a
     * thread overslept at most, for each thread
     * that it passes through on its way from the gate to the site.
     */
    public long hiccup(long from, long to) {
        return HANDS * Hiccups.largest(memory, from, to) + Meter.hiccup(from, to);
    }

    /** The same in whatever program it was the most. */
    public static long hiccupOfAll(long from, long to) {
        return ALL.stream().mapToLong(recording -> recording.hiccup(from, to)).max().orElseGet(() -> Meter.hiccup(from, to));
    }

    /** This JVM's own. */
    private static final class Meter {
        private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(Hiccups.BYTES);

        static {
            new Hiccups(MEMORY).start();
        }

        static long hiccup(long from, long to) {
            return Hiccups.largest(MEMORY, from, to);
        }
    }

    private static final class Copy {
        static final Path JAR = make();

        private static Path make() {
            Meter.hiccup(0, 0); // which begins to measure
            try {
                Path folder = Files.createTempDirectory("tempolimit-it");
                Path copy = folder.resolve("recording-agent.jar");
                folder.toFile().deleteOnExit(); // in reverse order, and only once it is empty
                copy.toFile().deleteOnExit();
                Map<String, byte[]> classes = Hidden.classes();
                Map<String, byte[]> changed = new HashMap<>();
                for (Class<?> added : List.of(Recorder.class, Hiccups.class)) {
                    changed.put(added.getName().replace('.', '/'),
                            added.getResourceAsStream(added.getSimpleName() + ".class").readAllBytes());
                }
                String of = "(L" + KEY + ";L" + RESERVATION + ";)";
                changed.put(KEY, woven(KEY, classes, Map.of("grant(L" + RESERVATION + ";IJ)V", Departed::new)));
                changed.put(DEPARTURE, woven(DEPARTURE, classes,
                        Map.of("depart" + of + "L" + RESERVATION + ";", Again::new, "unused" + of + "V", Unused::new)));
                Hidden.copy(copy, changed);
                return copy;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Calls the recorder where a request is let go, and where one is not sent after all. */
        private static byte[] woven(String type, Map<String, byte[]> classes, Map<String, UnaryOperator<MethodVisitor>> methods) {
            ClassReader reader = new ClassReader(classes.get(type));
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            Set<String> missing = new HashSet<>(methods.keySet());
            reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                    missing.remove(name + descriptor);
                    return methods.getOrDefault(name + descriptor, UnaryOperator.identity()).apply(method);
                }
            }, 0);
            if (!missing.isEmpty()) {
                throw new AssertionError(type + " has no " + missing + ": say here where the gate lets a request go");
            }
            return writer.toByteArray();
        }
    }

    /** {@code Recorder.departed(this.name(), now)}. */
    private static final class Departed extends MethodVisitor {
        Departed(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, KEY, "name", "()Ljava/lang/String;", false);
            super.visitVarInsn(Opcodes.LLOAD, 3);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "departed", "(Ljava/lang/String;J)V", false);
        }
    }

    /**
     * {@code Recorder.unused(true, key.name(), permit.dueAt)}, where another permit is made for a request that its client has
     * kept for too long. Key and permit are the method's arguments.
     */
    private static final class Again extends MethodVisitor {
        private boolean woven;

        Again(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitEnd() {
            if (!woven) {
                throw new AssertionError("no permit is made anew where a request leaves: say here where that is");
            }
            super.visitEnd();
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            if (owner.equals(KEY) && name.equals("permit")) {
                super.visitInsn(Opcodes.ICONST_1);
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, KEY, "name", "()Ljava/lang/String;", false);
                super.visitVarInsn(Opcodes.ALOAD, 1);
                super.visitFieldInsn(Opcodes.GETFIELD, RESERVATION, "dueAt", "J");
                woven = true;
                super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "unused", "(ZLjava/lang/String;J)V", false);
            }
        }
    }

    /** {@code Recorder.unused(permit.granted(), key.name(), permit.dueAt)}. Key and permit are the method's arguments. */
    private static final class Unused extends MethodVisitor {
        Unused(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, RESERVATION, "granted", "()Z", false);
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, KEY, "name", "()Ljava/lang/String;", false);
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitFieldInsn(Opcodes.GETFIELD, RESERVATION, "dueAt", "J");
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "unused", "(ZLjava/lang/String;J)V", false);
        }
    }
}
