/// The structs and helpers that a Swift export has used so far and must print.
final class SwiftOutput {
  var records = SwiftRecords()
  private(set) var helpers: Set<SwiftHelper> = []
  private var recordsAsJSON: [SwiftRecord] = []

  func needs(_ helper: SwiftHelper) {
    guard helpers.insert(helper).inserted else { return }
    for other in helper.requirements { needs(other) }
  }

  /// A value of the struct becomes a `JSON` somewhere.
  func needsJSON(of record: SwiftRecord) {
    needs(.json)
    guard !recordsAsJSON.contains(record) else { return }
    recordsAsJSON.append(record)
    for field in record.fields { needsJSON(of: field.type) }
  }

  /// A value of the type becomes a `JSON` somewhere.
  func needsJSON(of type: SwiftType) {
    needs(.json)
    switch type {
    case .record(let record): needsJSON(of: record)
    case .list(let element): needsJSON(of: element)
    default: break
    }
  }

  /// The type that values of both have.
  func common(_ first: SwiftType, _ second: SwiftType) -> SwiftType {
    switch (first, second) {
    case (first, first): first
    case (.never, let other), (let other, .never): other
    case (.int, .double), (.double, .int): .double
    case (.list(let first), .list(let second)): .list(common(first, second))
    default: .json
    }
  }

  // MARK: Text

  /// The structs, followed by the helpers.
  var declarations: [String] {
    var parts = records.all.map(text)
    parts += SwiftHelper.allCases.filter(helpers.contains).map(\.code)
    if !recordsAsJSON.isEmpty { parts.append(conversions) }
    return parts
  }

  private func text(_ record: SwiftRecord) -> String {
    let fields = record.fields.map { "  var \($0.name): \($0.type.text)\n" }.joined()
    return "struct \(record.name): Codable, Equatable, Sendable {\n\(fields)}"
  }

  private var conversions: String {
    let initializers = recordsAsJSON.map { record in
      let members = record.fields.map { field in
        "\(SwiftLiteral.string(field.name)): \(Self.json("value.\(field.name)", field.type))"
      }
      return "  init(_ value: \(record.name)) {\n    self = [\(members.joined(separator: ", "))]\n  }\n"
    }
    return "extension JSON {\n\(initializers.joined(separator: "\n"))}"
  }

  /// Converts a typed value to `JSON`.
  ///
  /// - Parameter isTyped: Whether the code already has the type `JSON` from its context.
  static func json(_ code: String, _ type: SwiftType, isTyped: Bool = false) -> String {
    let array = isTyped ? "JSON.array" : ".array"
    return switch type {
    case .json: code
    case .list(.json), .list(.never): "\(array)(\(code))"
    case .list(let element): "\(array)(\(code).map { \(json("$0", element, isTyped: true)) })"
    default: "JSON(\(code))"
    }
  }
}
