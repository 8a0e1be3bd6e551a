package io.dpuactors.apps.device;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.RepresentorInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Prints devices as a JSON document. */
final class DeviceJson {
  private DeviceJson() {}

  static void print(PrintWriter out, DocaLibrary library, List<DeviceInfo> devices)
      throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeObjectFieldStart("library");
      json.writeStringField("name", library.name());
      json.writeStringField("version", library.version());
      json.writeBooleanField("softwareDpu", library.isSoftwareDpu());
      json.writeStringField("reason", library.reason());
      json.writeArrayFieldStart("paths");
      for (String path : library.paths()) {
        json.writeString(path);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("missing");
      for (String missing : library.missing()) {
        json.writeString(missing);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeArrayFieldStart("devices");
      for (DeviceInfo device : devices) {
        device(json, device);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void device(JsonGenerator json, DeviceInfo device) throws IOException {
    json.writeStartObject();
    json.writeStringField("pciAddress", device.pciAddress());
    json.writeStringField("ibdevName", device.ibdevName());
    json.writeStringField("ifaceName", device.ifaceName());
    json.writeStringField("macAddress", device.macAddress());
    json.writeStringField("ipv4Address", device.ipv4Address());
    json.writeArrayFieldStart("representors");
    for (RepresentorInfo representor : device.representors()) {
      json.writeStartObject();
      json.writeStringField("pciAddress", representor.pciAddress());
      json.writeStringField("functionType", representor.functionType());
      json.writeStringField("vuid", representor.vuid());
      json.writeStringField("ifaceName", representor.ifaceName());
      json.writeEndObject();
    }
    json.writeEndArray();
    for (TaskLibrary library : TaskLibrary.values()) {
      TaskCapabilities can = device.capabilities(library);
      json.writeObjectFieldStart(library.shortName());
      for (TaskKind kind : library.kinds()) {
        limits(json, kind.shortName(), can.of(kind));
      }
      json.writeNumberField("maxTasks", can.maxTasks());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void limits(JsonGenerator json, String name, TaskLimits limits)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeBooleanField("supported", limits.supported());
    json.writeNumberField("maxBufferBytes", limits.maxBufferBytes());
    json.writeNumberField("maxListLength", limits.maxListLength());
    json.writeEndObject();
  }
}
