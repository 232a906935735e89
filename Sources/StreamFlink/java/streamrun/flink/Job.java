package streamrun.flink;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;

/**
 * Runs a stream file with a partition as a job of Apache Flink.
 *
 * <pre>
 * source → router → (by key) stage → [ (one subtask) then → ] sink
 * </pre>
 *
 * <p>The program {@code streamrun} and the stream file travel with the job. The launcher {@code streamflink} documents
 * the options.
 */
public final class Job {
  private static final TypeInformation<byte[]> BYTES = PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
  static final TypeInformation<Tuple4<String, Long, byte[], Integer>> KEYED =
      Types.TUPLE(Types.STRING, Types.LONG, BYTES, Types.INT);

  private final Options options;
  private final StreamExecutionEnvironment environment;
  private Tables tables;
  private Description description;

  private Job(Options options, StreamExecutionEnvironment environment) {
    this.options = options;
    this.environment = environment;
  }

  /** Builds the job and runs it. */
  public static void main(String[] arguments) throws Exception {
    boolean isOneJVM = List.of(arguments).contains("--one-jvm");
    JobReport report = null;
    try {
      Options options = new Options(arguments);
      report = new JobReport(options);
      Job job = new Job(options, StreamExecutionEnvironment.getExecutionEnvironment(JobSettings.of(options)));
      String name = job.build();
      report.tellEnd(job.environment.execute(name), job.description);
    } catch (Exception error) {
      // `flink run` calls this method in its own process, and reports what it throws.
      if (!isOneJVM) {
        report.tellCheckpoint(error);
        throw error;
      }
      org.slf4j.LoggerFactory.getLogger(Job.class).debug("streamrun failed", error);
      System.err.println("streamflink: error: " + message(error));
      if (report != null) {
        report.tellCheckpoint(error);
      }
      System.exit(error instanceof Options.UsageError ? 2 : 1);
    }
  }

  private String build() throws Exception {
    String file = options.required("file");
    String oldFile = options.text("restore-old", null);
    boolean skipsErrors = options.has("skip-errors");
    long timeout = options.number("timeout", 60, 1, 86_400) * 1000;
    int parallelism = (int) options.number("parallelism", 1, 1, 32_768);
    int keyGroups = (int) options.number("max-parallelism", 128, parallelism, 32_768);
    int batch = (int) options.number("batch", 1000, 1, 1_000_000);
    long memory = options.number("memory", 256, 1, 1 << 20) << 20;
    environment.setParallelism(parallelism);
    environment.setMaxParallelism(keyGroups);

    Worker.Hello hello;
    List<String> arguments = options.workerArguments;
    Worker worker = new Worker(WorkerSpec.command(options.required("streamrun"), file, oldFile, arguments), timeout, "client");
    try {
      hello = worker.hello(1, WorkerSpec.options(skipsErrors));
    } finally {
      worker.shutDown();
    }
    description = new Description(hello.description);
    if (description.lateFate == Router.LATE_OUTPUT && !options.has("late-sink")) {
      throw new Options.UsageError("the partition writes late records to an output of their own; write --late-sink file:DIR, "
          + "print or discard");
    }
    if (!description.files.isEmpty() && !options.has("one-jvm")) {
      throw new Options.UsageError("each key reads the file '" + description.files.get(0) + "', which does not travel to the "
          + "machines of a cluster: declare its contents as a parameter of the stream file, whose values --parameters sends "
          + "along, or run the job in one JVM, without --cluster");
    }
    WorkerSpec spec;
    if (options.has("one-jvm")) {
      // Flink's cache of files would end a job 5 seconds late.
      spec = WorkerSpec.local(hello.hash, options.required("streamrun"), file, oldFile, skipsErrors, timeout, arguments);
    } else {
      environment.registerCachedFile(uri(options.required("streamrun")), WorkerSpec.BINARY, true);
      environment.registerCachedFile(uri(file), WorkerSpec.FILE, false);
      if (oldFile != null) {
        environment.registerCachedFile(uri(oldFile), WorkerSpec.OLD_FILE, false);
      }
      for (Map.Entry<String, String> parameters : WorkerSpec.parameterFiles(arguments).entrySet()) {
        environment.registerCachedFile(uri(parameters.getValue()), parameters.getKey(), false);
      }
      spec = WorkerSpec.cached(hello.hash, oldFile != null, skipsErrors, timeout, arguments);
    }

    String source = options.required("source");
    SingleOutputStreamOperator<Tuple4<String, Long, byte[], Integer>> routed;
    Router.Settings settings;
    if (source.startsWith("file:")) {
      settings = settings(batch, keyGroups, true, false);
      routed = route(files(source.substring(5)), new WorkerRouter(spec, settings));
    } else {
      tables().execute(source);
      Tables.Input input = tables().input();
      settings = settings(batch, keyGroups, input.isBounded, input.hasWatermark);
      routed = input.lines != null
          ? route(input.lines, new WorkerRouter(spec, settings))
          : route(input.keyed, new ColumnRouter(description.lateFate, skipsErrors, settings));
    }

    SingleOutputStreamOperator<Tuple4<String, Long, byte[], Integer>> results = routed.keyBy(item -> item.f0, Types.STRING)
        .transform("stage", KEYED,
            new Stage(spec, 1, batch, memory, description.hasThen, description.hasTime, settings.idleMillis > 0))
        .uid("stage");
    if (description.hasThen) {
      results = results.keyBy(item -> item.f0, Types.STRING)
          .transform("then", KEYED, new Stage(spec, 2, batch, memory, false, description.hasTime, false))
          .uid("then").setParallelism(1).setMaxParallelism(1);
    }
    SingleOutputStreamOperator<byte[]> values =
        results.map(item -> item.f2).returns(BYTES).name("values").uid("values").setParallelism(results.getParallelism());
    sink(values, options.required("sink"), "sink");
    sink(routed.getSideOutput(Router.LATE), options.text("late-sink", "discard"), "late-sink");
    if (tables != null) {
      tables.attach();
    }
    return options.text("name", description.name);
  }

