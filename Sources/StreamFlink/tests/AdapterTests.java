package streamrun.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.local.LocalDataInputStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** Tests of the parts of the adapter that need no cluster. */
public final class AdapterTests {
  private static int count;

  private AdapterTests() {}

  public static void main(String[] arguments) throws Exception {
    framesRoundTrip();
    wrongFramesAreErrors();
    randomBytesAreErrors();
    endKeysHitEachKeyGroup();
    statementsAreSplit();
    stringsAreWrittenAsJson();
    timesAreExactAtTheLimits();
    storedStateRoundTrips();
    groupsAreWritten();
    descriptionsAreRead();
    optionsAreChecked();
    linesAreRead();
    settingsComeInOrder();
    totalsAreTold();
    filesHavePlaces();
    skippedValuesAreTold();
    System.out.println("AdapterTests: " + count + " checks");
  }

  // As one machine reads them: without a byte order mark, blank lines, and carriage returns at their end.
  private static void linesAreRead() throws Exception {
    String[][] cases = {
      {"a\nb\n", "a|b"}, {"\ufeffa\n\n \t\r\nb\r\n", "a|b"}, {"a\ufeff\n\ufeffb", "a\ufeff|\ufeffb"}, {"\ufeff", ""}, {" ", ""},
      {"", ""}, {"a\rb", "a\rb"}, {" a ", " a "}, {"x".repeat(70_000) + "\ny", "x".repeat(70_000) + "|y"},
    };
    for (String[] test : cases) {
      java.nio.file.Path path = java.nio.file.Files.createTempFile("lines", "");
      java.nio.file.Files.writeString(path, test[0]);
      StringBuilder text = new StringBuilder();
      try (var reader = new Lines().createReader(new Configuration(), new LocalDataInputStream(path.toFile()))) {
        for (byte[] line = reader.read(); line != null; line = reader.read()) {
          text.append(text.length() == 0 ? "" : "|").append(new String(line, StandardCharsets.UTF_8));
        }
      }
      java.nio.file.Files.delete(path);
      equal(text.toString(), test[1], "the lines of " + test[0].substring(0, Math.min(20, test[0].length())));
    }
  }

  private static void settingsComeInOrder() throws Exception {
    Configuration settings = JobSettings.of(new Options(new String[] {"--one-jvm", "-D", "restart-strategy.type=none", "-D",
        "execution.checkpointing.interval=7 s", "-D", "a.b=c=d", "-D", "rest.bind-address=0.0.0.0"}));
    equal(settings.getString("execution.checkpointing.interval", ""), "7 s", "-D");
    equal(settings.getString("restart-strategy.type", ""), "none", "-D");
    equal(settings.getString("restart-strategy.failure-rate.delay", ""), "", "no default of another strategy");
    equal(settings.getString("a.b", ""), "c=d", "-D of any key");
    equal(settings.getString("rest.bind-address", ""), "0.0.0.0", "-D before the loopback address");
    equal(settings.getString("jobmanager.bind-host", ""), "127.0.0.1", "the loopback address");
    equal(settings.getString("execution.checkpointing.externalized-checkpoint-retention", ""), "RETAIN_ON_CANCELLATION", "kept");
    settings = JobSettings.of(new Options(new String[] {"-D", "execution.checkpointing.interval=7 s", "--checkpoint-interval", "50"}));
    equal(settings.getString("execution.checkpointing.interval", ""), "50 ms", "an option before -D");
    equal(settings.getString("rest.bind-address", ""), "", "the address of a cluster is its own");
    fails(() -> JobSettings.of(new Options(new String[] {"-D", "execution.checkpointing.unaligned=TRUE"})), "cannot be true");
    fails(() -> new Options(new String[] {"-D", "=x"}), "expected KEY=VALUE");
    fails(() -> new Options(new String[] {"-D", "x"}), "expected KEY=VALUE");
  }

