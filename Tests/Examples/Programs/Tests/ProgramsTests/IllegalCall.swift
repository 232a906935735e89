import StreamKit
import Testing

/// A call of the interface with a wrong argument, and its documented result: a value, or the text of an error.
struct IllegalCall: Sendable, CustomTestStringConvertible {
  let name: String
  let result: String
  private let call: @Sendable () async throws -> Any

  /// - Parameters:
  ///   - name: The call and its argument.
  ///   - result: The description of the value, or that of the error.
  ///   - call: Returns the value.
  init(_ name: String, _ result: String, _ call: @escaping @Sendable () async throws -> Any) {
    self.name = name
    self.result = result
    self.call = call
  }

  var testDescription: String { name }

  /// Returns the code and the message of an error whose place is long.
  static func withoutPlace(_ body: () throws -> Any) throws -> Any {
    do {
      return try body()
    } catch let error as Diagnostics {
      return error.all.map { "\($0.code.rawValue): \($0.message)" }
    }
  }

  /// Returns the description of the value, or the first line of that of the error.
  func outcome() async -> String {
    do {
      return "\(try await call())"
    } catch {
      return String("\(error)".prefix { $0 != "\n" })
    }
  }
}
