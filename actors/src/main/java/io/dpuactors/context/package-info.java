/**
 * The actors of DOCA's contexts: one supervised actor per context, child of what DOCA says is its
 * parent.
 */
@NullMarked
package io.dpuactors.context;

import org.jspecify.annotations.NullMarked;
