/**
 * The contract of sections 3 and 4 as a client's user meets it: written once, run for each client in its oldest and its newest
 * version. {@code Row} lists the clients, {@code Network} the settings that hold for groups of hosts; the checks are in the
 * interfaces {@code Pace}, {@code Hops}, {@code Waits}, {@code Refusals}, {@code Protocols}, {@code Fidelity}, {@code Lifetimes}
 * and others; {@code ContractIT} runs them all, {@code WaitingContractIT} and {@code QuickContractIT} a few, and {@code Cells} says
 * on which Java. A new client is an adapter among the programs, two poms among the clients, and a line in {@code Row}.
 */
package io.tempolimit.it.contract;
