package streamrun.flink;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.cache.DistributedCache;
import org.apache.flink.api.common.functions.RuntimeContext;

/** How a task starts its worker: the same for all tasks of a job. */
final class WorkerSpec implements Serializable {
  private static final long serialVersionUID = 1;

  /** Names of the files that travel with the job. */
  static final String BINARY = "streamrun";
  static final String FILE = "stream.json";
  static final String OLD_FILE = "old.json";
  /** The option that names a file with values of parameters. */
  private static final String PARAMETERS = "--parameters";

  /** The hash of the stream file, as the client's worker reported it. */
  final String hash;
  final boolean hasOldFile;
  private final boolean skipsErrors;
  private final long timeoutMillis;
  /** The command, if all tasks run on the machine that has the files; otherwise null. */
  private final ArrayList<String> localCommand;
  /** The options for the stream file. */
  private final ArrayList<String> arguments;

  private WorkerSpec(
      String hash, boolean hasOldFile, boolean skipsErrors, long timeoutMillis, List<String> localCommand, List<String> arguments) {
    this.hash = hash;
    this.hasOldFile = hasOldFile;
    this.skipsErrors = skipsErrors;
    this.timeoutMillis = timeoutMillis;
    this.localCommand = localCommand == null ? null : new ArrayList<>(localCommand);
    this.arguments = new ArrayList<>(arguments);
  }

  /** The files are those of this machine. */
  static WorkerSpec local(
      String hash, String binary, String file, String oldFile, boolean skipsErrors, long timeoutMillis, List<String> arguments) {
    List<String> command = command(binary, file, oldFile, arguments);
    return new WorkerSpec(hash, oldFile != null, skipsErrors, timeoutMillis, command, arguments);
  }

  /** The files travel with the job, see {@link #parameterFiles}. */
  static WorkerSpec cached(String hash, boolean hasOldFile, boolean skipsErrors, long timeoutMillis, List<String> arguments) {
    return new WorkerSpec(hash, hasOldFile, skipsErrors, timeoutMillis, null, arguments);
  }

  static List<String> command(String binary, String file, String oldFile, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(binary, "worker", file));
    if (oldFile != null) {
      command.add("--restore-old");
      command.add(oldFile);
    }
    command.addAll(arguments);
    return command;
  }

  /** The files with values of parameters among the options for the stream file, by the names under which they travel. */
  static Map<String, String> parameterFiles(List<String> arguments) {
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      if (arguments.get(i).equals(PARAMETERS)) {
        files.put("parameters-" + i + ".json", arguments.get(i + 1));
      }
    }
    return files;
  }

  /** Starts a worker, with the files that Flink has delivered to this machine unless they were there. */
  Worker start(RuntimeContext context, String name) throws IOException {
    if (localCommand != null) {
      return new Worker(localCommand, timeoutMillis, name);
    }
    DistributedCache files = context.getDistributedCache();
    File binary = files.getFile(BINARY);
    binary.setExecutable(true);
    String oldFile = hasOldFile ? files.getFile(OLD_FILE).getPath() : null;
    List<String> delivered = new ArrayList<>(arguments);
    for (int i = 0; i + 1 < delivered.size(); i += 2) {
      if (delivered.get(i).equals(PARAMETERS)) {
        delivered.set(i + 1, files.getFile("parameters-" + i + ".json").getPath());
      }
    }
    return new Worker(command(binary.getPath(), files.getFile(FILE).getPath(), oldFile, delivered), timeoutMillis, name);
  }

  /** The options of hello, a JSON object: whether errors are skipped, and others that are set. */
  static String options(boolean skipsErrors, String... others) {
    StringBuilder text = new StringBuilder("{\"skipErrors\": ").append(skipsErrors);
    for (String other : others) {
      text.append(", \"").append(other).append("\": true");
    }
    return text.append('}').toString();
  }

  /**
   * Says hello for a router.
   *
   * @param hasGivenTime whether the task moves event time, not the records that the worker routes
   */
  Worker.Hello helloRouter(Worker worker, boolean hasGivenTime) throws IOException {
    return hello(worker, 1, hasGivenTime ? new String[] {"givenTime"} : new String[0]);
  }

  /** Says hello for a stage: its items have sources, and answers tell how many values were skipped. */
  Worker.Hello helloStage(Worker worker, int stage) throws IOException {
    worker.countsSkipped = true;
    return hello(worker, stage, "sources", "countSkipped");
  }

  // Refuses a worker that understands the file differently from the others.
  private Worker.Hello hello(Worker worker, int stage, String... options) throws IOException {
    Worker.Hello hello = worker.hello(stage, options(skipsErrors, options));
    if (!hello.hash.equals(hash)) {
      throw WorkerRefusal.of("the worker of this task has the hash " + hello.hash + " for the stream file, and the one that "
          + "submitted the job " + hash + "; use the same 'streamrun' on all machines");
    }
    return hello;
  }
}
