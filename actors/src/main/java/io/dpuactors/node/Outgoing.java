package io.dpuactors.node;

/**
 * One message of the device on its way out.
 *
 * @param bytes not changed by anybody until the outcome is told
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares messages.
record Outgoing(byte[] bytes, SendOutcome outcome) {}
