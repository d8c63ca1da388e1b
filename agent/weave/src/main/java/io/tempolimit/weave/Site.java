package io.tempolimit.weave;

/** A method to weave, and the hook that it calls. Immutable; names only. */
public final class Site {
    final String className;
    final String[] methods;
    final String hook;
    final boolean watch;
    final String[] descriptors;
    final String[] fields;
    final boolean optional;
    /** Whether its hook is asked only where the first arguments are bytes that may begin a request. */
    final boolean ofRequests;

    private Site(String className, String[] methods, String hook, boolean watch, String[] descriptors, String[] fields, boolean optional,
            boolean ofRequests) {
        this.className = className;
        this.methods = methods;
        this.hook = hook;
        this.watch = watch;
        this.descriptors = descriptors;
        this.fields = fields;
        this.optional = optional;
        this.ofRequests = ofRequests;
    }

    /**
     * A method whose hook is asked first, and may answer in its place.
     *
     * @param className the class, with slashes; its own name has three letters or more
     * @param methods   the method's name; several where versions of the client differ, separated by {@code |}
     * @param hook      simple name of the hook's class, in the client's package of hooks
     */
    public static Site gate(String className, String methods, String hook) {
        return new Site(className, split(methods), hook, false, new String[] {"("}, new String[0], false, false);
    }

    /** A method whose hook also sees what it returns or throws; arguments as for {@link #gate}. */
    public static Site watch(String className, String methods, String hook) {
        return new Site(className, split(methods), hook, true, new String[] {"("}, new String[0], false, false);
    }

    /** A method after which nothing can be sent with its object: {@link CloseHook#CLOSED} knows. Arguments as for {@link #gate}. */
    public static Site closes(String className, String methods) {
        return watch(className, methods, CloseHook.class.getName());
    }

    /** A method during which nothing that its thread sends is a request. Arguments as for {@link #gate}. */
    public static Site exempts(String className, String methods) {
        return watch(className, methods, ExemptHook.class.getName());
    }

    /** Only the overload whose descriptor begins so; several where versions of the client differ, separated by {@code |}. */
    public Site descriptor(String prefixes) {
        return new Site(className, methods, hook, watch, split(prefixes), fields, optional, ofRequests);
    }

    /** Fields of the woven object whose values the hook gets, after the arguments; a field of a superclass as {@code name:descriptor}. */
    public Site fields(String... names) {
        return new Site(className, methods, hook, watch, descriptors, names, optional, ofRequests);
    }

    /** Some supported versions of the client do not have it. */
    public Site optional() {
        return new Site(className, methods, hook, watch, descriptors, fields, true, ofRequests);
    }

    /**
     * Its hook is asked only if what the method writes may begin a request, which costs next to nothing to find out. The first arguments
     * are an array of bytes, where they begin and how many they are; or a buffer; or an array of buffers, where they begin and how many
     * they are.
     */
    public Site ofRequests() {
        return new Site(className, methods, hook, watch, descriptors, fields, optional, true);
    }

    /** Name of the hook's class, with dots; {@code hooks} is the client's package of hooks. */
    String hookIn(String hooks) {
        return hook.indexOf('.') < 0 ? hooks + "." + hook : hook;
    }

    private static String[] split(String alternatives) {
        if (alternatives.indexOf('|') < 0) {
            return new String[] {alternatives};
        }
        int n = 1;
        for (int i = 0; i < alternatives.length(); i++) {
            n += alternatives.charAt(i) == '|' ? 1 : 0;
        }
        String[] parts = new String[n];
        int from = 0;
        for (int i = 0; i < n; i++) {
            int to = alternatives.indexOf('|', from);
            parts[i] = alternatives.substring(from, to < 0 ? alternatives.length() : to);
            from = to + 1;
        }
        return parts;
    }

    boolean matches(String name, String methodDescriptor) {
        for (String method : methods) {
            if (method.equals(name)) {
                return begins(methodDescriptor);
            }
        }
        return false;
    }

    private boolean begins(String methodDescriptor) {
        for (String prefix : descriptors) {
            if (methodDescriptor.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return className.replace('/', '.') + "." + methods[0];
    }
}
