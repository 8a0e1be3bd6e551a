/**
 * The gzip files of this project: RFC 1952 files of many members, each of which says how long it
 * is, so that members can be found, and worked on in parallel, without inflating. Any gzip reads
 * them. Plain JDK: no threads, no device.
 */
@NullMarked
package io.dpuactors.protocol.gzip;

import org.jspecify.annotations.NullMarked;
