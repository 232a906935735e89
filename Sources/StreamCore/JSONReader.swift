/// Reads JSON values one after the other, as the lines of an NDJSON file; keeps no positions.
///
/// Objects with the same keys in the same order share their `Shape`, also from one text to the next: what has been
/// learnt about keys is kept in the reader, so use one reader for all lines of a file.
///
/// - Memory: what the largest text needed for its open lists and objects, and at most a few thousand keys.
public struct JSONReader: Sendable {
  /// How large and how deep a text may be.
  public var limits: JSONLimits
  private var workspace = JSONWorkspace()

  public init(limits: JSONLimits = JSONLimits()) { self.limits = limits }

  /// The value of a text that holds one value and white space; a byte order mark at its start is skipped.
  public mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Value {
    // NB: an empty buffer may have no address; the parser never reads beyond `count`.
    guard let base = bytes.baseAddress else {
      throw JSONError(.emptyText, "there is nothing here: expected JSON", bytes: 0..<0)
    }
    workspace.shapes.refresh()
    var parser = JSONParser(bytes, base: base, limits: limits, recorder: NoPositions())
    do throws(JSONError) {
      return try parser.parse(&workspace)
    } catch {
      workspace.frames.removeAll(keepingCapacity: false)
      workspace.values.removeAll(keepingCapacity: false)
      throw error
    }
  }

  /// The value of a text that holds one value and white space.
  public mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Value {
    // What is raw here is bound to nothing else while it is read.
    let result = bytes.withMemoryRebound(to: UInt8.self) { buffer in
      Result { () throws(JSONError) in try self.read(buffer) }
    }
    return try result.get()
  }

  /// The value of a text that holds one value and white space.
  public mutating func read(_ bytes: [UInt8]) throws(JSONError) -> Value {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONError) in try self.read(buffer) }
    }
    return try result.get()
  }

  /// The value of a text that holds one value and white space.
  public mutating func read(_ text: String) throws(JSONError) -> Value {
    try read(Array(text.utf8))
  }
}
