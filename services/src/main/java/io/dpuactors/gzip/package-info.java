/**
 * The gzip files of this project: RFC 1952 files of many members. Each member states its size, so
 * that readers find and process members in parallel without decompressing earlier ones. Any gzip
 * reads these files. This package needs only the JDK: no threads, no device.
 */
@NullMarked
package io.dpuactors.gzip;

import org.jspecify.annotations.NullMarked;
