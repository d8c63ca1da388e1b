package io.tempolimit.it.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Programs for forked JVMs, compiled from text on the spot. */
final class Source {
    /**
     * For a program that imports java.io and java.net: asks for a URL and reads what comes; gives its status, or the
     * name of the exception.
     */
    static final String GET = """
            static String get(String url) {
                try {
                    HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                    int status = c.getResponseCode();
                    InputStream body = status < 400 ? c.getInputStream() : c.getErrorStream();
                    while (body != null && body.read() >= 0) { }
                    return "" + status;
                } catch (IOException e) {
                    return e.getClass().getName();
                }
            }
            """;

    /**
     * {@link #GET}, and for a program that imports java.util and java.util.concurrent, too: asks on threads, each with a name. {@code
     * begin} gives whether it waits by then, {@code join} what it got.
     */
    static final String CALLS = """
            static final Map<String, FutureTask<String>> CALLS = new HashMap<>();
            static String begin(String name, String url) throws InterruptedException {
                FutureTask<String> call = new FutureTask<>(() -> get(url));
                Thread thread = new Thread(call);
                CALLS.put(name, call);
                thread.start();
                while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                    Thread.sleep(1);
                }
                return thread.isAlive() ? "waits" : "over";
            }
            static String join(String name) throws Exception {
                return CALLS.get(name).get(30, TimeUnit.SECONDS);
            }
            """ + GET;

    /**
     * For a program that imports java.io: reads a command a line, the name of a method and what it takes. Prints what the
     * method gives, or its exception. Ends with its input, or by {@code end}.
     */
    static final String COMMANDS = """
            public static void main(String[] args) throws Exception {
                Class<?> program = java.lang.invoke.MethodHandles.lookup().lookupClass();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                for (String line; (line = in.readLine()) != null && !line.equals("end"); ) {
                    String[] c = line.split(" ");
                    try {
                        System.out.println("=" + program.getDeclaredMethod(c[0], String.class).invoke(null, c[1]));
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        System.out.println("=" + e.getCause());
                    }
                }
                System.exit(0);
            }
            """;

    /** What has been compiled, by release, class path and texts: a test that runs on several Javas has its program compiled once. */
    private static final Map<List<?>, Path> COMPILED = new ConcurrentHashMap<>();

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:final )?(?:abstract )?(?:class|interface) (\\w+)");

    private Source() {
    }

    /** A folder with the classes of these texts, for this Java and later ones; whoever asks again gets the same. Not to be written to. */
    static Path compile(int release, String... texts) {
        return compile(release, List.of(), texts);
    }

    /** The same, for texts that use other classes. */
    static Path compile(int release, List<Path> classpath, String... texts) {
        return COMPILED.computeIfAbsent(List.of(release, classpath, List.of(texts)), what -> compiled(release, classpath, texts));
    }

    private static Path compiled(int release, List<Path> classpath, String... texts) {
        Path folder = folder();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>(List.of("--release", String.valueOf(release), "-Xlint:none", "-nowarn", "-proc:none", "-d",
                folder.toString()));
        if (!classpath.isEmpty()) {
            options.addAll(List.of("-cp", classpath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
        }
        StringWriter said = new StringWriter();
        List<JavaFileObject> files = Arrays.stream(texts).<JavaFileObject>map(Text::new).toList();
        if (!compiler.getTask(said, null, null, options, null, files).call()) {
            throw new AssertionError(said);
        }
        return folder;
    }

    /** A new folder below {@code target}. */
    static Path folder() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "agent-it").toAbsolutePath()), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A file of keys with a certificate for {@code site.example} and {@code localhost}, the same for all; its password is
     * {@code secret}.
     */
    static Path keys() {
        return Keys.FILE;
    }

    /** What a server with these keys speaks. */
    static SSLContext tls() {
        try (InputStream in = Files.newInputStream(keys())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, "secret".toCharArray());
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, "secret".toCharArray());
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(managers.getKeyManagers(), null, null);
            return tls;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Made when they are asked for, and once: that takes a processor some seconds. */
    private static final class Keys {
        static final Path FILE = make();

        private static Path make() {
            Path keys = folder().resolve("keys.p12");
            Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            // As Java 8 can read them, and at once: who guesses passwords is to be slowed down, and whoever opens the file is.
            ProcessBuilder make = new ProcessBuilder(keytool.toString(), option("certProtectionAlgorithm=PBEWithSHA1AndRC2_40"),
                    option("certPbeIterationCount=1"), option("keyProtectionAlgorithm=PBEWithSHA1AndDESede"),
                    option("keyPbeIterationCount=1"), option("macAlgorithm=HmacPBESHA1"), option("macIterationCount=1"),
                    "-genkeypair", "-alias", "site", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=site.example", "-ext",
                    "san=dns:site.example,dns:other.example,dns:localhost",
                    "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", "secret");
            try {
                if (make.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() != 0) {
                    throw new AssertionError("keytool");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while keys were made", e);
            }
            return keys;
        }

        private static String option(String setting) {
            return "-J-Dkeystore.pkcs12." + setting;
        }
    }

    /** The jars of a client among the integration tests' {@code clients}. */
    static List<Path> jarsOf(String client) {
        Path lib = Path.of(System.getProperty("tempolimit.clients", "../clients"), client, "target", "lib").toAbsolutePath().normalize();
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(f -> f.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("gather the clients' jars: mvn -DskipTests package", e);
        }
    }

    /** Writes a jar: a manifest, and folders of classes below prefixes of entries. */
    static Path jar(Path jar, Map<String, String> manifest, Map<String, Path> folders, List<Path> stored) {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach((name, value) -> m.getMainAttributes().putValue(name, value));
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, m)) {
            for (Map.Entry<String, Path> e : folders.entrySet()) {
                if (!e.getKey().isEmpty()) { // Spring Boot looks for its folders' own entries
                    out.putNextEntry(new JarEntry(e.getKey()));
                }
                try (Stream<Path> all = Files.walk(e.getValue())) {
                    for (Path f : all.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList()) {
                        out.putNextEntry(new JarEntry(e.getKey() + e.getValue().relativize(f).toString().replace('\\', '/')));
                        Files.copy(f, out);
                    }
                }
            }
            for (Path nested : stored) {
                byte[] bytes = Files.readAllBytes(nested);
                CRC32 crc = new CRC32();
                crc.update(bytes);
                JarEntry entry = new JarEntry("BOOT-INF/lib/" + nested.getFileName());
                entry.setMethod(JarEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(crc.getValue());
                out.putNextEntry(entry);
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return jar;
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String text) {
            super(URI.create("string:///" + name(text).replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        private static String name(String text) {
            Matcher pack = PACKAGE.matcher(text);
            Matcher type = TYPE.matcher(text);
            if (!type.find()) {
                throw new IllegalArgumentException(text);
            }
            return (pack.find() ? pack.group(1) + "." : "") + type.group(1);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }
    }
}
