package io.dpuactors.simulation;

import java.util.Map;
import java.util.Optional;

/**
 * The result of one run.
 *
 * @param scenario its name
 * @param hash of the trace; the same seed gives the same hash
 * @param steps mailbox runs and iterations of loops
 * @param virtualNs virtual duration, nanoseconds
 * @param reached cases that the run reached, with their numbers
 * @param problem the first violated promise; empty if the run kept all
 */
public record Outcome(
    String scenario,
    long seed,
    long hash,
    long steps,
    long virtualNs,
    Map<String, Integer> reached,
    Optional<String> problem) {}
