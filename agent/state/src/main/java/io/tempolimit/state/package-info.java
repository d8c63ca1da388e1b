/**
 * The file of {@code state=}: what keys know of their sites (buckets, windows, cooldowns, trips, what was learnt), kept
 * over restarts. Loaded only where that setting is. The texts in it are the core's own
 * ({@link io.tempolimit.core.memory.Remembered}); this package has the file: one JVM at a time, written whole and put in place
 * at once, so that it is the old one or the new one whatever kills the JVM.
 */
package io.tempolimit.state;
