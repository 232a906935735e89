package streamrun.flink;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** What the worker says about the stream file in its answer to hello. */
final class Description implements Serializable {
  private static final long serialVersionUID = 1;

  final String program;
  final String name;
  final String state;
  final boolean hasThen;
  final boolean hasTime;
  final long latenessNanos;
  /** Milliseconds without records after which event time passes by the clock of the machine; 0 for never. */
  final long idleMillis;
  /** The files beside the stream file that each key reads. */
  final ArrayList<String> files = new ArrayList<>();
  final int lateFate;

  Description(String json) throws IOException {
    JsonNode object = new ObjectMapper().readTree(json);
    program = object.path("program").asText("streamrun");
    name = object.path("name").asText("stream");
    state = object.path("state").asText("executions");
    hasThen = object.path("stages").asInt(1) == 2;
    hasTime = object.has("time");
    latenessNanos = Math.round(object.path("lateness").asDouble(0) * 1e9);
    idleMillis = (long) Math.ceil(object.path("idle").asDouble(0) * 1000);
    for (JsonNode file : object.path("files")) {
      files.add(file.asText());
    }
    String late = object.path("late").asText("drop");
    switch (late) {
      case "apply":
        lateFate = Router.LATE_APPLIED;
        break;
      case "drop":
        lateFate = Router.LATE_DROPPED;
        break;
      case "output":
        lateFate = Router.LATE_OUTPUT;
        break;
      default:
        throw new IOException("the worker describes late records as '" + late + "'; expected apply, drop or output");
    }
  }
}
