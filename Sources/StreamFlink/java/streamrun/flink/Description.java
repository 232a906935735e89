package streamrun.flink;

import java.io.IOException;
import java.io.Serializable;
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
  /** Seconds without records after which an input does not hold event time; 0 for no limit. */
  final long idleSeconds;
  final int lateFate;

  Description(String json) throws IOException {
    JsonNode object = new ObjectMapper().readTree(json);
    program = object.path("program").asText("streamrun");
    name = object.path("name").asText("stream");
    state = object.path("state").asText("executions");
    hasThen = object.path("stages").asInt(1) == 2;
    hasTime = object.has("time");
    latenessNanos = Math.round(object.path("lateness").asDouble(0) * 1e9);
    idleSeconds = (long) Math.ceil(object.path("idle").asDouble(0));
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
