package io.dpuactors.fleet;

import io.dpuactors.fleet.FleetMessage.Attach;
import java.io.NotSerializableException;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** The serializer of a client of version 1 of the protocol. */
final class OlderSerializer extends SerializerWithStringManifest {
  private final FleetSerializer serializer;

  /** Called by Pekko. */
  OlderSerializer(ExtendedActorSystem system) {
    serializer = new FleetSerializer(system);
  }

  @Override
  public int identifier() {
    return serializer.identifier();
  }

  @Override
  public String manifest(Object message) {
    return serializer.manifest(message);
  }

  @Override
  public byte[] toBinary(Object message) {
    return serializer.toBinary(
        message instanceof Attach request
            ? new Attach(1, request.job(), request.kind(), request.client())
            : message);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    return serializer.fromBinary(bytes, manifest);
  }
}
