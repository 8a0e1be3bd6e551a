/**
 * The command {@code dpu simulate}, and scenarios that use more modules than the core: streams and
 * services.
 */
@NullMarked
package io.dpuactors.apps.simulation;

import org.jspecify.annotations.NullMarked;
