/** The code that docs/ shows about the services; see the same package of the module actors. */
@NullMarked
package io.dpuactors.docs;

import org.jspecify.annotations.NullMarked;
