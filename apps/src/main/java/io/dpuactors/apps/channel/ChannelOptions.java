package io.dpuactors.apps.channel;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all programs of the communication channel. */
class ChannelOptions extends EndpointOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Name of the server, by which clients find it. Default: a fixed name per service.")
  @Nullable String name;

  String name(String usual) {
    return name == null ? usual : name;
  }

  @Override
  Optional<String> problem() {
    return name != null && name.isBlank()
        ? Optional.of("--name: it must not be blank")
        : super.problem();
  }
}
