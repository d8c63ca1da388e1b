package io.tempolimit.config;

import java.util.List;

/**
 * Values of settings, with the types that their kinds give them: those of some hosts or an account, or those of all. Only this
 * class casts. A key whose kind has another type is a fault of ours, and fails in the first test that reads it. Immutable.
 */
final class Values {
    private final Settings of;
    private final List<Scope> matching;

    /** @param matching what is set for those that it holds for, the most specific first; empty for what holds for all */
    Values(Settings of, List<Scope> matching) {
        this.of = of;
        this.matching = matching;
    }

    /** A value of a kind that few keys have; null for nothing. */
    <T> T as(Class<T> type, SettingKey key) {
        return type.cast(of.setting(key, matching).parsed);
    }

    /** Of {@link Kind#BOOLEAN}. */
    boolean flag(SettingKey key) {
        return as(Boolean.class, key);
    }

    /** Of {@link Kind#COUNT} and other whole numbers. */
    int count(SettingKey key) {
        return as(Integer.class, key);
    }

    /** The same for a key that may be set to nothing. */
    int count(SettingKey key, int ifNone) {
        Integer count = as(Integer.class, key);
        return count == null ? ifNone : count;
    }

    /** Of {@link Kind#FRACTION}. */
    double fraction(SettingKey key) {
        return as(Double.class, key);
    }

    /** Of {@link Kind#DURATION} and the like: nanoseconds; of {@link Kind#SIZE}: bytes. */
    long amount(SettingKey key) {
        return as(Long.class, key);
    }

    /** The same for a key that may be set to nothing. */
    long amount(SettingKey key, long ifNone) {
        Long amount = as(Long.class, key);
        return amount == null ? ifNone : amount;
    }

    /** A word, a name or a path; null for nothing. */
    String text(SettingKey key) {
        return as(String.class, key);
    }

    /** Whether the value of a key of {@link Kind#WORD} is this one. */
    boolean is(SettingKey key, String word) {
        return text(key).equals(word);
    }

    /** A list of words, names or paths; null for nothing. */
    String[] texts(SettingKey key) {
        return as(String[].class, key);
    }

    /** Of {@link Kind#HOSTS}; null for nothing. */
    HostList hosts(SettingKey key) {
        return as(HostList.class, key);
    }
}
