/**
 * What the limiter asks of a store that several JVMs share; {@code io.tempolimit.redis} answers it.
 *
 * <p>May use: {@code circuit} and {@code policy}. API (for clients, {@code watch}, {@code admin}, {@code config},
 * {@code state} and {@code redis}): all of it.
 */
package io.tempolimit.core.store;
