package import CEL
package import StreamCore
internal import StreamEngine

/// Converts values to an input's declared type, with a fast check for records that already have it.
package struct RecordConversion {
  private let conversion: InputConversion
  /// The layout of most values.
  private var look: CachedTypeGuard

  package init(_ type: CELType) {
    conversion = InputConversion(type)
    look = CachedTypeGuard(type)
  }

  /// The type of its values.
  var type: CELType { conversion.type }

  /// The value, of the declared type.
  package func convert(_ value: Value) throws(InputConversion.Problem) -> Value { try conversion.convert(value) }

  /// Whether a value certainly is as converting would make it.
  package mutating func isConverted(_ value: Value) -> Bool { look.takes(value) }
}
