package io.dpuactors.bridge;

import org.jspecify.annotations.Nullable;

/**
 * An object of a DOCA context that its tasks use, such as a key, a matrix or a session. Messages
 * create and destroy it. The object exists until it is destroyed, at most as long as the native
 * context: the restart of a context ends its objects. An object that is destroyed while tasks use
 * it ends after the last of them.
 *
 * <p>Thread: {@link #isOpen} and {@link #toString} any; everything else the engine's.
 */
public final class TaskHandle {
  private final Object context;
  private final String name;
  private final long pointer;
  private final boolean exclusive;
  private int users;
  private @Nullable Runnable end;
  private volatile boolean open = true;

  /**
   * Creates the handle of a native object.
   *
   * @param context the native context to which the object belongs
   * @param name for messages, without any content of the object
   * @param pointer address of the native object, or the number of a session in the bridge
   * @param exclusive whether only one request at a time may use the object
   */
  public TaskHandle(Object context, String name, long pointer, boolean exclusive) {
    this.context = context;
    this.name = name;
    this.pointer = pointer;
    this.exclusive = exclusive;
  }

  /** Returns whether requests may use the object. */
  public boolean isOpen() {
    return open;
  }

  /** Returns whether the object belongs to this native context. */
  public boolean belongsTo(Object other) {
    return context == other;
  }

  /** Returns the address of the native object, or the bridge's number of a session. */
  public long pointer() {
    return pointer;
  }

  /** Notes that a request uses the object. Returns false if it is not open, or in use alone. */
  public boolean use() {
    boolean isFree = open && (!exclusive || users == 0);
    if (isFree) {
      users++;
    }
    return isFree;
  }

  /** Notes that a request has ended, and ends a closed object without users. */
  public void unuse() {
    users--;
    endIfUnused();
  }

  /**
   * Refuses further requests. Does nothing if the object is closed already.
   *
   * @param whenUnused destroys the native object; runs when no request uses it, perhaps at once
   */
  public void close(Runnable whenUnused) {
    if (open) {
      open = false;
      end = whenUnused;
      endIfUnused();
    }
  }

  private void endIfUnused() {
    Runnable action = end;
    if (users == 0 && action != null) {
      end = null;
      action.run();
    }
  }

  /** Notes that the native object has ended with its context. */
  public void ended() {
    open = false;
    end = null;
  }

  @Override
  public String toString() {
    return name;
  }
}
