internal import StreamCore
internal import Synchronization

/// Reads pieces of a file ahead on a separate thread, and their lines into rows if that is useful.
final class ReadAhead {
  private let work: Work
  private let thread: SystemThread
  /// Number of the piece returned last.
  private var current: UInt8 = 0
  /// Whether the thread never waits for the file.
  let comesAtOnce: Bool

  /// Number of pieces: one is being read, one is in use, the others are waiting.
  private static let count: UInt8 = 4

  /// Continues reading a file; nil if no thread can be created.
  ///
  /// - Parameter chunk: The piece read last, which must not be used after `next` has been called.
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

  /// Stops reading. Unused pieces are discarded.
  deinit {
    work.stop()
    thread.join()
    work.close()
  }

  /// Can be read from when there is a piece.
  var signal: FileDescriptor { work.filled.reader }

  /// Waits for the next piece and returns it. Invalidates the previous one. Nil if a signal interrupts the wait.
  func next() -> LineChunk? {
    guard let number = work.filled.take() else { return nil }
    work.empty.put(current)
    current = number
    return work.chunks[Int(number)]
  }

  /// Reads lines by this plan from now on.
  func prepare(_ plan: RowPlan) { work.plan.withLock { $0 = plan } }

  /// The state of the thread.
  ///
  /// `@unchecked`: a piece belongs to the thread that has taken its number from a pipe, and the reader to the reading
  /// thread.
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

    /// Called when it is no longer used.
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
        // NB: Read before the piece is passed on, since this thread does not own it afterward.
        let isEnd = chunk.isLast || chunk.failure != nil
        filled.put(number)
        if isEnd { return }
      }
    }

    /// Reads a piece with at least one whole line. Returns false if it is no longer needed.
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
