package import StreamCore
internal import StreamFiles

/// Buffers the bytes of an output and writes them in large pieces.
///
/// NB: It is in the module of the writers. In another one, each of their accesses would be checked for exclusivity, which
/// takes a sixth of the time of a filter of lines.
package final class OutputBuffer: @unchecked Sendable {  // a command writes from one thread
  let sink: any OutputSink
  /// The bytes not yet written.
  @exclusivity(unchecked) package var bytes: [UInt8] = []
  /// Number of bytes in whole lines.
  @exclusivity(unchecked) private var complete = 0
  /// Whether the reader has closed the output; nothing is written afterward.
  private(set) var isClosed = false

  /// Number of buffered bytes at which the buffer is written.
  @exclusivity(unchecked) var threshold = capacity
  /// Called before the buffer is written; it may change the bytes.
  var beforeWriting: (() -> Void)?
  /// Whether the bytes may wait a moment; nil if they never do.
  var mayWait: (() -> Bool)?
  /// Called after the buffer has been written.
  var whenWritten: (() throws(RunStop) -> Void)?
  /// The buffers of the other outputs of the run, which are flushed and protected with this one.
  @exclusivity(unchecked) private(set) var others: [OutputBuffer] = []

  /// The largest number of bytes before the buffer is written.
  static let capacity = 64 * 1024

  /// Creates a buffer for a destination. Signal handlers write its complete lines if it is joined to one that they know.
  init(to sink: any OutputSink) {
    self.sink = sink
    bytes.reserveCapacity(Self.capacity + 4096)
  }

  /// Creates the buffer of standard output, which signal handlers write to.
  convenience init(_ file: FileDescriptor) {
    self.init(to: DescriptorSink(file, name: "<stdout>"))
    Interruption.protect(Unmanaged.passUnretained(self).toOpaque()) { address in
      Unmanaged<OutputBuffer>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.writeCompleteLines() }
    }
  }

  deinit { Interruption.release(Unmanaged.passUnretained(self).toOpaque()) }

  var isTerminal: Bool { sink.descriptor?.isTerminal == true }

  /// Flushes and protects another buffer with this one.
  func join(_ other: OutputBuffer) {
    if other !== self { others.append(other) }
  }

  /// Writes this buffer and those joined to it, except those whose bytes may wait.
  func flushAll() throws(RunStop) {
    if mayWait?() != true { try flush() }
    for other in others where other.mayWait?() != true { try other.flush() }
  }

  /// Writes the buffer if it is full. It must contain only complete values.
  @inline(__always)
  func flushIfFull() throws(RunStop) {
    complete = bytes.count
    if complete >= threshold { try flush() }
  }

  /// Writes the buffer, and nothing once that has failed.
  package func flush() throws(RunStop) {
    guard !bytes.isEmpty, !isClosed else { return }
    beforeWriting?()
    // From here on, a handler would not know how much has been written.
    complete = 0
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(RunStop) in try sink.write(buffer) }
    }
    bytes.removeAll(keepingCapacity: true)
    do throws(RunStop) {
      try result.get()
    } catch {
      isClosed = true
      throw error
    }
    if let whenWritten { try whenWritten() }
  }

  /// Writes the complete lines in the buffer. For signal handlers: allocates nothing and does not change the buffer.
  ///
  /// NB: When the buffer grows, the old bytes stay valid until they have been copied.
  func writeCompleteLines() {
    for other in others { other.writeCompleteLines() }
    guard !isClosed, let file = sink.descriptor else { return }
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(rebasing: buffer.prefix(complete))
      while !rest.isEmpty {
        guard let count = file.writeOnce(rest) else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  /// Continues with bytes that another process had not written.
  func restore(_ text: String) {
    bytes = Array(text.utf8)
    complete = bytes.count
  }

  func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text unchanged: data, and text with colors. A terminal obeys the control characters in it.
  package func append(raw text: String) {
    append(text)
    complete = bytes.count
  }

  /// Appends a line for people.
  package func appendLine(_ text: String) { append(raw: VisibleText.line(text) + "\n") }

  /// Appends lines for people.
  package func appendLines(_ text: String) { append(raw: VisibleText.lines(text)) }

  /// Appends the JSON of a value, and a line break.
  package func appendJSON(_ value: Value) { append(raw: VisibleText.json(JSONWriter.pretty(value)) + "\n") }
}
