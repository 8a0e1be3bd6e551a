package io.dpuactors.bridge;

/**
 * What a device can do on the communication channel between host and DPU. Limits of what it cannot
 * do are 0.
 *
 * @param server whether it can have servers: the DPU's side
 * @param client whether it can have clients: the host's side
 * @param consumer whether it can have consumers
 * @param producer whether it can have producers
 * @param maxNameBytes longest name of a server, the NUL at its end included
 * @param maxMessageBytes longest message
 * @param maxRecvQueue most messages that can wait to be received
 * @param maxSendTasks most tasks that send messages, of one server or client
 * @param maxClients most clients of one server
 * @param maxConsumerBufferBytes largest buffer that a consumer can post
 * @param maxConsumerTasks most receives of one consumer
 * @param maxProducerBufferBytes largest buffer that a producer can send
 * @param maxProducerTasks most sends of one producer
 * @param maxImmediateBytes most immediate data beside a buffer
 */
public record ComchCapabilities(
    boolean server,
    boolean client,
    boolean consumer,
    boolean producer,
    int maxNameBytes,
    int maxMessageBytes,
    int maxRecvQueue,
    int maxSendTasks,
    int maxClients,
    long maxConsumerBufferBytes,
    int maxConsumerTasks,
    long maxProducerBufferBytes,
    int maxProducerTasks,
    int maxImmediateBytes) {

  /** A device without a communication channel, or libraries without one. */
  public static final ComchCapabilities NONE =
      new ComchCapabilities(false, false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Whether anything is supported. */
  public boolean any() {
    return server || client || consumer || producer;
  }
}
