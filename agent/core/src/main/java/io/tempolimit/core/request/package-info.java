/**
 * Where a request goes: a client's hook makes a {@link io.tempolimit.core.request.Target} of it, and names of hosts and
 * addresses of pages have one form.
 *
 * <p>May use: nothing of the agent. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and
 * {@code redis}): all of it.
 */
package io.tempolimit.core.request;
