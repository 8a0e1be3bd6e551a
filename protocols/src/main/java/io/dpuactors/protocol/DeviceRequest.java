package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;

/**
 * Work for a device, one task or many, that is owed exactly one answer. Is told once what came of
 * it, on the engine's thread.
 */
public sealed interface DeviceRequest extends Request permits TaskRequest, BatchRequest {
  /** What the device shall do. */
  TaskKind kind();

  /**
   * It was not done, or too late.
   *
   * @param ownership whether the buffers are the sender's again
   */
  void failed(DocaError error, TaskReply.Ownership ownership);

  /**
   * There is no room. The buffers are the sender's again, untouched.
   *
   * @param waiting requests that wait
   */
  void busy(int waiting);

  @Override
  default void refuse(DocaError error) {
    failed(error, TaskReply.Ownership.RETURNED);
  }
}
