/**
 * The native halves of contexts, on the engine's thread. They outlive an actor that fails, until
 * DOCA has let go.
 *
 * <pre>
 *   EngineCore        one native call per turn; records to the lanes and nodes that they belong to
 *     ContextNode     the life of one native context: opening, starting, running, draining, stopping, gone
 *       ContextLoad   what it carries, and what must end before it is stopped
 *         TaskLane    requests: from their arrival to one answer each, deadlines
 *           Credit           how many the bridge has of them: window, and some ahead
 *           WaitingRequests  those that wait for room: turns among strands
 *             Strand         those of one order: none overtakes another, retries
 * </pre>
 */
@NullMarked
package io.dpuactors.node;

import org.jspecify.annotations.NullMarked;
