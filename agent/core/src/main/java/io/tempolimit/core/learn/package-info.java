/**
 * What a site tolerates, learnt from its answers. {@link io.tempolimit.core.learn.Learning} has the rates and the
 * modes; its parts have one question each. Pure: no clock, no chance, no lock.
 *
 * <p>May use: {@code policy}. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and {@code
 * redis}): nothing.
 */
package io.tempolimit.core.learn;
