package io.tempolimit.weave;

/**
 * An HTTP client that can be woven: its name and its sites. Immutable.
 *
 * <p>Of some, copies under another name are woven, too: SDKs bring them ({@code com.acme.shaded.okhttp3}), so that they do not
 * meet the application's. A copy is known by the end of its classes' names, and its hooks are read with their names moved as the
 * client's are ({@link Relocation}).
 */
public final class Client {
    final String id;
    final String label;
    final String anchor;
    final String hooks;
    final Site[] sites;
    /** Class and method without which a version is too old; null if there is no such mark. */
    final String[] needs;
    /** The package, with slashes, that is moved in a copy; null if copies are not woven. */
    final String root;
    /** What may be moved with it: a package and a type in it, with slashes, and class and method (with dots) that return that type. */
    final String[] library;
    /** The package, with slashes, whose types the hooks are compiled against: the root, unless the hooks are another client's. */
    final String hooksRoot;
    /** Whether it is no client: its hooks look on at what others send. */
    final boolean looksOn;

    /**
     * @param id     what the setting {@code clients} calls it
     * @param label  what people call it
     * @param anchor a class, with dots, that stands for the client in its loader: its woven classes share one set of hooks
     * @param hooks  package of the hooks, with dots; nothing but hooks may be in it
     * @param sites  what to weave
     */
    public Client(String id, String label, String anchor, String hooks, Site... sites) {
        this(id, label, anchor, hooks, sites, null, null, null, null, false);
    }

    private Client(String id, String label, String anchor, String hooks, Site[] sites, String[] needs, String root, String[] library,
            String hooksRoot, boolean looksOn) {
        this.id = id;
        this.label = label;
        this.anchor = anchor;
        this.hooks = hooks;
        this.sites = sites;
        this.needs = needs;
        this.root = root;
        this.library = library;
        this.hooksRoot = hooksRoot;
        this.looksOn = looksOn;
    }

    /** The same client, whose versions without this public method (of a class with dots) are too old for the hooks. */
    public Client needing(String className, String method) {
        return new Client(id, label, anchor, hooks, sites, new String[] {className, method}, root, library, hooksRoot, looksOn);
    }

    /** The same client, whose copies are woven: all its types are below this package, with slashes, and no site's descriptor names one. */
    public Client withCopies(String movedPackage) {
        return new Client(id, label, anchor, hooks, sites, needs, movedPackage, null, movedPackage, looksOn);
    }

    /**
     * The same, for a client that stands on a library which is moved with it, or not, or elsewhere.
     *
     * @param libraryPackage the library's package, with slashes
     * @param type           a type in it, with slashes
     * @param className      a class of the client, with dots, whose public {@code method} returns that type
     */
    public Client withCopies(String movedPackage, String libraryPackage, String type, String className, String method) {
        String[] on = {libraryPackage, type, className, method};
        return new Client(id, label, anchor, hooks, sites, needs, movedPackage, on, movedPackage, looksOn);
    }

    /** The same, whose hooks are those of another client with copies: its package, with slashes, is read as the package of this one. */
    public Client hooksSpeakOf(String otherPackage) {
        return new Client(id, label, anchor, hooks, sites, needs, root, library, otherPackage, looksOn);
    }

    /** The same, which is no client: its hooks look on at what others send, and it is not told among the clients that are woven. */
    public Client lookingOn() {
        return new Client(id, label, anchor, hooks, sites, needs, root, library, hooksRoot, true);
    }

    /** What the setting {@code clients} calls it. */
    public String id() {
        return id;
    }

    /** What people call it. */
    String label() {
        return label;
    }

    /**
     * Where the client is, if this class is that one of it: its own package, or what stands for it in a copy. Of Apache's clients some
     * copies lack the {@code org}.
     *
     * @param name      of the class that is there, with slashes
     * @param className of the client's class, with slashes
     * @return with a slash at its end; empty for a client without copies; null if it is another class
     */
    String rootOf(String name, String className) {
        if (name.equals(className)) {
            return root == null ? "" : root;
        }
        if (root == null) {
            return null;
        }
        int from = className.startsWith("org/") ? 4 : 0;
        int at = name.length() - (className.length() - from);
        return at > 0 && name.charAt(at - 1) == '/' && name.regionMatches(at, className, from, className.length() - from)
                ? name.substring(0, name.length() - (className.length() - root.length())) : null;
    }

    /** Whether it is a copy that is there, and not the client itself. */
    boolean isCopy(String rootThere) {
        return root != null && !rootThere.equals(root);
    }

    /** Whether its hooks, as they are compiled, know other names than those that are there. */
    boolean movesHooks(String rootThere) {
        return hooksRoot != null && !rootThere.equals(hooksRoot);
    }

    /** What to call the client that is there. */
    String label(String rootThere) {
        return isCopy(rootThere) ? label + " at " + packageName(rootThere) : label;
    }

    static String packageName(String rootThere) {
        return rootThere.substring(0, rootThere.length() - 1).replace('/', '.');
    }
}
