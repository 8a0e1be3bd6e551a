package io.dpuactors.experiments.run;

/**
 * One line of the table.
 *
 * @param key name in files
 * @param label name in reports
 * @param parallel tasks in flight
 */
public record Row(String key, String label, int parallel) {}
