package io.dpuactors.bridge;

/**
 * Comch capabilities of a device. Limits of unsupported functions are 0.
 *
 * @param server whether it supports servers: the DPU's side
 * @param client whether it supports clients: the host's side
 * @param consumer whether it supports consumers
 * @param producer whether it supports producers
 * @param maxNameBytes longest name of a server, including its NUL
 * @param maxMessageBytes longest message
 * @param maxRecvQueue largest number of messages that wait to be received
 * @param maxSendTasks largest number of send tasks of one server or client
 * @param maxClients largest number of clients of one server
 * @param maxConsumerBufferBytes largest buffer of a consumer
 * @param maxConsumerTasks largest number of receives of one consumer
 * @param maxProducerBufferBytes largest buffer of a producer
 * @param maxProducerTasks largest number of sends of one producer
 * @param maxImmediateBytes largest immediate data of a buffer
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

  /** Returns whether any function is supported. */
  public boolean any() {
    return server || client || consumer || producer;
  }
}
