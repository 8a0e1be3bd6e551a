/**
 * The native halves of contexts, on the engine's thread. These native halves outlive a failed actor
 * until DOCA has released them.
 *
 * <pre>
 *   EngineCore        one native call per turn; delivers records to lanes and nodes
 *     ContextNode     the lifecycle of one native context: opening, starting, running, draining, stopping, gone
 *       ContextLoad   its load, which must end before the context is stopped
 *         TaskLane    requests: from their arrival to one answer each, deadlines
 *           Credit           number of requests in the bridge: the window and some ahead
 *           WaitingRequests  requests that wait for room: one queue per ordering key, round robin
 *             OrderedQueue   one of these queues: order, retries
 * </pre>
 */
@NullMarked
package io.dpuactors.node;

import org.jspecify.annotations.NullMarked;
