/**
 * The code that README.md and docs/ show. The pages contain the text between {@code tag::name[]}
 * and {@code end::name[]} word for word. The tests compile and run this code.
 */
@NullMarked
package io.dpuactors.docs;

import org.jspecify.annotations.NullMarked;
