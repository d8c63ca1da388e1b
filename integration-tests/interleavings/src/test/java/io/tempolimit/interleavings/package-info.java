/**
 * Interleavings of two threads at one key, searched by Lincheck on the product's own classes. {@link
 * io.tempolimit.interleavings.Interleaved} is what scenarios have in common.
 *
 * <p>Why Lincheck: it is a few jars of Maven Central and attaches itself to the Java that builds. It switches threads
 * at each access to what they share, and knows locks, compare-and-set and park. It prints the interleaving that broke a
 * scenario, step by step. It has no seed: the same code is searched in the same order. It searches as if memory were
 * sequentially consistent, so it cannot see a missing {@code volatile}.
 *
 * <p>Not taken, by what they need and promise: Fray needs a JDK that is rewritten with jlink, and a native agent for
 * each platform, so a contributor with another machine could not build. jcstress runs on the real hardware, which can
 * show a missing {@code volatile}, but by luck; it neither prints an interleaving nor plays it again. Tried and lost:
 * Lincheck's {@code runConcurrentTest}. It searches what makes the limiter as well, and takes a loop of 50 rounds, such
 * as the one that makes the locks, for a livelock.
 *
 * <p>Not searched: threads that park for a while ({@code Parking}), which Lincheck lets go on at once, so that it never
 * misses the one who should have woken them; what starts threads of its own and sleeps by the system's clock ({@code
 * Timer}, so {@code Hold}); {@code Lanes}, which run in the JVM's common pool.
 */
package io.tempolimit.interleavings;
