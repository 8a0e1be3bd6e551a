package io.dpuactors.fleet;

/** An event of the node for its program. */
public sealed interface FleetNodeEvent {
  /**
   * The node is a member of the fleet and takes work.
   *
   * @param address {@code HOST:PORT}
   * @param library DOCA library of the engines
   * @param devices PCI addresses, separated by commas
   */
  record Ready(String address, String library, String devices) implements FleetNodeEvent {}

  /**
   * The node cannot work, and its actor system terminates.
   *
   * @param message for users: the failed step and its reason
   * @param cause of the failure
   */
  record Failed(String message, Cause cause) implements FleetNodeEvent {}

  /** Cause of a failure: a setting of the user, a device at the start, or the node that works. */
  enum Cause {
    SETTING,
    DEVICE,
    NODE
  }
}
