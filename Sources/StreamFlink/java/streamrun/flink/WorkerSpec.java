package streamrun.flink;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.cache.DistributedCache;
import org.apache.flink.api.common.functions.RuntimeContext;

/** How a task starts its worker: the same for all tasks of a job. */
final class WorkerSpec implements Serializable {
  private static final long serialVersionUID = 1;

  /** Names of the files that travel with the job. */
  static final String BINARY = "streamrun";
  static final String FILE = "stream.json";
  static final String OLD_FILE = "old.json";

  /** The hash of the stream file, as the client's worker reported it. */
  final String hash;
  final boolean hasOldFile;
  private final boolean skipsErrors;
  private final long timeoutMillis;
  /** The command, if all tasks run on the machine that has the files; otherwise null. */
  private final ArrayList<String> localCommand;

  private WorkerSpec(String hash, boolean hasOldFile, boolean skipsErrors, long timeoutMillis, List<String> localCommand) {
    this.hash = hash;
    this.hasOldFile = hasOldFile;
    this.skipsErrors = skipsErrors;
    this.timeoutMillis = timeoutMillis;
    this.localCommand = localCommand == null ? null : new ArrayList<>(localCommand);
  }

  /** The files are those of this machine. */
  static WorkerSpec local(String hash, String binary, String file, String oldFile, boolean skipsErrors, long timeoutMillis) {
    return new WorkerSpec(hash, oldFile != null, skipsErrors, timeoutMillis, command(binary, file, oldFile));
  }

  /** The files travel with the job. */
  static WorkerSpec cached(String hash, boolean hasOldFile, boolean skipsErrors, long timeoutMillis) {
    return new WorkerSpec(hash, hasOldFile, skipsErrors, timeoutMillis, null);
  }

  static List<String> command(String binary, String file, String oldFile) {
    List<String> command = new ArrayList<>(List.of(binary, "worker", file));
    if (oldFile != null) {
      command.add("--restore-old");
      command.add(oldFile);
    }
    return command;
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
    return new Worker(command(binary.getPath(), files.getFile(FILE).getPath(), oldFile), timeoutMillis, name);
  }

  /** The options of hello, a JSON object. */
  static String options(boolean skipsErrors, boolean hasGivenTime) {
    return "{\"skipErrors\": " + skipsErrors + (hasGivenTime ? ", \"givenTime\": true}" : "}");
  }

  /**
   * Says hello, and refuses a worker that understands the file differently from the others.
   *
   * @param hasGivenTime whether this task moves event time, not the records that the worker routes
   */
  Worker.Hello hello(Worker worker, int stage, boolean hasGivenTime) throws IOException {
    Worker.Hello hello = worker.hello(stage, options(skipsErrors, hasGivenTime));
    if (!hello.hash.equals(hash)) {
      throw WorkerRefusal.of("the worker of this task has the hash " + hello.hash + " for the stream file, and the one that "
          + "submitted the job " + hash + "; use the same 'streamrun' on all machines");
    }
    return hello;
  }
}
