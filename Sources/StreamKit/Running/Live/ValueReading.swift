public import StreamCore
public import StreamEngine

/// Converts the values of a stream to a `Decodable` type.
@_spi(Driving) public struct ValueReading<Output: Decodable>: Sendable {
  private let coding: ValueCoding

  public init(_ coding: ValueCoding) { self.coding = coding }

  /// - Throws: `S414` for a value that does not fit, with the path to the mismatch.
  public func read(_ value: Value) throws(StreamFailure) -> Output {
    do throws(Diagnostic) {
      return try ValueDecoder(coding).decode(Output.self, from: value)
    } catch {
      let place = error.pointer.tokens.isEmpty ? "" : " at \(error.pointer)"
      throw StreamFailure(
        .misfittingValue, "a value does not fit \(Output.self)\(place): \(error.message)", value: value)
    }
  }
}

/// Converts an `Encodable` type to the values of a stream.
@_spi(Driving) public struct ValueWriting<Content: Encodable>: Sendable {
  private let coding: ValueCoding

  public init(_ coding: ValueCoding) { self.coding = coding }

  /// - Throws: `S414` if the content cannot be encoded.
  public func write(_ content: Content) throws(StreamFailure) -> Value {
    do {
      return try ValueEncoder(coding).encode(content)
    } catch EncodingError.invalidValue(_, let context) {
      throw StreamFailure(
        .misfittingValue, "a value of type \(Content.self) cannot be encoded: \(context.debugDescription)")
    } catch {
      throw StreamFailure(.misfittingValue, "a value of type \(Content.self) cannot be encoded: \(error)")
    }
  }
}
