// The only part of Foundation that the lower layers use, for macOS as the target of the compiler.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