  private Router.Settings settings(int batch, int keyGroups, boolean isBounded, boolean followsSource) {
    // A bounded input is read to its end, however long that takes.
    long idle = isBounded || !description.hasTime ? 0 : description.idleMillis;
    if (options.has("idle")) {
      idle = options.number("idle", 0, 0, 86_400) * 1000;
    }
    return new Router.Settings(batch, keyGroups, isBounded, idle, options.number("rate", 0, 0, Long.MAX_VALUE),
        description.latenessNanos, followsSource);
  }

  // Each file is read whole by one reader, in the order of lines, and the files in the order of their paths.
  private DataStream<Tuple2<Integer, byte[]>> files(String list) {
    Path[] paths = Arrays.stream(list.split(",")).map(path -> new Path(uri(path))).toArray(Path[]::new);
    OrderedFiles.check(paths);
    FileSource<Tuple2<Integer, byte[]>> source = FileSource.forBulkFileFormat(new LineFiles(), paths)
        .setFileEnumerator(OrderedFiles::new).setSplitAssigner(OrderedFiles::assigner).build();
    return environment.fromSource(source, WatermarkStrategy.noWatermarks(), "source").uid("source")
        .setParallelism((int) options.number("source-parallelism", 1, 1, 32_768));
  }

  private static <T> SingleOutputStreamOperator<Tuple4<String, Long, byte[], Integer>> route(DataStream<T> input,
      OneInputStreamOperator<T, Tuple4<String, Long, byte[], Integer>> router) {
    SingleOutputStreamOperator<Tuple4<String, Long, byte[], Integer>> routed =
        input.transform("router", KEYED, router).uid("router").setParallelism(input.getParallelism());
    // Records must not cross the network between source and router. In 1.20 an operator begins a chain by default.
    ((PhysicalTransformation<?>) routed.getTransformation()).setChainingStrategy(ChainingStrategy.ALWAYS);
    return routed;
  }

  private void sink(DataStream<byte[]> values, String sink, String uid) throws Exception {
    int parallelism = values.getParallelism();
    if (sink.equals("discard")) {
      values.sinkTo(new DiscardingSink<>()).name(uid).uid(uid).setParallelism(parallelism);
    } else if (sink.equals("print")) {
      values.transform(uid, BYTES, new Printer()).uid(uid).setParallelism(parallelism)
          .sinkTo(new DiscardingSink<>()).name("end").uid(uid + "-end").setParallelism(parallelism);
    } else if (sink.startsWith("file:")) {
      FileSink<byte[]> files = FileSink.forBulkFormat(new Path(uri(sink.substring(5))), LineWriter::new)
          .withRollingPolicy(OnCheckpointRollingPolicy.build()).build();
      values.sinkTo(files).name(uid).uid(uid).setParallelism(parallelism);
    } else if (uid.equals("sink")) {
      tables().execute(sink);
      tables().output(values);
    } else {
      throw new Options.UsageError("option '--late-sink' has the value '" + sink + "'; expected file:DIR, print or discard");
    }
  }

  private Tables tables() {
    if (tables == null) {
      tables = new Tables(environment, (int) options.number("source-parallelism", 1, 1, 32_768));
    }
    return tables;
  }

  // A path of this machine, or an address with a scheme.
  static String uri(String path) {
    return path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*") ? path : java.nio.file.Path.of(path).toAbsolutePath().toUri().toString();
  }

  // The innermost cause says what happened; Flink's own layers say only that something did.
  private static String message(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && cause.getCause() != cause && !(cause instanceof WorkerRefusal)
        && !(cause instanceof IOException && cause.getMessage() != null && cause.getMessage().startsWith("the worker"))) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
