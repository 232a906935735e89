package streamrun.flink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;
import org.apache.flink.connector.file.src.assigners.SimpleSplitAssigner;
import org.apache.flink.connector.file.src.enumerate.NonSplittingRecursiveEnumerator;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/**
 * The files of a source in the order of their paths, as one machine reads them.
 *
 * <p>Each file is read whole by one task. Its number is its place in this order, which decides between records of one key
 * with the same time, whichever tasks read them. It is stored with a checkpoint, so that it stays the same.
 */
final class OrderedFiles extends NonSplittingRecursiveEnumerator {
  /** The files below some paths, each with its place. */
  @Override
  public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int tasks) throws IOException {
    List<FileSourceSplit> files = new ArrayList<>(super.enumerateSplits(paths, tasks));
    files.sort(Comparator.comparing(file -> file.path().toString()));
    List<FileSourceSplit> placed = new ArrayList<>();
    for (FileSourceSplit file : files) {
      placed.add(new FileSourceSplit(String.format("%010d", placed.size() + 1), file.path(), file.offset(), file.length(),
          file.fileModificationTime(), file.fileSize(), file.hostnames()));
    }
    return placed;
  }

  static int place(FileSourceSplit file) {
    return Integer.parseInt(file.splitId());
  }

  /** Hands the files out in their order. */
  static FileSplitAssigner assigner(Collection<FileSourceSplit> files) {
    List<FileSourceSplit> sorted = new ArrayList<>(files);
    // The assigner takes from the end of its list.
    sorted.sort(Comparator.comparing((FileSourceSplit file) -> file.path().toString()).reversed());
    return new SimpleSplitAssigner(sorted);
  }

  /** Refuses files that no task can read, before the job starts. Those that only the cluster can see it checks itself. */
  static void check(Path... paths) {
    Collection<FileSourceSplit> files;
    try {
      files = new OrderedFiles().enumerateSplits(paths, 1);
    } catch (IOException elsewhere) {
      return;
    }
    byte[] first = new byte[Compression.BYTES];
    for (FileSourceSplit file : files) {
      String path = file.path().getPath();
      String form;
      try (FSDataInputStream stream = file.path().getFileSystem().open(file.path())) {
        form = Compression.of(first, stream.readNBytes(first, 0, first.length));
      } catch (IOException elsewhere) {
        continue;
      }
      if (form != null && !(form.equals(Compression.GZIP) && path.matches(".*\\.(gz|gzip)"))) {
        throw new Options.UsageError(Compression.refusal("the file '" + path + "'", form));
      }
    }
  }
}
