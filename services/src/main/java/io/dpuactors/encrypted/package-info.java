/**
 * The encrypted files of {@code dpu encrypt}: keys, header, nonces. {@code
 * docs/encrypted-format.md} describes each byte.
 */
@NullMarked
package io.dpuactors.encrypted;

import org.jspecify.annotations.NullMarked;
