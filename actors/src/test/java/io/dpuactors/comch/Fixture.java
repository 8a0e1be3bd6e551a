package io.dpuactors.comch;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A subject of a {@link ServerRig}, the actors that end with it, and the events that a test causes.
 *
 * @param isClient whether the subject is on the clients' engine
 * @param ends actors that end when the subject is stopped
 * @param endsWithPeer actors that end when the peer leaves, the behavior fails, or the device is
 *     lost
 * @param endsWithParent actors that end when the subject's parent is stopped
 * @param stop stops the subject
 * @param stopParent stops the subject's parent
 * @param stopPeer makes the peer leave
 * @param fail makes the subject's behavior throw
 */
record Fixture(
    boolean isClient,
    List<ActorRef<?>> ends,
    List<ActorRef<?>> endsWithPeer,
    List<ActorRef<?>> endsWithParent,
    Runnable stop,
    Runnable stopParent,
    Runnable stopPeer,
    Runnable fail) {}
