package streamrun.flink;

import java.io.IOException;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** An error that would occur again after a restart: the worker has reported it, or the job does not fit its state. */
final class WorkerRefusal extends IOException {
  private static final long serialVersionUID = 1;

  private WorkerRefusal(String message) {
    super(message);
  }

  /** The error in the form that lets Flink fail the job without a restart. */
  static SuppressRestartsException of(String message) {
    return new SuppressRestartsException(new WorkerRefusal(message));
  }
}