  private static void totalsAreTold() throws Exception {
    RecordTotals totals = new RecordTotals();
    for (int fate : new int[] {Router.ON_TIME, Router.LATE_APPLIED, Router.LATE_DROPPED, Router.LATE_OUTPUT, Router.SKIPPED}) {
      totals.note(fate);
    }
    RecordTotals sum = new RecordTotals();
    sum.add(RecordTotals.values(totals.bytes()));
    sum.add(totals.values());
    equal(Arrays.toString(sum.values()), "[10, 6, 2]", "records, late and skipped");
    equal(JobReport.account(1, new Description("{\"late\": \"drop\", \"lateness\": 2.5}")),
        "1 record arrived more than 2.5 s late, and was dropped", "dropped");
    equal(JobReport.account(2, new Description("{\"late\": \"output\"}")),
        "2 records arrived more than 0 s late, and went to the --late-sink", "output");
  }

  private static void framesRoundTrip() throws Exception {
    FrameWriter writer = new FrameWriter();
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    writer.begin('x').u8(255).u16(65_535).u32(-1).i64(Long.MIN_VALUE).i64(Long.MAX_VALUE).bytes("ä€😀".getBytes(StandardCharsets.UTF_8)).bytes(large);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    writer.writeTo(stream);
    writer.begin('y').writeTo(stream);
    equal(stream.size(), writer.size() + 1 + 4 + 1 + 2 + 4 + 8 + 8 + 4 + 9 + 4 + large.length, "the size of two frames");
    FrameReader reader = new FrameReader();
    ByteArrayInputStream input = new ByteArrayInputStream(stream.toByteArray());
    equal(reader.read(input), (int) 'x', "the type");
    equal(reader.u8(), 255, "u8");
    equal(reader.u16(), 65_535, "u16");
    equal(reader.u32(), -1, "u32");
    equal(reader.i64(), Long.MIN_VALUE, "the least i64");
    equal(reader.i64(), Long.MAX_VALUE, "the greatest i64");
    equal(reader.string(), "ä€😀", "a string");
    equal(Arrays.equals(reader.bytes(), large), true, "bytes");
    reader.finish();
    equal(reader.read(input), (int) 'y', "the type of a frame without a body");
    reader.finish();
    fails(() -> reader.read(input), "the worker's output ended");
  }

  private static void wrongFramesAreErrors() throws Exception {
    fails(() -> read(0, 0, 0, 0), "length 0");
    fails(() -> read(4, 0, 0, 1, 'x'), "length 67108865");
    fails(() -> read(255, 255, 255, 255, 'x'), "length 4294967295");
    fails(() -> read(0, 0, 0, 5, 'x'), "output ended");
    fails(() -> read(4, 0, 0, 0, 'x'), "output ended");
    fails(() -> read(0, 0, 0, 4, 'x', 1, 2, 3).u32(), "middle of a field");
    fails(() -> read(0, 0, 0, 6, 'x', 0, 0, 0, 2, 1).bytes(), "middle of a field");
    fails(() -> read(0, 0, 0, 5, 'x', 255, 255, 255, 255).bytes(), "middle of a field");
    fails(() -> read(0, 0, 0, 5, 'x', 127, 255, 255, 255).count(1), "announces 2147483647 elements");
    fails(() -> read(0, 0, 0, 5, 'x', 255, 255, 255, 255).count(1), "announces 4294967295 elements");
    fails(() -> read(0, 0, 0, 2, 'x', 1).finish(), "1 bytes too many");
    FrameWriter writer = new FrameWriter();
    byte[] half = new byte[FrameWriter.LIMIT / 2];
    writer.begin('x').bytes(half).bytes(half);
    fails(() -> writer.writeTo(new ByteArrayOutputStream()), "exceeds the limit of a frame");
  }

