package io.dpuactors.experiments.run;

/**
 * One line of the table.
 *
 * @param key in files
 * @param label for people
 * @param parallel tasks in flight
 */
public record Row(String key, String label, int parallel) {}
