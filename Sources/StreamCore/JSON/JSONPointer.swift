/// A path into a JSON document (RFC 6901), such as `/operators/2/filter`; empty for the whole document.
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/operators/0").appending("debounce")
/// let seconds = pointer.appending("seconds").description
/// ```
public struct JSONPointer: Hashable, Sendable {
  /// The unescaped tokens, outermost first: member names, and array indices in decimal.
  public var tokens: [String]

  /// Creates a pointer from tokens; without tokens it refers to the whole document.
  public init(_ tokens: [String] = []) { self.tokens = tokens }

  public static func + (lhs: JSONPointer, rhs: JSONPointer) -> JSONPointer {
    lhs.tokens.isEmpty ? rhs : JSONPointer(lhs.tokens + rhs.tokens)
  }

  /// Returns the pointer extended by one token.
  public func appending(_ token: String) -> JSONPointer {
    var longer: [String] = []
    longer.reserveCapacity(tokens.count + 1)
    longer += tokens
    longer.append(token)
    return JSONPointer(longer)
  }

  /// Returns the pointer to an element of the array at this pointer.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }
}
