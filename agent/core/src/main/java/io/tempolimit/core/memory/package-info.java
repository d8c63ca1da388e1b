/**
 * Which keys are kept in memory, and what is kept of the others. {@link io.tempolimit.core.memory.EvictionOrder} says
 * which key is forgotten next, {@link io.tempolimit.core.memory.Remembered} is what a key knew.
 *
 * <p>May use: {@code policy}. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and {@code
 * redis}): {@code Remembered}.
 */
package io.tempolimit.core.memory;
