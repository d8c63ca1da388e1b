/**
 * Settings as the limiter lives by them. They are immutable: a reload makes others. {@link
 * io.tempolimit.core.policy.Rules} gives the {@link io.tempolimit.core.policy.Policy} of a host, {@link
 * io.tempolimit.core.policy.Keying} the name of its key.
 *
 * <p>May use: {@code request}. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and {@code
 * redis}): all of it.
 */
package io.tempolimit.core.policy;
