internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// Reads records of an input: JSON texts, converted to the declared type.
final class RecordReader {
  private let reader = JSONLineReader()
  @exclusivity(unchecked) private var conversion: RecordConversion?

  init(_ type: CELType) { conversion = type == .dyn ? nil : RecordConversion(type) }

  /// Returns a record; it is valid until the next one is read.
  ///
  /// - Throws: A diagnostic without a location.
  @inline(__always)
  func read(_ bytes: PaddedBytes) throws(Diagnostic) -> UnsafePointer<Value> {
    do throws(JSONError) {
      try reader.read(bytes)
    } catch {
      throw error.diagnostic(in: SourceText(file: "record", bytes: Array(bytes.bytes)))
    }
    if conversion != nil { try convert() }
    return reader.value
  }

  private func convert() throws(Diagnostic) {
    if conversion?.isConverted(reader.value.pointee) != false { return }
    do throws(InputConversion.Problem) {
      if let conversion { reader.replaceValue(by: try conversion.convert(reader.value.pointee)) }
    } catch {
      throw Diagnostic(
        .inputTypeMismatch,
        error.message + (error.tokens.isEmpty ? "" : ", at \(JSONPointer(error.tokens)) of the record"))
    }
  }
}
