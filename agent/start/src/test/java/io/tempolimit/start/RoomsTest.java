package io.tempolimit.start;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Types, methods and lines of all modules of the agent stay small, and no package needs one that needs it. */
class RoomsTest {
    private static final int TYPE = 500;
    private static final int METHOD = 60;
    private static final int LINE = 140;
    private static final Set<String> PROSE_AND_SCRIPTS = Set.of("html", "lua", "md", "sh");

    private static final String CORE = "io.tempolimit.core";
    /** Types of a package of core. */
    private static final int TYPES = 15;

    /** What each package of core may use of the others; {@code ""} is {@code core} itself. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("request", Set.of()),
            Map.entry("runtime", Set.of()),
            Map.entry("policy", Set.of("request")),
            Map.entry("bucket", Set.of("policy")),
            Map.entry("learn", Set.of("policy")),
            Map.entry("circuit", Set.of("learn", "policy", "runtime")),
            Map.entry("store", Set.of("circuit", "policy")),
            Map.entry("memory", Set.of("policy")),
            Map.entry("", Set.of("memory", "policy", "request", "runtime", "store")),
            Map.entry("queue", Set.of("", "bucket", "policy", "request", "runtime")),
            Map.entry("pace", Set.of("", "bucket", "circuit", "policy", "queue", "request", "runtime")),
            Map.entry("key", Set.of("", "bucket", "circuit", "learn", "memory", "pace", "policy", "queue", "request", "runtime")),
            Map.entry("fleet", Set.of("", "bucket", "circuit", "pace", "policy", "queue", "runtime", "store")),
            Map.entry("limiter", Set.of("", "circuit", "fleet", "key", "memory", "pace", "policy", "request", "runtime", "store")));

    /** What other modules and {@code gate} use of core. All else that is public there is so for its other packages. */
    private static final Set<String> API = Set.of("Body", "Key", "KeyStats", "Listener", "Permit", "Rejection", "StatusCounts", "Unseen",
            "circuit.Incident", "limiter.Limiter", "memory.Remembered");
    private static final Set<String> ALL_API = Set.of("policy", "runtime", "store", "request");

    private static final Set<String> LOADED_BY_NAME = Set.of("io.tempolimit.Agent", "io.tempolimit.start.Start",
            "io.tempolimit.weave.browser.ContentHook",
            "io.tempolimit.redis.Redis", "io.tempolimit.redis.RedisTrial");

    private static final Path AGENT = Path.of("..").toAbsolutePath().normalize();
    private static List<Path> files;
    private static JavaClasses classes;

    @BeforeAll
    static void findFiles() throws IOException {
        assertTrue(Files.isDirectory(AGENT.resolve("core/src/main/java")), "not the folder agent/: " + AGENT);
        files = new ArrayList<>();
        Files.walkFileTree(AGENT, new SimpleFileVisitor<>() {
            /** Folders below target may vanish meanwhile. */
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (extension(file).equals("java") || PROSE_AND_SCRIPTS.contains(extension(file))) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
    }

    @Test
    void noTypeIsLong() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path file : javaFiles()) {
            int lines = Files.readAllLines(file).size();
            if (lines > TYPE) {
                faults.add(AGENT.relativize(file) + ": " + lines + " lines");
            }
        }
        check("A type has at most " + TYPE + " lines. Give a part of it a name, and a file", faults);
    }

