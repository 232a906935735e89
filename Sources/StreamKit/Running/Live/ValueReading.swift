public import StreamCore
public import StreamEngine

/// Converts the values of a stream to a `Decodable` type.
///
/// A `Value` is passed unchanged, a type that a value can store directly is extracted, and everything else is decoded.
@_spi(Driving) public struct ValueReading<Output: Decodable>: Sendable {
  public init() {}

  /// - Throws: `S414` for a value that does not fit, with the path to the mismatch.
  public func read(_ value: Value) throws(StreamFailure) -> Output {
    // NB: the types are compared, so the bits are those of the type; a cast costs ten times as much.
    switch value {
    case .int(let number) where Output.self == Int.self:
      guard let number = Int(exactly: number) else { return try decode(value) }
      return unsafeBitCast(number, to: Output.self)
    case .double(let number) where Output.self == Double.self: return unsafeBitCast(number, to: Output.self)
    case .bool(let flag) where Output.self == Bool.self: return unsafeBitCast(flag, to: Output.self)
    case .string(let text) where Output.self == String.self: return unsafeBitCast(text, to: Output.self)
    case _ where Output.self == Value.self: return unsafeBitCast(value, to: Output.self)
    default: return try decode(value)
    }
  }

  private func decode(_ value: Value) throws(StreamFailure) -> Output {
    do throws(Diagnostic) {
      return try ValueDecoder().decode(Output.self, from: value)
    } catch {
      let place = error.pointer.tokens.isEmpty ? "" : " at \(error.pointer)"
      throw StreamFailure(
        .misfittingValue, "a value does not fit \(Output.self)\(place): \(error.message)", value: value)
    }
  }
}

/// Converts an `Encodable` type to the values of a stream.
@_spi(Driving) public struct ValueWriting<Content: Encodable>: Sendable {
  public init() {}

  /// - Throws: `S414` if the content cannot be encoded.
  public func write(_ content: Content) throws(StreamFailure) -> Value {
    if Content.self == Int.self { return .int(Int64(unsafeBitCast(content, to: Int.self))) }
    if Content.self == Double.self { return .double(unsafeBitCast(content, to: Double.self)) }
    if Content.self == Bool.self { return .bool(unsafeBitCast(content, to: Bool.self)) }
    if Content.self == String.self { return .string(unsafeBitCast(content, to: String.self)) }
    if Content.self == Value.self { return unsafeBitCast(content, to: Value.self) }
    do {
      return try ValueEncoder().encode(content)
    } catch EncodingError.invalidValue(_, let context) {
      throw StreamFailure(
        .misfittingValue, "a value of type \(Content.self) cannot be encoded: \(context.debugDescription)")
    } catch {
      throw StreamFailure(.misfittingValue, "a value of type \(Content.self) cannot be encoded: \(error)")
    }
  }
}
