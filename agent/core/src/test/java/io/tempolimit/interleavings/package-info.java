/**
 * Interleavings of two threads at one key, searched by Lincheck on the product's own classes. {@link
 * io.tempolimit.interleavings.Interleaved} is what scenarios have in common.
 *
 * <p>Why Lincheck: it is a few jars of Maven Central, attaches itself to the Java that builds, switches threads at each access to what they
 * share, knows locks, compare-and-set and park, and prints the interleaving that broke a scenario, step by step. It has no seed: the
 * same code is searched in the same order. It searches as if memory were sequentially consistent, so it cannot see a missing
 * {@code volatile}.
 *
 * <p>Looked at, and not taken. Fray: it needs a JDK that was rewritten with jlink and a native agent for each platform, so a contributor with
 * another machine could not build. jcstress: it runs the real hardware, which finds a missing {@code volatile}, but by luck; it neither prints
 * an interleaving nor plays it again. Lincheck's {@code runConcurrentTest}: it searches what makes the limiter as well, and
 * takes a loop of 50 rounds, such as the one that makes the locks, for a livelock.
 *
 * <p>Not searched: what starts threads of its own and sleeps by the system's clock ({@code Timer}, so {@code Hold}, and {@code Lanes}).
 */
package io.tempolimit.interleavings;
