/**
 * The code that README.md and docs/ show. What stands between {@code tag::name[]} and {@code
 * end::name[]} is what they print, word for word; it is compiled and run here.
 */
@NullMarked
package io.dpuactors.docs;

import org.jspecify.annotations.NullMarked;
