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
  /** Options of hello, a JSON object. */
  final String options;
  final boolean hasOldFile;
  final long timeoutMillis;

  WorkerSpec(String hash, String options, boolean hasOldFile, long timeoutMillis) {
    this.hash = hash;
    this.options = options;
    this.hasOldFile = hasOldFile;
    this.timeoutMillis = timeoutMillis;
  }

  static List<String> command(String binary, String file, String oldFile) {
    List<String> command = new ArrayList<>(List.of(binary, "worker", file));
    if (oldFile != null) {
      command.add("--restore-old");
      command.add(oldFile);
    }
    return command;
  }

  /** Starts a worker with the files that Flink has delivered to this machine. */
  Worker start(RuntimeContext context, String name) throws IOException {
    DistributedCache files = context.getDistributedCache();
    File binary = files.getFile(BINARY);
    binary.setExecutable(true);
    String oldFile = hasOldFile ? files.getFile(OLD_FILE).getPath() : null;
    return new Worker(command(binary.getPath(), files.getFile(FILE).getPath(), oldFile), timeoutMillis, name);
  }

  /** Says hello, and refuses a worker that understands the file differently from the others. */
  Worker.Hello hello(Worker worker, int stage) throws IOException {
    Worker.Hello hello = worker.hello(stage, options);
    if (!hello.hash.equals(hash)) {
      throw WorkerRefusal.of("the worker of this task has the hash " + hello.hash + " for the stream file, and the one that "
          + "submitted the job " + hash + "; use the same 'streamrun' on all machines");
    }
    return hello;
  }
}