    @Test
    void noMethodIsLong() throws IOException {
        List<String> faults = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, fault -> { }, List.of("-proc:none"), null,
                    manager.getJavaFileObjectsFromPaths(javaFiles()));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new LongMethods(unit, positions, faults).scan(unit, null);
            }
        }
        check("A method has at most " + METHOD + " lines, with its annotations. Split it by what its parts do", faults);
    }

    private static final class LongMethods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> faults;

        LongMethods(CompilationUnitTree unit, SourcePositions positions, List<String> faults) {
            this.unit = unit;
            this.positions = positions;
            this.faults = faults;
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            LineMap map = unit.getLineMap();
            long first = map.getLineNumber(positions.getStartPosition(unit, method));
            long lines = map.getLineNumber(positions.getEndPosition(unit, method)) - first + 1;
            if (lines > METHOD) {
                Path file = AGENT.relativize(Path.of(unit.getSourceFile().toUri()));
                faults.add(file + ":" + first + ": " + method.getName() + " has " + lines + " lines");
            }
            return super.visitMethod(method, none);
        }
    }

    @Test
    void noLineIsLong() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path file : files) {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                int columns = line.codePointCount(0, line.length());
                if (columns > LINE) {
                    faults.add(AGENT.relativize(file) + ":" + number + ": " + columns + " columns");
                }
            }
        }
        check("A line has at most " + LINE + " columns", faults);
    }

    @Test
    void packagesHaveNoCycles() throws IOException {
        slices().assignedFrom(new PackageOfOurs()).should().beFreeOfCycles().check(classes());
    }

    @Test
    void packagesOfCoreAreSmallAndUseOnlyThoseBelow() throws IOException {
        Map<String, Integer> types = new TreeMap<>();
        List<String> faults = new ArrayList<>();
        for (JavaClass type : classes()) {
            if (!isOfCore(type.getPackageName())) {
                continue;
            }
            boolean counts = type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
            types.merge(type.getPackageName(), counts ? 1 : 0, Integer::sum);
            String from = room(type.getPackageName());
            for (Dependency d : type.getDirectDependenciesFromSelf()) {
                String to = d.getTargetClass().getBaseComponentType().getPackageName();
                if (isOfCore(to) && !room(to).equals(from) && !ARROWS.get(from).contains(room(to))) {
                    faults.add(d.getDescription());
                }
            }
        }
        types.forEach((name, n) -> {
            if (n > TYPES) {
                faults.add(name + " has " + n + " types, and may have " + TYPES);
            }
        });
        assertEquals("", String.join("\n", faults));
    }

    @Test
    void otherModulesUseOnlyTheApiOfCore() throws IOException {
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : classes()) {
            if (isOfCore(type.getPackageName())) {
                continue;
            }
            for (Dependency d : type.getDirectDependenciesFromSelf()) {
                JavaClass used = d.getTargetClass().getBaseComponentType();
                if (isOfCore(used.getPackageName()) && !isApi(used)) {
                    faults.add(type.getName() + " uses " + used.getName());
                }
            }
        }
        assertEquals("", String.join("\n", faults));
    }

    /** A key whose row nothing reads is taken, shown by {@code check}, and has no effect. */
    @Test
    void everySettingIsRead() throws IOException {
        Set<String> readers = Set.of("io.tempolimit.config.Settings", "io.tempolimit.config.Policies");
        List<String> faults = new ArrayList<>();
        for (JavaField key : classes().get("io.tempolimit.config.SettingKey").getFields()) {
            if (key.reflect().isEnumConstant()
                    && key.getAccessesToSelf().stream().noneMatch(a -> readers.contains(a.getOriginOwner().getName()))) {
                faults.add(key.getName());
            }
        }
        check("Settings or Policies reads each key", faults);
    }

    private static boolean isOfCore(String name) {
        return name.equals(CORE) || name.startsWith(CORE + ".");
    }

    private static String room(String name) {
        return name.equals(CORE) ? "" : name.substring(CORE.length() + 1);
    }

    private static boolean isApi(JavaClass used) {
        String type = used.getName().substring(CORE.length() + 1).replaceFirst("\\$.*", "");
        return ALL_API.contains(room(used.getPackageName())) || API.contains(type);
    }

    /**
     * What nobody outside a package uses, tests included, is not public. Some uses leave no trace in a class file, so this does not
     * ask for them: constants, interfaces that a lambda implements, constructors that nobody wrote, what is loaded by name.
     */
    @Test
    void onlyWhatOtherPackagesUseIsPublic() throws IOException {
        List<String> missing = notCompiled();
        if (!missing.isEmpty()) {
            System.out.println("* Not tested: what is public and need not be, for these are not compiled: " + missing);
        }
        assumeTrue(missing.isEmpty(), "mvn test -pl agent/jar -am compiles all");
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : classes()) {
            boolean asked = type.getName().startsWith("io.tempolimit") && !type.isInterface() && !LOADED_BY_NAME.contains(type.getName());
            if (!asked || !isVisible(type.getModifiers()) || type.getPackageName().endsWith(".hooks")) {
                continue;
            }
            boolean constants = type.getFields().stream().anyMatch(RoomsTest::isConstant);
            if (!constants && type.getDirectDependenciesToSelf().stream().allMatch(d -> isIn(type, d.getOriginClass()))) {
                faults.add(type.getName());
            }
            for (JavaMember member : type.getMembers()) {
                if (isVisible(member.getModifiers()) && !leavesNoTrace(member) && !isUsedElsewhere(member)) {
                    faults.add(member.getFullName());
                }
            }
        }
        check("Nothing outside its package uses it. Take away its 'public' or 'protected'", new ArrayList<>(faults));
    }

    /** Of the agent, and not of its tests. */
    private static boolean isOurs(JavaClass type) {
        return type.getSource().map(from -> !from.getUri().getPath().contains("/test-classes/")).orElse(false);
    }

    /** Modules whose uses of others are not known. */
    private static List<String> notCompiled() throws IOException {
        try (Stream<Path> modules = Files.walk(AGENT, 2)) {
            return modules.filter(m -> Files.isDirectory(m.resolve("src/main/java")) && !Files.isDirectory(m.resolve("target/classes")))
                    .map(m -> AGENT.relativize(m).toString()).sorted().toList();
        }
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isIn(JavaClass type, JavaClass other) {
        return type.getPackageName().equals(other.getPackageName());
    }

    private static boolean isConstant(JavaField field) {
        boolean plain = field.getRawType().isPrimitive() || field.getRawType().isEquivalentTo(String.class);
        return plain && field.getModifiers().contains(JavaModifier.STATIC) && field.getModifiers().contains(JavaModifier.FINAL);
    }

    private static boolean leavesNoTrace(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        if (modifiers.contains(JavaModifier.SYNTHETIC) || modifiers.contains(JavaModifier.BRIDGE)) {
            return true;
        }
        JavaClass owner = member.getOwner();
        if (owner.isEnum() && (member instanceof JavaField || Set.of("values", "valueOf").contains(member.getName()))) {
            return true;
        }
        if (member instanceof JavaField field) {
            return isConstant(field);
        }
        if (member instanceof JavaMethod method) {
            return Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                    .anyMatch(above -> isOurs(above) ? above.getMethods().stream().anyMatch(m -> overrides(method, m))
                            : Stream.of(above.reflect().getMethods()).anyMatch(m -> m.getName().equals(method.getName())));
        }
        return member instanceof JavaConstructor made && made.getRawParameterTypes().isEmpty();
    }

    /** By name and number of parameters: their types may be variables above. */
    private static boolean overrides(JavaMethod method, JavaMethod above) {
        return method.getName().equals(above.getName())
                && method.getRawParameterTypes().size() == above.getRawParameterTypes().size();
    }

    private static boolean isUsedElsewhere(JavaMember member) {
        JavaClass owner = member.getOwner();
        if (member.getAccessesToSelf().stream().anyMatch(a -> !isIn(owner, a.getOriginOwner()))) {
            return true;
        }
        if (member instanceof JavaConstructor made) {
            return made.getReferencesToSelf().stream().anyMatch(r -> !isIn(owner, r.getOriginOwner()));
        }
        return member instanceof JavaMethod method
                && (method.getReferencesToSelf().stream().anyMatch(r -> !isIn(owner, r.getOriginOwner()))
                || owner.getAllSubclasses().stream().filter(below -> !isIn(owner, below))
                        .flatMap(below -> below.getMethods().stream()).anyMatch(m -> overrides(m, method)));
    }

    private static final class PackageOfOurs implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return name.startsWith("io.tempolimit") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of the agent";
        }
    }

    /**
     * Those of all modules that are compiled, with who uses them, tests included: a build of this module alone has not all of them. Read
     * once, which takes some seconds.
     */
    private static JavaClasses classes() throws IOException {
        if (classes == null) {
            try (Stream<Path> modules = Files.walk(AGENT, 2)) {
                classes = new ClassFileImporter().importPaths(modules
                        .flatMap(m -> Stream.of(m.resolve("target/classes"), m.resolve("target/test-classes")))
                        .filter(Files::isDirectory).toList()).that(DescribedPredicate.describe("are of the agent", RoomsTest::isOurs));
            }
        }
        return classes;
    }

    private static List<Path> javaFiles() {
        return files.stream().filter(f -> extension(f).equals("java")).toList();
    }

    private static String extension(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static void check(String advice, List<String> faults) {
        assertEquals("", String.join("\n", faults), advice);
    }
}
