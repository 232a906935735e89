/// A path into a JSON document, as RFC 6901 writes it: `/operators/2/filter`, empty for the whole document.
public struct JSONPointer: Hashable, Sendable {
  /// The unescaped steps, outermost first: member names, and array indices as decimal digits.
  public var tokens: [String]

  /// The pointer of these steps; without any, of the whole document.
  public init(_ tokens: [String] = []) { self.tokens = tokens }

  public static func + (lhs: JSONPointer, rhs: JSONPointer) -> JSONPointer {
    lhs.tokens.isEmpty ? rhs : JSONPointer(lhs.tokens + rhs.tokens)
  }

  /// The pointer one step further in.
  public func appending(_ token: String) -> JSONPointer {
    var longer: [String] = []
    longer.reserveCapacity(tokens.count + 1)
    longer += tokens
    longer.append(token)
    return JSONPointer(longer)
  }

  /// The pointer of an element of this array.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }
}
