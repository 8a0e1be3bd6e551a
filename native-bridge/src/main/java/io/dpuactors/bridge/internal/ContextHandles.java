package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.DocaContext.Destructor;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects that tasks of one context use: keys, matrices and sessions. Thread: the engine's. */
public final class ContextHandles {
  private final DocaContext context;
  private final Map<TaskHandle, Destructor> handles = new LinkedHashMap<>();
  private final BitSet sessions = new BitSet();
  private int created;

  ContextHandles(DocaContext context) {
    this.context = context;
  }

  /**
   * Takes over an object that tasks use. The object ends at the latest with the context.
   *
   * @param noun what the object is, such as key
   */
  TaskHandle own(String noun, long pointer, Destructor destroysObject) {
    String name = "%s %d of %s".formatted(noun, ++created, context);
    return add(new TaskHandle(context, name, pointer, false), destroysObject);
  }

  /**
   * Reserves a task of a kind for a session: its requests use this task one after the other.
   *
   * @throws DocaException FULL if each task has a session, NOT_SUPPORTED without such tasks
   */
  public TaskHandle openSession(TaskKind kind) {
    context.checkUse("open session");
    int limit = context.numTasks(kind);
    int number = sessions.nextClearBit(0);
    if (number >= limit) {
      DocaCode code = limit == 0 ? DocaCode.NOT_SUPPORTED : DocaCode.FULL;
      throw new DocaException(
          "open session",
          code,
          "%s: %d of %d tasks of %s have sessions (raise the window, or close a session)"
              .formatted(context, number, limit, kind));
    }
    sessions.set(number);
    long tag = (long) ++created << Integer.SIZE | number;
    return add(
        new TaskHandle(context, "session %d of %s".formatted(created, context), tag, true),
        new Destructor("close session", ignored -> closeSession(number)));
  }

  private TaskHandle add(TaskHandle handle, Destructor destroysObject) {
    handles.put(handle, destroysObject);
    context.engine().census().opened(Census.Resource.HANDLE);
    return handle;
  }

  private int closeSession(int number) {
    sessions.clear(number);
    return DocaCode.SUCCESS.value();
  }

  /**
   * Destroys an object that no task in flight uses. Does nothing if it has ended.
   *
   * @throws DocaException the library's error; the object stays in the census
   */
  public void destroy(TaskHandle handle) {
    context.engine().checkThread("destroy");
    Destructor destroysObject = handles.get(handle);
    if (destroysObject != null) {
      DocaException.check(
          destroysObject.function(),
          destroysObject.call().apply(handle.pointer()),
          handle.toString());
      handles.remove(handle);
      handle.ended();
      context.engine().census().closed(Census.Resource.HANDLE);
    }
  }

  /**
   * Destroys all objects, because the context ends.
   *
   * @throws DocaException the first error; the next objects stay open
   */
  void destroyAll() {
    List.copyOf(handles.keySet()).forEach(this::destroy);
  }
}
