/// A path into a JSON document (RFC 6901), such as `/operators/2/filter`; empty for the whole document.
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/operators/0").appending("debounce")
/// let seconds = pointer.appending("seconds").description
/// ```
public struct JSONPointer: Sendable {
  /// The first tokens, which other pointers share; nil for none.
  private var beginning: Beginning?
  /// The tokens after these.
  private var rest: [String]

  /// The unescaped tokens, outermost first: member names, and array indices in decimal.
  public var tokens: [String] {
    get { beginning.map { $0.all + rest } ?? rest }
    set { (beginning, rest) = (nil, newValue) }
  }

  /// Creates a pointer from tokens; without tokens it refers to the whole document.
  public init(_ tokens: [String] = []) { rest = tokens }

  private init(_ beginning: Beginning?, _ rest: [String]) { (self.beginning, self.rest) = (beginning, rest) }

  public static func + (lhs: JSONPointer, rhs: JSONPointer) -> JSONPointer {
    if lhs.beginning == nil, lhs.rest.isEmpty { return rhs }
    let tokens = rhs.tokens
    return JSONPointer(lhs.beginning, lhs.rest.isEmpty ? tokens : lhs.rest + tokens)
  }

  /// Returns the pointer extended by one token.
  public func appending(_ token: String) -> JSONPointer {
    var longer: [String] = []
    longer.reserveCapacity(rest.count + 1)
    longer += rest
    longer.append(token)
    return JSONPointer(beginning, longer)
  }

  /// Returns the pointer to an element of the array at this pointer.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The same pointer, whose tokens are stored once for it and for all pointers that extend it.
  package var shared: JSONPointer { rest.isEmpty ? self : JSONPointer(Beginning(rest, after: beginning), []) }

  /// The pointer's text, as defined by RFC 6901.
  public var description: String { Self.text(of: rest, after: beginning?.text ?? "") }

  /// Tokens that several pointers begin with.
  fileprivate final class Beginning: Sendable {
    let outer: Beginning?
    let tokens: [String]
    /// The hash of the tokens, and of those of the outer ones.
    let hash: Int
    /// The text of these and of the outer ones.
    let text: String

    init(_ tokens: [String], after outer: Beginning?) {
      (self.tokens, self.outer) = (tokens, outer)
      hash = JSONPointer.hash(of: tokens, after: outer)
      text = JSONPointer.text(of: tokens, after: outer?.text ?? "")
    }

    var all: [String] {
      var parts = [tokens]
      var part = outer
      while let current = part {
        parts.append(current.tokens)
        part = current.outer
      }
      return Array(parts.reversed().joined())
    }
  }
}

// The tokens of long pointers are not joined to compare them.
extension JSONPointer: Hashable {
  /// Returns a hash that is the same wherever the beginning ends.
  private static func hash(of tokens: [String], after beginning: Beginning?) -> Int {
    tokens.reduce(beginning?.hash ?? 0) { $0 &* 31 &+ $1.hashValue }
  }

  private var tokenHash: Int { Self.hash(of: rest, after: beginning) }

  public static func == (lhs: JSONPointer, rhs: JSONPointer) -> Bool {
    if lhs.beginning === rhs.beginning { return lhs.rest == rhs.rest }
    guard lhs.tokenHash == rhs.tokenHash else { return false }
    var (left, right) = (ReversedTokens(lhs), ReversedTokens(rhs))
    while !left.isAtSamePlace(as: right) {
      guard let token = left.next(), token == right.next() else { return false }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(tokenHash) }

  /// The tokens, innermost first.
  private struct ReversedTokens {
    private var tokens: [String]
    /// How many of these follow.
    private var count: Int
    private var outer: Beginning?

    init(_ pointer: JSONPointer) {
      (tokens, outer) = (pointer.rest, pointer.beginning)
      count = tokens.count
    }

    /// Whether the tokens that follow are stored once for both.
    func isAtSamePlace(as other: ReversedTokens) -> Bool {
      count == 0 && other.count == 0 && outer === other.outer
    }

    mutating func next() -> String? {
      while count == 0 {
        guard let part = outer else { return nil }
        (tokens, count, outer) = (part.tokens, part.tokens.count, part.outer)
      }
      count -= 1
      return tokens[count]
    }
  }
}
