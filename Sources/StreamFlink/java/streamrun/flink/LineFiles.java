package streamrun.flink;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.impl.StreamFormatAdapter;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

/** The lines of files, each with the place of its file, which {@link OrderedFiles} has given it. */
final class LineFiles implements BulkFormat<Tuple2<Integer, byte[]>, FileSourceSplit> {
  private static final long serialVersionUID = 1;

  static final TypeInformation<Tuple2<Integer, byte[]>> TYPE =
      Types.TUPLE(Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final BulkFormat<byte[], FileSourceSplit> lines = new StreamFormatAdapter<>(new Lines());

  @Override
  public BulkFormat.Reader<Tuple2<Integer, byte[]>> createReader(Configuration configuration, FileSourceSplit file)
      throws IOException {
    return new PlacedReader(lines.createReader(configuration, file), OrderedFiles.place(file));
  }

  @Override
  public BulkFormat.Reader<Tuple2<Integer, byte[]>> restoreReader(Configuration configuration, FileSourceSplit file)
      throws IOException {
    return new PlacedReader(lines.restoreReader(configuration, file), OrderedFiles.place(file));
  }

  @Override
  public boolean isSplittable() {
    return false;
  }

  @Override
  public TypeInformation<Tuple2<Integer, byte[]>> getProducedType() {
    return TYPE;
  }

  private static final class PlacedReader implements BulkFormat.Reader<Tuple2<Integer, byte[]>> {
    private final BulkFormat.Reader<byte[]> reader;
    private final int place;

    PlacedReader(BulkFormat.Reader<byte[]> reader, int place) {
      this.reader = reader;
      this.place = place;
    }

    @Override
    public RecordIterator<Tuple2<Integer, byte[]>> readBatch() throws IOException {
      RecordIterator<byte[]> batch = reader.readBatch();
      return batch == null ? null : new PlacedBatch(batch, place);
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  private static final class PlacedBatch implements BulkFormat.RecordIterator<Tuple2<Integer, byte[]>> {
    private final BulkFormat.RecordIterator<byte[]> batch;
    private final int place;
    private final MutableRecordAndPosition<Tuple2<Integer, byte[]>> placed = new MutableRecordAndPosition<>();

    PlacedBatch(BulkFormat.RecordIterator<byte[]> batch, int place) {
      this.batch = batch;
      this.place = place;
    }

    @Override
    public RecordAndPosition<Tuple2<Integer, byte[]>> next() {
      RecordAndPosition<byte[]> line = batch.next();
      if (line == null) {
        return null;
      }
      placed.set(Tuple2.of(place, line.getRecord()), line.getOffset(), line.getRecordSkipCount());
      return placed;
    }

    @Override
    public void releaseBatch() {
      batch.releaseBatch();
    }
  }
}
