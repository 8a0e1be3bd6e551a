package io.dpuactors.comch;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Who is on the stage of a {@link Scene}, and what can happen to them.
 *
 * @param isClient whether the subject is on the clients' engine
 * @param dies who ends when the subject is stopped
 * @param diesWithPeer who ends when the peer leaves, the behavior fails, or the device is lost
 * @param diesWithParent who ends when the subject's parent is stopped
 * @param stop stops the subject
 * @param stopParent stops its parent
 * @param stopPeer lets the peer leave
 * @param fail lets the subject's behavior throw
 */
record Cast(
    boolean isClient,
    List<ActorRef<?>> dies,
    List<ActorRef<?>> diesWithPeer,
    List<ActorRef<?>> diesWithParent,
    Runnable stop,
    Runnable stopParent,
    Runnable stopPeer,
    Runnable fail) {}
