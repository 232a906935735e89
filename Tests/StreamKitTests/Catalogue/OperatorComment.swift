import Foundation
import StreamKit

/// The source file of an operator or a source, with the doc comments that its spec determines.
struct OperatorComment {
  let spec: OperatorSpec
  let path: String
  /// The text of the file.
  let text: String
  /// The name of the struct with the fields.
  private let type: String

  /// - Parameter folder: `Operators` or `Sources`.
  init?(_ spec: OperatorSpec, in folder: String) {
    type = spec.name.prefix(1).uppercased() + spec.name.dropFirst()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/StreamKit/\(folder)")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let name = "\(type).swift"
    guard let file = files?.lazy.compactMap({ $0 as? URL }).first(where: { $0.lastPathComponent == name }),
      let text = try? String(contentsOf: file, encoding: .utf8)
    else { return nil }
    self.spec = spec
    self.text = text
    path = file.path
  }

  /// The text with the comments that the spec determines; nil if the struct or a property is missing.
  var expected: String? {
    var lines = text.components(separatedBy: "\n")
    let header = "  public struct \(type):"
    guard let start = lines.firstIndex(where: { $0.hasPrefix(header) }) else { return nil }
    // From the last field to the first: places before a change stay the same.
    var places: [(place: Int, comment: [String])] = []
    for field in spec.fields {
      let names = [field.name, "`\(field.name)`"].map { "    public var \($0): " }
      guard
        let place = lines[start...].firstIndex(where: { line in names.contains { line.hasPrefix($0) } })
      else { return nil }
      places.append((place, Self.wrapped(comment(of: field), indent: 4)))
    }
    for (place, comment) in places.sorted(by: { $0.place > $1.place }) {
      lines.replaceSubrange(Self.comment(before: place, in: lines), with: comment)
    }
    let old = Self.comment(before: start, in: lines)
    lines.replaceSubrange(old, with: comment(ofStruct: Array(lines[old])))
    return lines.joined(separator: "\n")
  }

  // MARK: Texts

  private func comment(of field: FieldSpec) -> String {
    [field.summary, detail(of: field), field.defaultText].compactMap(\.self).joined(separator: " ")
  }

  /// The range of a number, or the variables of an expression, in a sentence.
  private func detail(of field: FieldSpec) -> String? {
    switch field.kind {
    case .seconds, .number, .count:
      let range = spec.expectation(of: field)
      return range == "an integer" ? nil : range.prefix(1).uppercased() + range.dropFirst() + "."
    case .expression(let variables) where !variables.isEmpty:
      let names = variables.map { $0.hasPrefix("(") ? "the \($0.filter(\.isLetter))" : "`\($0)`" }
      return "\(names.count == 1 ? "Variable" : "Variables"): \(names.joined(separator: ", "))."
    default: return nil
    }
  }

  /// The summary, then the paragraphs of the author with the memory and complexity of the spec.
  private func comment(ofStruct old: [String]) -> [String] {
    let own = Array(old.drop { $0 != "  ///" })
    var lines = Self.without(["Memory"] + (spec.work == nil ? [] : ["Complexity"]), own)
    var items: [String] = []
    if let memory = spec.memory.text { items += Self.wrapped("- Memory: \(memory).", indent: 2) }
    if let work = spec.work { items += Self.wrapped("- Complexity: \(work)", indent: 2) }
    if !items.isEmpty {
      if let place = lines.firstIndex(where: { $0.hasPrefix("  /// - Failure:") || $0.hasPrefix("  /// - SeeAlso:") }) {
        lines.insert(contentsOf: items, at: place)
      } else if lines.contains(where: { $0.hasPrefix("  /// - Order:") || $0.hasPrefix("  /// - Time:") }) {
        lines += items
      } else {
        lines += ["  ///"] + items
      }
    }
    return Self.wrapped(spec.summary, indent: 2) + lines
  }

  // MARK: Lines

  /// The lines without the items of these names.
  private static func without(_ names: [String], _ lines: [String]) -> [String] {
    var kept: [String] = []
    var isItem = false
    for line in lines {
      let isContinued = isItem && line.hasPrefix("  ///   ")
      isItem = isContinued || names.contains { line.hasPrefix("  /// - \($0):") }
      if !isItem { kept.append(line) }
    }
    if kept.last == "  ///" { kept.removeLast() }
    return kept
  }

  /// The lines of the doc comment above a line.
  private static func comment(before place: Int, in lines: [String]) -> Range<Int> {
    var first = place
    while first > 0, lines[first - 1].drop(while: { $0 == " " }).hasPrefix("///") { first -= 1 }
    return first..<place
  }

  /// A paragraph, or an item of a list, as lines of a doc comment with at most 120 columns.
  private static func wrapped(_ text: String, indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent) + "///"
    let continuation = start + (text.hasPrefix("- ") ? "  " : "")
    var lines: [String] = []
    var line = start
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 120 {
        lines.append(line)
        line = continuation
      }
      line += " " + word
    }
    return lines + [line]
  }
}
