/**
 * How fast requests may go, as arithmetic: {@link io.tempolimit.core.bucket.TokenBucket} for a rate and a burst, {@link
 * io.tempolimit.core.bucket.Window} for so many requests in a span. Pure: the time comes in.
 *
 * <p>May use: {@code policy}. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and {@code
 * redis}): nothing.
 */
package io.tempolimit.core.bucket;
