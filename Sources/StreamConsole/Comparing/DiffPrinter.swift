@_spi(Engine) internal import StreamCore
internal import StreamEditing
internal import StreamKit

/// Prints the differences between two stream files for people, without JSON pointers.
package struct DiffPrinter {
  let usesColors: Bool
  /// The most columns that a value takes on one line.
  private static let width = 88
  /// The most lines of a value that are shown.
  private static let height = 12

  /// The lines between two versions, with their names above them.
  func lines(_ diff: StreamDiff, old: StreamFile, new: StreamFile, names: (String, String)) -> [String] {
    var lines = header(names)
    let places = diff.changes.map { place(of: $0, old.document.value, new.document.value) }
    let width = min(60, places.map(\.count).max() ?? 0)
    for (change, place) in zip(diff.changes, places) {
      let padding = String(repeating: " ", count: max(0, width - place.count))
      lines.append(
        paint(Self.aligned(change.kind.rawValue), Self.color(of: change.kind))
          + "\(place)\(padding)  \(paint(Self.words(change.effect), Self.color(of: change.effect)))")
      lines += body(of: change)
    }
    if let type = diff.outputType {
      lines.append(VisibleText.line("\(Self.aligned("type"))the stream's values: \(type.old) → \(type.new)"))
    }
    return lines
  }

  /// The names of both versions.
  package func header(_ names: (String, String)) -> [String] {
    [paint("--- \(names.0)", .bold), paint("+++ \(names.1)", .bold)]
  }

  /// Returns a short description of an effect.
  static func words(_ effect: StreamChange.Effect) -> String {
    switch effect {
    case .noBehavior: "same behavior"
    case .stateKept: "state kept"
    case .structure: "structure"
    case .stateLost: "state lost"
    }
  }

  private func place(of change: StreamChange, _ old: Value, _ new: Value) -> String {
    let before = change.oldPointer.map { StreamPlace.words($0, in: old) }
    let after = change.newPointer.map { StreamPlace.words($0, in: new) }
    let words =
      change.kind == .moved ? "\(before ?? "") → \(after ?? "")" : after ?? before ?? ""
    return VisibleText.line(words)
  }

  private func body(of change: StreamChange) -> [String] {
    switch change.kind {
    case .moved: return []
    case .added: return change.newValue.map { signed("+", $0, indent: 2) } ?? []
    case .removed: return change.oldValue.map { signed("-", $0, indent: 2) } ?? []
    case .changed:
      let width = change.fields.map(\.name.count).max() ?? 0
      return change.fields.flatMap { field in
        var lines = field.old.map { signed("-", $0, indent: width + 4) } ?? []
        lines += field.new.map { signed("+", $0, indent: width + 4) } ?? []
        guard let first = lines.first else { return lines }
        let name = field.name + String(repeating: " ", count: width - field.name.count)
        lines[0] = Self.margin + "  " + VisibleText.line(name) + "  " + first.dropFirst(Self.margin.count + width + 4)
        return lines
      }
    }
  }

  /// A value over one or more lines, each with a sign in front.
  private func signed(_ sign: String, _ value: Value, indent: Int) -> [String] {
    let text = Self.text(of: value)
    var lines = text.count <= Self.width ? [text] : JSONWriter.pretty(value).split(separator: "\n").map(String.init)
    if lines.count > Self.height {
      lines = lines.prefix(Self.height - 1) + ["… \(lines.count - Self.height + 1) more lines"]
    }
    let margin = Self.margin + String(repeating: " ", count: indent)
    return lines.map { margin + paint("\(sign) \($0)", sign == "+" ? .green : .red) }
  }

  /// Returns a value for people: strings without quotation marks, unless they could be mistaken for another value.
  private static func text(of value: Value) -> String {
    guard case .string(let text) = value, !text.isEmpty, text.first != " ", text.last != " " else {
      return JSONWriter.compact(value)
    }
    var reader = JSONReader()
    return (try? reader.read(text)) == nil ? text : JSONWriter.compact(value)
  }

  /// Width of the column for the kind of a change.
  private static let kindWidth = 9
  private static let margin = String(repeating: " ", count: kindWidth)

  private static func aligned(_ kind: String) -> String {
    kind + String(repeating: " ", count: max(1, kindWidth - kind.count))
  }

  // MARK: Colors

  private enum Style: String {
    case plain = ""
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
    case boldRed = "1;31"
  }

  private static func color(of kind: StreamChange.Kind) -> Style {
    switch kind {
    case .added: .green
    case .removed: .red
    case .changed: .yellow
    case .moved: .cyan
    }
  }

  private static func color(of effect: StreamChange.Effect) -> Style { effect == .stateLost ? .boldRed : .plain }

  /// A text that is shown, in a color.
  private func paint(_ text: String, _ style: Style) -> String {
    let text = VisibleText.line(text)
    return usesColors && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
