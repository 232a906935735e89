/// A JSON value together with its spelling, for insertion into a text.
///
/// ```swift
/// try editor.apply(.appendItem(JSONFragment(parsing: "1.50", name: "item")))
/// ```
public struct JSONFragment: Sendable {
  public let value: Value
  /// The value as a tree that keeps the spelling.
  package let node: JSONNode

  /// Creates a fragment with the spelling that `JSONWriter` gives the value.
  public init(_ value: Value) { self.init(value, node: JSONNode(value)) }

  /// Creates a fragment from a value and its spelling.
  package init(_ value: Value, node: JSONNode) {
    self.value = value
    self.node = node
  }

  /// Parses a fragment. Its numbers and escapes keep their spelling.
  ///
  /// - Parameters:
  ///   - text: The text of a JSON value.
  ///   - name: The name of the text in diagnostics.
  public init(parsing text: String, name: String) throws(Diagnostics) {
    let document = try JSONDocument(reading: text, file: name)
    self.init(document.value, node: JSONNode(document.root))
  }
}

/// Fragments are equal if their values and their spellings are equal.
extension JSONFragment: Hashable {}

extension JSONFragment: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self.init(.string(value)) }
  public init(integerLiteral value: Int64) { self.init(.int(value)) }
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
  public init(floatLiteral value: Double) { self.init(.double(value)) }
}
