package io.dpuactors.protocol;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/**
 * A message between actors of one process: it carries buffers, native memory, or the reference of
 * an actor on an engine. Pekko cannot send it to another node. {@link LocalMessageSerializer}
 * refuses such an attempt. The setting {@code pekko.actor.serialize-messages} leaves it alone.
 */
public interface LocalMessage extends NoSerializationVerificationNeeded {}
