package io.tempolimit.config;

import java.io.File;

/** One key's value and where it comes from. Immutable. */
public final class Setting {
    static final String DEFAULT = "default";

    final SettingKey key;
    /** What {@link Kind} made of the text; null for nothing. */
    final Object parsed;
    private final String name;
    private final String value;
    private final String source;

    Setting(SettingKey key, String name, String value, Object parsed, String source) {
        this.key = key;
        this.name = name;
        this.value = value;
        this.parsed = parsed;
        this.source = source;
    }

    /** The same as part of the settings of some, by their name. */
    Setting of(Scope scope) {
        return new Setting(key, scope.name() + "." + key.key, value, parsed, source);
    }

    /** The key, as in an agent argument: {@code rate}, {@code domain.example.com.rate}; or {@code account.3f9a0c77be21.rate}. */
    public String key() {
        return name;
    }

    /** The value, as one would write it; a secret that is set as {@code ***}. */
    public String value() {
        return key.secret && parsed != null ? "***" : value;
    }

    /** {@code agent arguments}, {@code system property}, {@code environment}, {@code config file t.json} or {@code default}. */
    public String source() {
        return source;
    }

    /** Why the file that it names cannot be written, as far as a look tells; null if it can, or it names none. */
    public String fileTrouble() {
        if (parsed == null || !key.isFile(value)) {
            return null;
        }
        File file = new File(parsed.toString()).getAbsoluteFile();
        File folder = file.getParentFile();
        if (file.isDirectory()) {
            return "that is a folder, and no file";
        }
        if (folder != null && !folder.isDirectory()) {
            return "there is no folder " + folder;
        }
        return (file.exists() ? file : folder).canWrite() ? null : "it may not be written";
    }

    /** Whether nobody has set it. */
    public boolean isDefault() {
        return source.equals(DEFAULT);
    }

    /** The value, secret or not: for comparing alone. */
    String text() {
        return value;
    }

    @Override
    public String toString() {
        return name + "=" + value() + " (" + source + ")";
    }
}
