package streamrun.flink;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.types.Row;

/**
 * Sources and sinks by their SQL: any connector of the cluster.
 *
 * <p>The table {@code input} has a column {@code line} or {@code value} with the record, as STRING or BYTES. With the
 * columns {@code key} (STRING or an integer) and {@code time} (TIMESTAMP_LTZ(3), or BIGINT in milliseconds) beside it,
 * these are the key and the time. The table {@code output} has one column, STRING or BYTES.
 */
final class Tables {
  /** The table {@code input} as a stream: of lines, or of records with their key and time. */
  static final class Input {
    DataStream<Tuple2<Integer, byte[]>> lines;
    DataStream<Tuple4<String, Long, byte[], Integer>> keyed;
    boolean isBounded;
    /** Whether the table declares a watermark, which its source follows. */
    boolean hasWatermark;
  }

  /** The sources of a table have no order: at one instant, the records of a key come as they arrive. */
  private static final Integer NO_PLACE = 0;

  private final StreamExecutionEnvironment execution;
  private final StreamTableEnvironment environment;
  private StreamStatementSet inserts;

  Tables(StreamExecutionEnvironment environment, int parallelism) {
    execution = environment;
    this.environment = StreamTableEnvironment.create(environment);
    this.environment.getConfig().set("table.exec.resource.default-parallelism", Integer.toString(parallelism));
  }

  /** Runs statements: a text, or {@code @file}. */
  void execute(String sql) throws Exception {
    String text = sql.startsWith("@") ? Files.readString(java.nio.file.Path.of(sql.substring(1))) : sql;
    for (String statement : Ddl.statements(text)) {
      String[] setting = Ddl.setting(statement);
      if (setting != null) {
        environment.getConfig().set(setting[0], setting[1]);
      } else {
        environment.executeSql(statement);
      }
    }
  }

  Input input() {
    Table table = table("input");
    checkFiles("input");
    List<String> columns = table.getResolvedSchema().getColumnNames();
    String line = columns.contains("line") ? "line" : "value";
    if (!columns.contains(line)) {
      throw new Options.UsageError("the table 'input' has no column 'line' or 'value'; its columns are " + columns);
    }
    if (columns.contains("key") != columns.contains("time")) {
      throw new Options.UsageError("the table 'input' has one of the columns 'key' and 'time'; expected both, or none");
    }
    int parallelismOfKeys = execution.getParallelism();
    DataStream<Row> rows = environment.toDataStream(columns.contains("key")
        ? environment.sqlQuery("SELECT `" + line + "`, `key`, `time` FROM `input`")
        : environment.sqlQuery("SELECT `" + line + "` FROM `input`"));
    // The planner makes the parallelism of tables that of everything that follows.
    execution.setParallelism(parallelismOfKeys);
    int parallelism = rows.getParallelism();
    Input input = new Input();
    input.hasWatermark = !table.getResolvedSchema().getWatermarkSpecs().isEmpty();
    input.isBounded = isBounded(rows.getTransformation());
    if (columns.contains("key")) {
      input.keyed = rows.map(row ->
              Tuple4.of(JsonText.key(row.getField(1)), nanos(row.getField(2)), bytes(row.getField(0)), NO_PLACE))
          .returns(Job.KEYED).name("rows").uid("rows").setParallelism(parallelism);
    } else {
      input.lines = rows.map(row -> Tuple2.of(NO_PLACE, line(row.getField(0)))).returns(LineFiles.TYPE)
          .name("rows").uid("rows").setParallelism(parallelism);
    }
    return input;
  }

  // Files of a table that no task can read are refused as those of file:PATH. A temporary table has no entry.
  private void checkFiles(String name) {
    Map<String, String> options = environment.getCatalog(environment.getCurrentCatalog()).map(catalog -> {
      try {
        return catalog.getTable(new ObjectPath(environment.getCurrentDatabase(), name)).getOptions();
      } catch (TableNotExistException temporary) {
        return Map.<String, String>of();
      }
    }).orElse(Map.of());
    if ("filesystem".equals(options.get("connector")) && options.containsKey("path")) {
      OrderedFiles.check(new Path(Job.uri(options.get("path"))));
    }
  }

  void output(DataStream<byte[]> values) {
    Table output = table("output");
    if (output.getResolvedSchema().getColumnCount() != 1) {
      throw new Options.UsageError("the table 'output' has the columns " + output.getResolvedSchema().getColumnNames()
          + "; expected one, 'line STRING'");
    }
    Class<?> type = output.getResolvedSchema().getColumnDataTypes().get(0).getLogicalType().getDefaultConversion();
    String name = output.getResolvedSchema().getColumnNames().get(0);
    boolean isText = type == String.class;
    TypeInformation<Row> rowType = Types.ROW_NAMED(new String[] {name},
        isText ? Types.STRING : PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
    DataStream<Row> rows = values.map(value -> Row.of(isText ? new String(value, StandardCharsets.UTF_8) : value))
        .returns(rowType).name("rows").uid("output-rows").setParallelism(values.getParallelism());
    inserts = environment.createStatementSet();
    inserts.addInsert("output", environment.fromDataStream(rows));
  }

  /** Adds the table sinks to the job. */
  void attach() {
    if (inserts != null) {
      inserts.attachAsDataStream();
    }
  }

  private Table table(String name) {
    for (String known : environment.listTables()) {
      if (known.equals(name)) {
        return environment.from(name);
      }
    }
    throw new Options.UsageError("the SQL creates no table '" + name + "'");
  }

  private static boolean isBounded(Transformation<?> transformation) {
    for (Transformation<?> part : transformation.getTransitivePredecessors()) {
      if (part instanceof WithBoundedness && ((WithBoundedness) part).getBoundedness() == Boundedness.CONTINUOUS_UNBOUNDED) {
        return false;
      }
    }
    return true;
  }

  private static byte[] line(Object value) {
    // An empty record is not JSON: the worker reports or skips it, as any other.
    return value == null ? new byte[0] : bytes(value);
  }

  private static byte[] bytes(Object value) {
    return value == null || value instanceof byte[] ? (byte[]) value : value.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static long nanos(Object time) {
    if (time == null) {
      return Times.NONE;
    }
    if (time instanceof Instant) {
      Instant instant = (Instant) time;
      return Times.nanos(instant.toEpochMilli()) + instant.getNano() % 1_000_000;
    }
    if (time instanceof LocalDateTime) {
      return nanos(((LocalDateTime) time).toInstant(ZoneOffset.UTC));
    }
    return Times.nanos(((Number) time).longValue());
  }
}
