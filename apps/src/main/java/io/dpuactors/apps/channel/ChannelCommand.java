package io.dpuactors.apps.channel;

import ch.qos.logback.classic.Level;
import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.wire.OneLine;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Runs a server or a client, from options to exit status. */
public abstract class ChannelCommand extends CliCommand {
  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public final Integer call() throws Exception {
    common.start(logLevel());
    refuse(options().problem().or(this::problem));
    Config config = options().over(Configuration.load());
    try {
      return run(config, ChannelDevices.list()).status();
    } catch (ChannelException e) {
      return failed(e).status();
    }
  }

  private ExitCode run(Config config, ChannelDevices devices) throws Exception {
    ExitCode code;
    try (Channel channel = Channel.open(config)) {
      try {
        code = run(channel, devices);
      } catch (ChannelException e) {
        code = failed(e);
      }
      Stopped stopped = channel.stopEngine();
      if (!stopped.clean()) {
        reportError("the engine did not close all resources: " + stopped.census());
        code = code == ExitCode.OK ? ExitCode.FAILURE : code;
        if (channel.isSignalled()) {
          // The JVM would exit with the signal's status and hide the failure.
          Runtime.getRuntime().halt(code.status());
        }
      }
    }
    return code;
  }

  private ExitCode failed(ChannelException e) {
    reportError(String.valueOf(e.getMessage()));
    if (common.debug) {
      e.printStackTrace(line().getErr());
    }
    return e.code();
  }

  /** Runs the program on an engine. The caller stops the engine afterwards. */
  abstract ExitCode run(Channel channel, ChannelDevices devices) throws Exception;

  abstract EndpointOptions options();

  /** Returns the log level without {@code --debug}. */
  Level logLevel() {
    return Level.WARN;
  }

  /** Returns the error of this program's first wrong option, or empty. */
  Optional<String> problem() {
    return Optional.empty();
  }

  final boolean isDebugging() {
    return common.debug;
  }

  final void reportError(String what) {
    line().getErr().println("dpu: " + OneLine.of(what));
  }

  /** Prints one JSON object on one line. */
  final void printJson(Json.Members members) throws IOException {
    Json.printLine(line().getOut(), members);
  }
}
