package io.dpuactors.bridge;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntSupplier;

/**
 * Open objects of an engine. Empty when every object is closed. Thread: any; a concurrent count is
 * a recent value.
 */
public final class Census {
  /** Counted kinds of objects. */
  public enum Resource {
    DEVICE,
    REPRESENTOR,
    CONTEXT,
    MEMORY_MAP,
    BUFFER_INVENTORY,
    BUFFER_POOL,
    LEASE,
    TASK,
    HANDLE;

    private static final Resource[] ALL = values();
  }

  private record Watch(Resource resource, IntSupplier count) {}

  private final AtomicIntegerArray opened = new AtomicIntegerArray(Resource.ALL.length);
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /** An empty census. */
  public Census() {}

  /** Adds one. */
  public void opened(Resource resource) {
    opened.incrementAndGet(resource.ordinal());
  }

  /** Subtracts one. */
  public void closed(Resource resource) {
    opened.decrementAndGet(resource.ordinal());
  }

  /** Adds a supplier that each count calls, for numbers that change often. */
  public void watch(Resource resource, IntSupplier count) {
    watches.add(new Watch(resource, count));
  }

  /** Removes a supplier of {@link #watch}. */
  void unwatch(IntSupplier count) {
    watches.removeIf(watch -> watch.count == count);
  }

  /** Returns the number of open objects of a kind. */
  public int count(Resource resource) {
    int count = opened.get(resource.ordinal());
    for (Watch watch : watches) {
      if (watch.resource == resource) {
        count += watch.count.getAsInt();
      }
    }
    return count;
  }

  /** Returns whether nothing is open. */
  public boolean isEmpty() {
    return snapshot().isEmpty();
  }

  /** Returns the kinds with open objects and their numbers, in the order of {@link Resource}. */
  public Map<Resource, Integer> snapshot() {
    Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
    for (Resource resource : Resource.ALL) {
      int count = count(resource);
      if (count != 0) {
        counts.put(resource, count);
      }
    }
    return counts;
  }

  /** Returns "empty", or the open objects: "2 CONTEXT, 1 LEASE". */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ").setEmptyValue("empty");
    snapshot().forEach((resource, count) -> text.add(count + " " + resource));
    return text.toString();
  }
}
