/** Commands that process files in blocks: compress, decompress, copy, encrypt, decrypt, key. */
@NullMarked
package io.dpuactors.apps.file;

import org.jspecify.annotations.NullMarked;
