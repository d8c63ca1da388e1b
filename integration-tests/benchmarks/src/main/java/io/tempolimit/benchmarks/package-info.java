/**
 * What the limiter and the agent cost, beside others and beside nothing, and whether that keeps the budgets. Run by hand;
 * {@link io.tempolimit.benchmarks.Benchmarks} is the command.
 */
package io.tempolimit.benchmarks;
