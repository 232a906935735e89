/// Reads JSON values one after another, such as the lines of an NDJSON file, without recording locations.
///
/// Objects with the same keys in the same order share their `Shape`, across texts too. The reader caches the shapes, so
/// use one reader for all lines of a file.
///
/// - Memory: The open arrays and objects of the most deeply nested text, and at most a few thousand keys.
@_spi(Engine) public struct JSONReader: Sendable {
  /// Limits on the size and nesting of a text.
  public var limits: JSONLimits
  private var workspace = JSONWorkspace()

  public init(limits: JSONLimits = JSONLimits()) { self.limits = limits }

  /// Returns the value of a text with exactly one value; skips a byte order mark at its start.
  public mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Value {
    // NB: An empty buffer may have no address; the parser never reads beyond `count`.
    guard let base = bytes.baseAddress else {
      throw JSONError(.emptyText, "the text is empty; expected JSON", bytes: 0..<0)
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

  /// Returns the value of a text with exactly one value.
  public mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Value {
    // The raw memory is bound to no other type while it is read.
    let result = bytes.withMemoryRebound(to: UInt8.self) { buffer in
      Result { () throws(JSONError) in try self.read(buffer) }
    }
    return try result.get()
  }

  /// Returns the value of a text with exactly one value.
  public mutating func read(_ bytes: [UInt8]) throws(JSONError) -> Value {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONError) in try self.read(buffer) }
    }
    return try result.get()
  }

  /// Returns the value of a text with exactly one value.
  public mutating func read(_ text: String) throws(JSONError) -> Value {
    try read(Array(text.utf8))
  }
}
