/**
 * The actors of DOCA's contexts: one supervised actor per context, child of the actor of its DOCA
 * parent.
 */
@NullMarked
package io.dpuactors.context;

import org.jspecify.annotations.NullMarked;
