package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;

/**
 * Starts two servers whose names differ in a letter beyond ASCII. Tests run it in a separate
 * process.
 */
public final class StartTwoServers {
  private StartTwoServers() {}

  /** Prints the result of each start. */
  public static void main(String[] arguments) {
    try (ComchRig rig = new ComchRig()) {
      System.out.println("first=" + start(rig, "\u00e4"));
      System.out.println("second=" + start(rig, "\u00f6"));
    }
  }

  private static DocaCode start(ComchRig rig, String letter) {
    String name = rig.name + "-" + letter;
    MessageLimits limits = ComchRig.LIMITS;
    DocaContext server =
        Comch.server(rig.rig.engine, rig.card, rig.representor, name, limits, ComchRig.SERVER);
    return rig.rig.add(server, ComchRig.TASKS, TaskKind.COMCH_SERVER_SEND).start();
  }
}
