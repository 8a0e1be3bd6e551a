/**
 * The parts of erasure-coded files: header, blocks with checksums, and the set of parts in a
 * folder. The format is in docs/erasure-format.md.
 */
@NullMarked
package io.dpuactors.erasure;

import org.jspecify.annotations.NullMarked;
