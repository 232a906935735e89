/// Named elements in the order of the file: the inputs or the streams of a model.
///
/// ```swift
/// model.inputs["name"] = InputDeclaration(type: .string, initialValue: "")
/// for (name, input) in model.inputs { lines.append("\(name): \(input.declaredType)") }
/// ```
///
/// Assigning to a new name appends an element; assigning nil removes one. The order only affects writing: values with
/// the same elements in another order are equal.
///
/// - Complexity: O(1) for access by name, O(n) for removal.
public struct Members<Content: Hashable & Sendable>: Hashable, Sendable {
  /// The names in the order of the file.
  public private(set) var names: [String] = []
  private var elements: [String: Content] = [:]

  public init() {}

  /// The element with a name; nil if there is none.
  public subscript(name: String) -> Content? {
    get { elements[name] }
    set {
      switch (elements[name] != nil, newValue != nil) {
      case (false, true): names.append(name)
      case (true, false): names.removeAll { $0 == name }
      default: break
      }
      elements[name] = newValue
    }
  }

  /// Returns the same names with transformed elements.
  func mapValues<Result: Hashable & Sendable>(_ transform: (Content) -> Result) -> Members<Result> {
    var result = Members<Result>()
    for (name, element) in self { result[name] = transform(element) }
    return result
  }

  /// Removes all members.
  public mutating func removeAll() { self = [:] }

  public static func == (first: Members, second: Members) -> Bool { first.elements == second.elements }

  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension Members: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { names.count }

  /// The name and the element at a position, from 0 in the order of the file.
  public subscript(position: Int) -> (name: String, element: Content) {
    let name = names[position]
    guard let element = elements[name] else { preconditionFailure("every name has an element") }
    return (name, element)
  }
}

extension Members: ExpressibleByDictionaryLiteral {
  /// Creates elements from pairs; the last one counts if a name is repeated.
  public init(dictionaryLiteral elements: (String, Content)...) {
    for (name, element) in elements { self[name] = element }
  }
}

extension Members {
  /// Creates elements from pairs; the last one counts if a name is repeated.
  package init(pairs: some Sequence<(String, Content)>) {
    for (name, element) in pairs { self[name] = element }
  }
}
