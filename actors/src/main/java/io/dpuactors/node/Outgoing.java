package io.dpuactors.node;

/**
 * One outgoing message of the device.
 *
 * @param bytes must not change until the outcome is reported
 */
@SuppressWarnings("ArrayRecordComponent") // Messages are never compared.
record Outgoing(byte[] bytes, SendOutcome outcome) {}
