package io.dpuactors.node;

/**
 * Phase of a node with a load. All children of the load end before the node does.
 *
 * <pre>
 *   OPENING ---> STARTING ---> RUNNING ---> DRAINING ---------> STOPPING ------------> GONE
 *                                           (stop, or failure:  (the native object       |
 *                                            tasks complete,     ends)                   |
 *                                            children end)      '-- deadline --> LOST --'
 * </pre>
 */
enum Phase {
  OPENING,
  STARTING,
  RUNNING,
  DRAINING,
  STOPPING,
  /** Abandoned at its deadline. The native object stays in the census until it ends. */
  LOST,
  GONE
}
