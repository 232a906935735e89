package streamrun.flink;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The configuration of a job of Flink.
 *
 * <p>An option of {@link Job} comes before {@code -D}, that before the configuration of the cluster, and that before the
 * defaults that are here. Only what the results depend on cannot be changed.
 */
final class JobSettings {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String[] UNALIGNED = {"execution.checkpointing.unaligned.enabled", "execution.checkpointing.unaligned"};

  private final Options options;
  private final Configuration configuration = new Configuration();
  /** The keys that -D or the cluster has set. */
  private final Set<String> known = new HashSet<>();

  private JobSettings(Options options) {
    this.options = options;
  }

  static Configuration of(Options options) throws IOException {
    JobSettings settings = new JobSettings(options);
    settings.known.addAll(options.settings.keySet());
    if (options.has("cluster")) {
      settings.known.addAll(GlobalConfiguration.loadConfiguration().keySet());
      settings.readCluster(options.text("cluster", ""));
    }
    settings.setDefaults();
    for (Map.Entry<String, String> setting : options.settings.entrySet()) {
      settings.set(setting.getKey(), setting.getValue());
    }
    settings.setOptions();
    settings.setFixed();
    return settings.configuration;
  }

  private void readCluster(String address) throws IOException {
    try (InputStream answer = URI.create("http://" + address + "/jobmanager/config").toURL().openStream()) {
      for (JsonNode entry : new ObjectMapper().readTree(answer)) {
        known.add(entry.path("key").asText());
      }
    }
  }

  private void setDefaults() {
    setDefault("1000 ms", "execution.checkpointing.interval");
    // A job that fails keeps the state from which it can go on.
    setDefault("RETAIN_ON_CANCELLATION", "execution.checkpointing.externalized-checkpoint-retention");
    setDefault("true", "pipeline.object-reuse");
    if (!known.contains("restart-strategy") && !known.contains("restart-strategy.type")) {
      set("restart-strategy.type", "failure-rate");
      setDefault("10", "restart-strategy.failure-rate.max-failures-per-interval");
      setDefault("5 min", "restart-strategy.failure-rate.failure-rate-interval");
      setDefault("1 s", "restart-strategy.failure-rate.delay");
    }
    if (options.has("one-jvm")) {
      // Whoever reaches the REST interface can run code.
      for (String key : new String[] {"rest.address", "rest.bind-address", "jobmanager.bind-host", "taskmanager.host", "taskmanager.bind-host"}) {
        setDefault(LOOPBACK, key);
      }
    }
    if (options.text("state-backend", "").equals("rocksdb")) {
      // Each new key is looked for where it is not: without filters, in every file of the state. They and the indexes are
      // divided, because those of a whole file do not fit in the cache.
      setDefault("true", "state.backend.rocksdb.use-bloom-filter");
      setDefault("true", "state.backend.rocksdb.memory.partitioned-index-filters");
    }
  }

  private void setOptions() {
    if (options.has("checkpoint-interval")) {
      set("execution.checkpointing.interval", options.number("checkpoint-interval", 1000, 10, 86_400_000) + " ms");
    }
    if (options.has("checkpoint-dir")) {
      set("execution.checkpointing.dir", Job.uri(options.text("checkpoint-dir", "")));
      set("state.checkpoints.dir", Job.uri(options.text("checkpoint-dir", "")));
    }
    if (options.has("state-backend")) {
      String backend = options.text("state-backend", "");
      if (!backend.equals("hashmap") && !backend.equals("rocksdb")) {
        throw new Options.UsageError("option '--state-backend' has the value '" + backend + "'; expected hashmap or rocksdb");
      }
      set("state.backend.type", backend);
    }
    if (options.has("incremental")) {
      set("execution.checkpointing.incremental", "true");
    }
    if (options.has("from-savepoint")) {
      // The name in 2.x, and the one before.
      set("execution.state-recovery.path", Job.uri(options.text("from-savepoint", "")));
      set("execution.savepoint.path", Job.uri(options.text("from-savepoint", "")));
    }
    if (options.has("rest-port")) {
      set("rest.port", options.text("rest-port", ""));
    }
  }

  // Values must leave before the barrier of the checkpoint that has the state after them.
  private void setFixed() {
    for (String key : UNALIGNED) {
      if (options.settings.getOrDefault(key, "false").equalsIgnoreCase("true")) {
        throw new Options.UsageError("'" + key + "' cannot be true: results would be lost or doubled after a failure");
      }
      set(key, "false");
    }
  }

  private void setDefault(String value, String key) {
    if (!known.contains(key)) {
      set(key, value);
    }
  }

  private void set(String key, String value) {
    configuration.setString(key, value);
  }
}
