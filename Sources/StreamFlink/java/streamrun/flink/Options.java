package streamrun.flink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of {@link Job}: {@code --name value}, flags, and settings of Flink, {@code -D key=value}. */
final class Options {
  private static final List<String> FLAGS = List.of("incremental", "skip-errors", "one-jvm");
  private static final List<String> NAMES = List.of("file", "streamrun", "source", "sink", "late-sink", "parallelism",
      "source-parallelism", "max-parallelism", "checkpoint-dir", "checkpoint-interval", "state-backend", "memory", "batch",
      "timeout", "restore-old", "from-savepoint", "name", "idle", "rate", "rest-port", "cluster");

  /** Options for the stream file, which each worker gets. All but the seed may be repeated. */
  private static final List<String> WORKER_NAMES = List.of("set", "parameters", "restore-set", "seed");

  private final Map<String, String> values = new HashMap<>();
  /** The options for the stream file as names and values, in their order. */
  final List<String> workerArguments = new ArrayList<>();
  /** Settings of Flink, in their order. */
  final Map<String, String> settings = new LinkedHashMap<>();

  Options(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (arguments[i].equals("-D") && i + 1 < arguments.length) {
        String[] setting = arguments[++i].split("=", 2);
        if (setting.length < 2 || setting[0].isEmpty()) {
          throw new UsageError("option '-D' has the value '" + arguments[i] + "'; expected KEY=VALUE");
        }
        settings.put(setting[0], setting[1]);
      } else if (FLAGS.contains(name)) {
        values.put(name, "");
      } else if (!NAMES.contains(name) && !WORKER_NAMES.contains(name)) {
        throw new UsageError("unknown option '" + arguments[i] + "'");
      } else if (i + 1 == arguments.length) {
        throw new UsageError("option '--" + name + "' needs a value");
      } else if (WORKER_NAMES.contains(name)) {
        workerArguments.add("--" + name);
        workerArguments.add(arguments[++i]);
      } else {
        values.put(name, arguments[++i]);
      }
    }
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  String required(String name) {
    if (!has(name)) {
      throw new UsageError("option '--" + name + "' is missing");
    }
    return values.get(name);
  }

  /** A whole number in a range. */
  long number(String name, long otherwise, long least, long most) {
    String text = values.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // The message is the same as for a number out of range.
    }
    throw new UsageError("option '--" + name + "' has the value '" + text + "'; expected an integer from " + least + " to " + most);
  }

  /** A mistake in the command line. */
  static final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageError(String message) {
      super(message);
    }
  }
}
