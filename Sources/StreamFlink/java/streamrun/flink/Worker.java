package streamrun.flink;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process of {@code streamrun worker FILE}, and the requests to it. See WorkerProtocol.md.
 *
 * <p>One thread sends requests. {@link #close} may come from any thread, at any time, and ends a request that waits.
 */
final class Worker implements Closeable {
  static final int PROTOCOL = 1;

  private static final Logger LOG = LoggerFactory.getLogger("streamrun.worker");
  private static final int KEPT_LINES = 20;

  /** Receives the values of a result. */
  interface Values {
    void value(long time, byte[] value) throws Exception;
  }

  /** Receives snapshots. */
  interface Snapshots {
    /** @param snapshot the state of the key, or null if it has none any more */
    void snapshot(String key, long wake, byte[] snapshot) throws Exception;
  }

  /** The worker's answer to hello. */
  static final class Hello {
    final String hash;
    final String description;

    Hello(String hash, String description) {
      this.hash = hash;
      this.description = description;
    }
  }

  private final Process process;
  private final InputStream input;
  private final OutputStream output;
  private final FrameWriter request = new FrameWriter();
  private final FrameReader reply = new FrameReader();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread log;
  private final long timeoutNanos;
  private final String name;

  private volatile boolean isWaiting;
  private volatile long deadline;
  private volatile boolean isTimedOut;
  private volatile boolean isClosed;
  private boolean isBroken;
  private int requestType;

  /** Keys that the worker held at its last answer. */
  long keys;
  /** Bytes that the worker held at its last answer, as it estimates them. */
  long memory;
  /** Values that the worker has skipped so far, and whether its answers tell of them. */
  long skipped;
  boolean countsSkipped;
  /** Bytes sent and received so far. */
  long sent;
  long received;

  Worker(List<String> command, long timeoutMillis, String name) throws IOException {
    this.name = name;
    timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    process = new ProcessBuilder(command).start();
    input = process.getInputStream();
    output = process.getOutputStream();
    log = daemon("log", this::readLog);
    daemon("deadline", this::watch);
  }

  Hello hello(int stage, String options) throws IOException {
    request.begin('H').u16(PROTOCOL).u8(stage).bytes(options.getBytes(StandardCharsets.UTF_8));
    exchange('h');
    int protocol = reply.u16();
    if (protocol != PROTOCOL) {
      throw WorkerRefusal.of("this adapter speaks version " + PROTOCOL + " of the worker protocol, and 'streamrun' speaks "
          + protocol + "; use the streamflink and the streamrun of one version");
    }
    StringBuilder hash = new StringBuilder();
    for (byte b : reply.bytes()) {
      hash.append(String.format("%02x", b));
    }
    Hello hello = new Hello(hash.toString(), reply.string());
    reply.finish();
    return hello;
  }

  /** Begins a request; the caller appends its body. */
  FrameWriter begin(int type) {
    requestType = type;
    return request.begin(type);
  }

  /** Sends the request and returns the answer, whose type must be the expected one. */
  FrameReader exchange(int expected) throws IOException {
    int type;
    deadline = System.nanoTime() + timeoutNanos;
    isWaiting = true;
    try {
      request.writeTo(output);
      sent += request.size();
      type = reply.read(input);
    } catch (IOException error) {
      throw lost(error);
    } finally {
      isWaiting = false;
    }
    received += reply.size();
    if (type == 'E') {
      int fatal = reply.u8();
      throw WorkerRefusal.of(reply.string() + (fatal == 1 ? "" : " (request '" + (char) requestType + "')"));
    }
    if (type != expected) {
      isBroken = true;
      throw new IOException("the worker answered '" + (char) type + "'; expected '" + (char) expected + "'");
    }
    return reply;
  }

  /** Sends the request and hands out the values of the result, with all its continuations. */
  void result(Values values) throws Exception {
    boolean isMore;
    exchange('r');
    do {
      isMore = reply.u8() != 0;
      keys = reply.u32() & 0xFFFF_FFFFL;
      memory = reply.i64();
      if (countsSkipped) {
        skipped += reply.u32() & 0xFFFF_FFFFL;
      }
      for (int n = reply.count(12); n > 0; n--) {
        values.value(reply.i64(), reply.bytes());
      }
      reply.finish();
      if (isMore) {
        begin('C');
        exchange('r');
      }
    } while (isMore);
  }

  /** Asks for the snapshots of the keys that have changed. */
  void snapshots(Snapshots snapshots) throws Exception {
    boolean isMore;
    begin('S');
    exchange('s');
    do {
      isMore = reply.u8() != 0;
      for (int n = reply.count(17); n > 0; n--) {
        String key = reply.string();
        boolean isEmpty = reply.u8() == 1;
        long wake = reply.i64();
        byte[] snapshot = reply.bytes();
        snapshots.snapshot(key, wake, isEmpty ? null : snapshot);
      }
      reply.finish();
      if (isMore) {
        begin('C');
        exchange('s');
      }
    } while (isMore);
  }

  /** Lets the worker forget keys, none of which has changed since the last snapshots. */
  void drop(List<String> dropped) throws IOException {
    FrameWriter body = begin('D').u32(dropped.size());
    for (String key : dropped) {
      body.bytes(key.getBytes(StandardCharsets.UTF_8));
    }
    exchange('d');
    keys = reply.u32() & 0xFFFF_FFFFL;
    memory = reply.i64();
    reply.finish();
  }

  /** Ends the process in order: it exits when its input ends. Never throws. */
  void shutDown() {
    if (!isBroken && !isClosed) {
      try {
        output.close();
        process.waitFor(1, TimeUnit.SECONDS);
      } catch (IOException ignored) {
        // The process has exited, which is what the end of its input asks for.
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    close();
  }

  /** Kills the process. Never throws: Flink ends the whole TaskManager if cleaning up a task fails. */
  @Override
  public void close() {
    isClosed = true;
    process.destroyForcibly();
  }

  // The process is gone or useless: says why, with its exit code and its last words.
  private IOException lost(IOException cause) {
    isBroken = true;
    boolean isCanceled = isClosed;
    StringBuilder text = new StringBuilder();
    if (isTimedOut) {
      text.append("the worker did not answer '").append((char) requestType).append("' within ")
          .append(TimeUnit.NANOSECONDS.toMillis(timeoutNanos)).append(" ms and was killed");
    } else {
      text.append("the worker was lost: ").append(cause.getMessage());
      try {
        if (process.waitFor(2, TimeUnit.SECONDS)) {
          text.append("; it exited with code ").append(process.exitValue());
        }
        log.join(500);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    close();
    if (!isCanceled) {
      // Flink tells only that a checkpoint failed, if the worker was lost in one.
      LOG.warn("{}: {}", name, text);
    }
    for (String line : lastLines()) {
      text.append("\n  ").append(line);
    }
    return new IOException(text.toString(), cause);
  }

  private List<String> lastLines() {
    synchronized (lastLines) {
      return new ArrayList<>(lastLines);
    }
  }

  private void readLog() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        LOG.warn("{}: {}", name, line);
        synchronized (lastLines) {
          if (lastLines.size() == KEPT_LINES) {
            lastLines.removeFirst();
          }
          lastLines.addLast(line);
        }
      }
    } catch (IOException ignored) {
      // The process was killed.
    }
  }

  // A read from a pipe cannot be interrupted: only the end of the process ends it.
  private void watch() {
    long pause = Math.max(10, Math.min(500, TimeUnit.NANOSECONDS.toMillis(timeoutNanos) / 10));
    try {
      while (!isClosed && process.isAlive()) {
        Thread.sleep(pause);
        if (isWaiting && System.nanoTime() - deadline > 0) {
          isTimedOut = true;
          process.destroyForcibly();
          return;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread daemon(String role, Runnable body) {
    Thread thread = new Thread(body, "streamrun-" + role + " " + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
