package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The trials of one number: one of each side, one after the other.
 *
 * @param number from 1
 * @param plain null where there is nothing to compare with
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trial(int number, Sample actors, @Nullable Sample plain) {}
