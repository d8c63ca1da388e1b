package io.tempolimit.weave;

/** An HTTP client that can be woven: its name and its sites. Immutable. */
public final class Client {
    final String id;
    final String label;
    final String anchor;
    final String hooks;
    final Site[] sites;
    /** Class and method without which a version is too old; null if there is no such mark. */
    final String[] needs;

    /**
     * @param id     what the setting {@code clients} calls it
     * @param label  what people call it
     * @param anchor a class, with dots, that stands for the client in its loader: its woven classes share one set of hooks
     * @param hooks  package of the hooks, with dots; nothing but hooks may be in it
     * @param sites  what to weave
     */
    public Client(String id, String label, String anchor, String hooks, Site... sites) {
        this(id, label, anchor, hooks, sites, null);
    }

    private Client(String id, String label, String anchor, String hooks, Site[] sites, String[] needs) {
        this.id = id;
        this.label = label;
        this.anchor = anchor;
        this.hooks = hooks;
        this.sites = sites;
        this.needs = needs;
    }

    /** The same client, whose versions without this public method (of a class with dots) are too old for the hooks. */
    public Client needing(String className, String method) {
        return new Client(id, label, anchor, hooks, sites, new String[] {className, method});
    }

    /** What the setting {@code clients} calls it. */
    public String id() {
        return id;
    }

    /** What people call it. */
    public String label() {
        return label;
    }
}