  // Any answer ends in a value or in an IOException, and costs no more memory than it has bytes.
  private static void randomBytesAreErrors() {
    Random random = new Random(2);
    FrameReader reader = new FrameReader();
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      for (int j = 0; j < Math.min(3, bytes.length); j++) {
        bytes[j] = 0;
      }
      try {
        reader.read(new ByteArrayInputStream(bytes));
        for (int n = reader.count(12); n > 0; n--) {
          reader.i64();
          reader.bytes();
        }
        reader.finish();
      } catch (IOException expected) {
        continue;
      }
    }
    count++;
  }

  private static void endKeysHitEachKeyGroup() {
    for (int groups : new int[] {1, 2, 128, 1000}) {
      String[] keys = EndKeys.all(groups);
      for (int group = 0; group < groups; group++) {
        equal(KeyGroupRangeAssignment.assignToKeyGroup(keys[group], groups), group, "the key group");
        equal(EndKeys.isEnd(keys[group]), true, "the marker");
      }
      for (int parallelism = 1; parallelism <= Math.min(groups, 7); parallelism++) {
        Set<Integer> subtasks = new HashSet<>();
        for (String key : keys) {
          subtasks.add(KeyGroupRangeAssignment.assignKeyToParallelOperator(key, groups, parallelism));
        }
        equal(subtasks.size(), parallelism, "the subtasks that learn of the end");
      }
    }
    for (String key : new String[] {"", "null", "1", "\"\\u0000end0\"", "\"end\""}) {
      equal(EndKeys.isEnd(key), false, "no marker");
    }
  }

  private static void statementsAreSplit() {
    equal(Ddl.statements("a; b ;; c"), List.of("a", "b", "c"), "plain statements");
    equal(Ddl.statements("x ';' y; \"a;b\"; `c;d`"), List.of("x ';' y", "\"a;b\"", "`c;d`"), "quotes");
    equal(Ddl.statements("'it''s; one'; two"), List.of("'it''s; one'", "two"), "a doubled quote");
    equal(Ddl.statements("a -- x; y\nb; /* ; */ c"), List.of("a \nb", "c"), "comments");
    equal(Ddl.statements("a '--' b; '/*' c"), List.of("a '--' b", "'/*' c"), "comments in quotes");
    equal(Ddl.statements("SELECT /*+ OPTIONS('a'=';') */ 1; b"), List.of("SELECT /*+ OPTIONS('a'=';') */ 1", "b"), "a hint");
    equal(Ddl.statements(" ;\n; -- nothing"), List.of(), "nothing");
    equal(Ddl.statements("a 'open; "), List.of("a 'open;"), "an open quote");
    equal(Arrays.asList(Ddl.setting("set  'a.b' = 'c d'")), List.of("a.b", "c d"), "a setting");
    equal(Ddl.setting("CREATE TABLE input (line STRING)"), null, "no setting");
  }

  private static void stringsAreWrittenAsJson() {
    equal(JsonText.string("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"", "quotes");
    equal(JsonText.string("\b\f\n\r\t\u0001\u001f\u007f"), "\"\\b\\f\\n\\r\\t\\u0001\\u001f\u007f\"", "controls");
    equal(JsonText.string("ä€😀\u2028"), "\"ä€😀\u2028\"", "no escapes above the controls");
    equal(JsonText.key(12L), "12", "an integer");
    equal(JsonText.key(-3), "-3", "a small integer");
    equal(JsonText.key("12"), "\"12\"", "a string of digits");
    equal(JsonText.key(null), "null", "null");
  }

  private static void timesAreExactAtTheLimits() {
    equal(Times.millis(-1), -1L, "before 1970");
    equal(Times.millis(1_999_999), 1L, "within a millisecond");
    equal(Times.nanos(Long.MAX_VALUE), Times.NEVER, "the last millisecond");
    equal(Times.nanos(Long.MIN_VALUE), Times.NONE + 1, "the first millisecond");
    equal(Times.nanos(-2), -2_000_000L, "a negative millisecond");
    equal(Times.advance(Long.MAX_VALUE), Times.NEVER, "the last watermark");
    equal(Times.advance(Long.MAX_VALUE - 1), Times.NEVER, "the watermark before the last");
    equal(Times.advance(Long.MIN_VALUE), Times.NONE + 1, "the first watermark");
    equal(Times.advance(-1), 0L, "the watermark before 1970");
    equal(Times.flinkWatermark(Times.NONE), Long.MIN_VALUE, "no watermark");
    equal(Times.minus(Times.NONE, 5), Times.NONE, "no time less a duration");
    equal(Times.minus(Times.NONE + 3, 5), Times.NONE + 1, "the smallest time");
    equal(Times.minus(10, 3), 7L, "a time less a duration");
    Random random = new Random(3);
    for (int i = 0; i < 100_000; i++) {
      long mark = random.nextLong() >> random.nextInt(64);
      if (mark == Times.NONE) {
        continue;
      }
      long flink = Times.flinkWatermark(mark);
      // The worker's event time never passes the watermark of the router, and lags by less than a millisecond.
      if (Times.advance(flink) > mark || mark - Times.advance(flink) >= 1_000_000 && flink > Long.MIN_VALUE / 1_000_000) {
        throw new AssertionError("the watermark " + mark + " becomes the advance " + Times.advance(flink));
      }
      // A wake is sent when, and only when, event time is going to pass it.
      long wake = mark;
      long timer = Times.millis(wake);
      if (Times.advance(timer) <= wake && Times.advance(timer) != Times.NEVER || Times.advance(timer - 1) > wake) {
        throw new AssertionError("the timer of the wake " + wake);
      }
    }
    count++;
  }

  private static void storedStateRoundTrips() {
    byte[] stored = StoredState.of(Times.NEVER - 5, new byte[] {1, 2});
    equal(StoredState.wake(stored), Times.NEVER - 5, "the wake");
    equal(stored.length, StoredState.HEADER + 2, "the length");
  }

  private static void groupsAreWritten() throws Exception {
    Group group = new Group("\"k\"", Group.SNAPSHOT, StoredState.of(1, new byte[] {9, 8, 7}));
    for (int i = 0; i < 5; i++) {
      group.add(i, 10 + i, new byte[] {(byte) i});
    }
    FrameWriter writer = new FrameWriter().begin('B');
    group.writeTo(writer);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    writer.writeTo(stream);
    FrameReader reader = new FrameReader();
    reader.read(new ByteArrayInputStream(stream.toByteArray()));
    equal(reader.string(), "\"k\"", "the key");
    equal(reader.u8(), Group.SNAPSHOT, "the mode");
    equal(Arrays.toString(reader.bytes()), "[9, 8, 7]", "the snapshot without the wake");
    equal(reader.u32(), 5, "the items");
    for (long i = 0; i < 5; i++) {
      equal(reader.i64(), i, "the time");
      equal(reader.u32(), 10 + (int) i, "the source");
      equal((long) reader.bytes()[0], i, "the record");
    }
    reader.finish();
  }

  private static void descriptionsAreRead() throws Exception {
    Description description = new Description(
        "{\"stages\": 2, \"lateness\": 0.25, \"late\": \"output\", \"idle\": 0.5, \"files\": [\"a.csv\"], \"other\": []}");
    equal(description.hasThen, true, "stages");
    equal(description.latenessNanos, 250_000_000L, "lateness");
    equal(description.lateFate, Router.LATE_OUTPUT, "late");
    equal(description.idleMillis, 500L, "idle");
    equal(description.files, List.of("a.csv"), "files");
    fails(() -> new Description("{\"late\": \"never\"}"), "'never'");
  }

  // The places decide between records with equal times: they are those in the order of paths, with any number of tasks.
  private static void filesHavePlaces() throws Exception {
    Path folder = Files.createTempDirectory("files");
    for (String name : new String[] {"b", "a/2", "a/10", "c.gz", "c.zst", "c.xz", "c.data", "empty"}) {
      Files.createDirectories(folder.resolve(name).getParent());
      Files.write(folder.resolve(name), bytes(switch (name) {
        case "c.gz", "c.data" -> "1f8b08";
        case "c.zst" -> "28b52ffd00";
        case "c.xz" -> "fd377a585a0000";
        case "empty" -> "";
        default -> "7b7d0a";
      }));
    }
    var root = new org.apache.flink.core.fs.Path(folder.toUri());
    StringBuilder places = new StringBuilder();
    for (FileSourceSplit file : new OrderedFiles().enumerateSplits(new org.apache.flink.core.fs.Path[] {root}, 7)) {
      places.append(file.path().getPath().substring(folder.toString().length() + 1)).append(' ')
          .append(OrderedFiles.place(file)).append(' ');
    }
    equal(places.toString(), "a/10 1 a/2 2 b 3 c.data 4 c.gz 5 c.xz 6 c.zst 7 empty 8 ", "the places");
    OrderedFiles.check(new org.apache.flink.core.fs.Path(folder.resolve("c.gz").toUri()));
    OrderedFiles.check(new org.apache.flink.core.fs.Path(folder.resolve("none").toUri()));
    for (String[] test : new String[][] {{"c.zst", "zstd"}, {"c.xz", "xz"}, {"c.data", "gzip"}}) {
      Path path = folder.resolve(test[0]);
      fails(() -> OrderedFiles.check(new org.apache.flink.core.fs.Path(path.toUri())), "is compressed with " + test[1]);
      fails(() -> new Lines().createReader(new Configuration(), new LocalDataInputStream(path.toFile())).read(),
          "is compressed with " + test[1]);
    }
    fails(() -> OrderedFiles.check(root), "c.data");
    try (var paths = Files.walk(folder)) {
      paths.sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  private static byte[] bytes(String hexadecimal) {
    return java.util.HexFormat.of().parseHex(hexadecimal);
  }

  private static void skippedValuesAreTold() {
    equal(JobReport.skipped(0, 0), "0 skipped", "nothing skipped");
    equal(JobReport.skipped(2, 0), "2 skipped", "records");
    equal(JobReport.skipped(1, 2), "3 skipped (1 record, 2 values)", "records and values");
  }

  private static void optionsAreChecked() {
    equal(new Options(new String[] {"--batch", "5", "--incremental"}).number("batch", 1, 1, 10), 5L, "a number");
    Options options = new Options(new String[] {"--set", "a=1", "--parameters", "p.json", "--set", "b=2", "--seed", "7"});
    List<String> arguments = List.of("--set", "a=1", "--parameters", "p.json", "--set", "b=2", "--seed", "7");
    equal(options.workerArguments, arguments, "the options for the stream file, in their order");
    equal(WorkerSpec.command("run", "s.json", null, arguments).subList(1, 5), List.of("worker", "s.json", "--set", "a=1"), "command");
    equal(WorkerSpec.parameterFiles(arguments), Map.of("parameters-2.json", "p.json"), "files that travel with the job");
    fails(() -> new Options(new String[] {"--colour", "red"}), "unknown option '--colour'");
    fails(() -> new Options(new String[] {"--batch"}), "needs a value");
    fails(() -> new Options(new String[] {"--batch", "5x"}).number("batch", 1, 1, 10), "expected an integer from 1 to 10");
  }

  private static FrameReader read(int... bytes) throws IOException {
    byte[] data = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      data[i] = (byte) bytes[i];
    }
    FrameReader reader = new FrameReader();
    reader.read(new ByteArrayInputStream(data));
    return reader;
  }

  private static void equal(Object actual, Object expected, String subject) {
    count++;
    if (!java.util.Objects.equals(actual, expected)) {
      throw new AssertionError(subject + ": " + actual + "; expected " + expected);
    }
  }

  private interface Body {
    void run() throws Exception;
  }

  private static void fails(Body body, String text) {
    count++;
    try {
      body.run();
    } catch (Exception error) {
      String said = error.getMessage() + (error.getCause() == null ? "" : error.getCause().getMessage());
      if (!said.contains(text)) {
        throw new AssertionError("'" + said + "'; expected '" + text + "'");
      }
      return;
    }
    throw new AssertionError("no error; expected '" + text + "'");
  }
}
