/** Scenarios of {@code dpu simulate} that use more modules than the core: streams and services. */
@NullMarked
package io.dpuactors.apps.simulation;

import org.jspecify.annotations.NullMarked;
