package io.tempolimit.weave;

/** A method to weave, and the hook that it calls. Immutable; names only. */
public final class Site {
    final String className;
    final String[] methods;
    final String hook;
    final boolean watch;
    final String descriptor;
    final String[] fields;
    final boolean optional;

    private Site(String className, String[] methods, String hook, boolean watch, String descriptor, String[] fields, boolean optional) {
        this.className = className;
        this.methods = methods;
        this.hook = hook;
        this.watch = watch;
        this.descriptor = descriptor;
        this.fields = fields;
        this.optional = optional;
    }

    /**
     * A method whose hook is asked first, and may answer in its place.
     *
     * @param className the class, with slashes
     * @param methods   the method's name; several where versions of the client differ, separated by {@code |}
     * @param hook      simple name of the hook's class, in the client's package
     */
    public static Site gate(String className, String methods, String hook) {
        return new Site(className, names(methods), hook, false, "(", new String[0], false);
    }

    /** A method whose hook also sees what it returns or throws; arguments as for {@link #gate}. */
    public static Site watch(String className, String methods, String hook) {
        return new Site(className, names(methods), hook, true, "(", new String[0], false);
    }

    /** Only the overload whose descriptor begins so. */
    public Site descriptor(String prefix) {
        return new Site(className, methods, hook, watch, prefix, fields, optional);
    }

    /** Fields of the woven object whose values the hook gets, after the arguments; a field of a superclass as {@code name:descriptor}. */
    public Site fields(String... names) {
        return new Site(className, methods, hook, watch, descriptor, names, optional);
    }

    /** Some supported versions of the client do not have it. */
    public Site optional() {
        return new Site(className, methods, hook, watch, descriptor, fields, true);
    }

    private static String[] names(String methods) {
        int n = 1;
        for (int i = 0; i < methods.length(); i++) {
            n += methods.charAt(i) == '|' ? 1 : 0;
        }
        String[] names = new String[n];
        int from = 0;
        for (int i = 0; i < n; i++) {
            int to = methods.indexOf('|', from);
            names[i] = methods.substring(from, to < 0 ? methods.length() : to);
            from = to + 1;
        }
        return names;
    }

    boolean matches(String name, String methodDescriptor) {
        for (String method : methods) {
            if (method.equals(name)) {
                return methodDescriptor.startsWith(descriptor);
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return className.replace('/', '.') + "." + methods[0];
    }
}
