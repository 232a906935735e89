@_spi(Engine) import StreamCore

extension FunctionCatalogue {
  /// cel-spec's encoders, and JSON and digests for streams.
  static let encoders: [Function] = [
    Function(
      "base64.encode", "The bytes encoded as base64", cost: .steps(perByte: 2), [.function([.bytes], .string)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .bytes(let bytes) = value else { throw .noOverload("base64.encode", value) }
        try activation.checkBytes((bytes.count + 2) / 3 * 4)
        return .string(Base64.text(bytes))
      }),
    Function(
      "base64.decode", "The bytes of a base64 string, with or without padding",
      cost: .steps(perByte: 1).plus(perCall: 40), [.function([.string], .bytes)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("base64.decode", value) }
        do throws(Diagnostic) {
          // The decoder would also accept the URL-safe alphabet.
          if text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            throw Diagnostic(.wrongType, "no base64")
          }
          return .bytes(try ValueDecoder().decode([UInt8].self, from: value))
        } catch {
          throw EvaluationError(.invalidConversion, "\(value.shortText) is not valid base64")
        }
      }),
    Function(
      "parseJSON", "The value of a JSON text", cost: .steps(perByte: 8), [.function([.string], .dyn)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("parseJSON", value) }
        var reader = JSONReader()
        do throws(JSONError) {
          return try reader.read(text)
        } catch {
          throw EvaluationError(.invalidConversion, "the string is not JSON: \(error.message)")
        }
      }),
    Function(
      "toJSON", "The value as JSON text", cost: .constant, [.function([.dyn], .string)],
      .one { (value, activation) throws(EvaluationError) in
        try value.checkSize(activation)
        let text: String
        do throws(Diagnostic) {
          text = try JSONWriter.text(of: value)
        } catch {
          throw EvaluationError(error.code, error.message)
        }
        try activation.checkBytes(text.utf8.count)
        return .string(text)
      }),
    Function(
      "sha256", "The SHA-256 of the bytes, or of the string's UTF-8 bytes, in lowercase hexadecimal digits",
      cost: .bytes(perStep: 1).plus(perCall: 120), [.function([.string], .string), .function([.bytes], .string)],
      .one { (value, activation) throws(EvaluationError) in
        var digest = ContentDigest()
        switch value {
        case .string(let text):
          digest.update(text)
        case .bytes(let bytes):
          digest.update(bytes)
        default: throw .noOverload("sha256", value)
        }
        try activation.checkBytes(64)
        return .string(digest.text)
      }),
  ]
}
