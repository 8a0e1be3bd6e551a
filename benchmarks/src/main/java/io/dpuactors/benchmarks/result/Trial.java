package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The trials with one number: one of each side, in turns.
 *
 * @param number from 1
 * @param plain null without a plain C side
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trial(int number, Sample actors, @Nullable Sample plain) {}
