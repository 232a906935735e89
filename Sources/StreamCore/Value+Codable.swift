/// Values through any coder.
///
/// Null, bools, ints, doubles, strings, lists and maps with text keys are coded as themselves. What JSON has no form
/// for is a map with one key: `{"$uint": "5"}`, `{"$bytes": base64}`, `{"$timestamp": RFC 3339}`, `{"$duration": "1.5s"}`,
/// `{"$double": "NaN"}`, and `{"$map": [[key, value], …]}` for a map with other keys, and for one that would look like
/// one of these. Opaque values are refused.
///
/// `ValueEncoder` and `ValueDecoder` pass values through as they are.
///
/// NB: a coder that writes `1.0` as `1`, as Foundation's does, gives back an int. `taggedForJSON` through `JSONWriter`
/// and `JSONReader` loses nothing.
extension Value: Codable {
  public func encode(to encoder: any Encoder) throws {
    try PlainValue(tagging(encoder.codingPath)).encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? PartDecoder {
      self = decoder.value
      return
    }
    let plain = try PlainValue(from: decoder).value
    do throws(Diagnostic) {
      self = try Value(taggedForJSON: plain)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  private func tagging(_ path: [any CodingKey]) throws -> Value {
    do throws(Diagnostic) {
      return try taggedForJSON
    } catch {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: path, debugDescription: error.message, underlyingError: error))
    }
  }
}
