internal import StreamCore
internal import Synchronization

/// Reads a file some pieces ahead, on a thread of its own, and the lines of them into rows where that is of use.
final class ReadAhead {
  private let work: Work
  private let thread: SystemThread
  /// The number of the piece that was given last.
  private var current: UInt8 = 0
  /// Whether the thread never waits for the file.
  let comesAtOnce: Bool

  /// How many pieces there are: one is read into, one is worked at, the others wait for that.
  private static let count: UInt8 = 4

  /// Goes on with a file; nil where no thread can be had.
  ///
  /// - Parameter chunk: what was read last, which is of no more use when `next` is asked for.
  init?(_ reader: ChunkReader, after chunk: LineChunk) {
    comesAtOnce = (try? reader.file.status().kind) == .regular
    let chunks = [chunk] + (1..<Self.count).map { _ in reader.makeChunk() }
    guard let work = Work(reader, chunks, waits: !comesAtOnce) else { return nil }
    for number in 1..<Self.count { work.empty.put(number) }
    guard let thread = SystemThread({ work.run() }) else {
      work.stop()
      work.close()
      return nil
    }
    (self.work, self.thread) = (work, thread)
  }

  /// Stops reading. What has been read is gone.
  deinit {
    work.stop()
    thread.join()
    work.close()
  }

  /// Can be read from when there is a piece.
  var signal: FileDescriptor { work.filled.reader }

  /// The piece that follows; the one before is gone then. Waits for it; nil where a signal has interrupted that.
  func next() -> LineChunk? {
    guard let number = work.filled.take() else { return nil }
    work.empty.put(current)
    current = number
    return work.chunks[Int(number)]
  }

  /// Reads lines by this plan from now on.
  func prepare(_ plan: RowPlan) { work.plan.withLock { $0 = plan } }

  /// What the thread has.
  ///
  /// `@unchecked`: a piece belongs to whoever has taken its number out of a pipe, and the reader to the thread.
  private final class Work: @unchecked Sendable {
    let chunks: [LineChunk]
    let filled: NumberPipe
    let empty: NumberPipe
    let plan = Mutex<RowPlan?>(nil)
    private var reader: ChunkReader
    private let waits: Bool
    private let isStopped = Atomic<Bool>(false)

    init?(_ reader: ChunkReader, _ chunks: [LineChunk], waits: Bool) {
      guard let filled = try? NumberPipe() else { return nil }
      guard let empty = try? NumberPipe() else {
        filled.close()
        return nil
      }
      (self.filled, self.empty) = (filled, empty)
      self.reader = reader
      self.chunks = chunks
      self.waits = waits
    }

    /// Makes the thread come to its end soon, wherever it waits.
    func stop() {
      isStopped.store(true, ordering: .releasing)
      empty.closeWriter()
    }

    /// Called when nobody uses it any more.
    func close() {
      filled.close()
      empty.closeReader()
    }

    func run() {
      while !isStopped.load(ordering: .acquiring) {
        guard let number = empty.take() else { continue }
        let chunk = chunks[Int(number)]
        guard fill(chunk) else { return }
        if let plan = plan.withLock({ $0 }) { chunk.readRows(by: plan) }
        // NB: looked at before it is handed over.
        let isEnd = chunk.isLast || chunk.failure != nil
        filled.put(number)
        if isEnd { return }
      }
    }

    /// Reads a piece: what is there, but whole lines; false where nobody wants it any more.
    private func fill(_ chunk: LineChunk) -> Bool {
      reader.begin(chunk)
      repeat {
        if waits, !Waiting.readable(reader.file, unlessClosed: empty.reader) { return false }
        if isStopped.load(ordering: .acquiring) { return false }
        reader.extend(chunk)
        if chunk.isLast || chunk.failure != nil { break }
      } while chunk.count == 0 || (chunk.end < reader.size && hasMore)
      reader.finish(chunk)
      return true
    }

    /// Whether more of the file is there already.
    private var hasMore: Bool { !waits || Waiting.isReadable(reader.file) }
  }
}
