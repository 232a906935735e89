internal import CEL
internal import StreamCore
internal import StreamEngine

/// Assigns symbols to the values of a diagram.
///
/// A letter represents itself, a short string is quoted, and an int from 0 to 9 is drawn as its digit; every other
/// value has a letter in the legend, or a quoted name when the letters are used up.
struct MarbleSymbols {
  private(set) var legend: [MarbleRenderer.Drawing.Entry] = []
  /// By their JSON text: -0.0 is equal to 0.0.
  private var symbols: [String: String] = [:]
  /// The names in use, by the legend or by strings that represent themselves.
  private var taken: Set<String>
  private var letters: [Character]
  private var nextNumber = 1
  /// Preassigned symbols of values.
  private let preferred: [(key: String, value: Value)]

  /// NB: `m` and `s` are never bare symbols: after a digit they would be parsed as a duration, such as ` 1s `.
  private static let bare = "abcdefghijklnopqrtuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
  private static let digits = "0123456789"
  private static let longestText = 12

  /// - Parameters:
  ///   - values: All values to be drawn: a letter that represents itself is not assigned to another value.
  ///   - names: Preassigned symbols of values.
  init(for values: [Value], naming names: [String: Value] = [:]) {
    taken = Set(values.compactMap { if case .string(let text) = $0 { text } else { nil } })
    preferred = names.filter { [taken] name, _ in
      name.count == 1 && !taken.contains(name) && name.allSatisfy { Self.bare.contains($0) || Self.digits.contains($0) }
    }
    .sorted { $0.key < $1.key }
    taken.formUnion(preferred.map(\.key))
    letters = Self.bare.filter { [taken] in !taken.contains(String($0)) }.reversed()
  }

  /// Returns a value's symbol as written in the diagram.
  mutating func symbol(of value: Value) -> String {
    let text = JSONWriter.compact(value)
    if let known = symbols[text] { return known }
    let symbol = makeSymbol(of: value)
    symbols[text] = symbol
    return symbol
  }

  private mutating func makeSymbol(of value: Value) -> String {
    if let known = preferred.first(where: { $0.value.isEqual(to: value) }) { return enter(known.key, for: value) }
    if case .string(let text) = value {
      if text.count == 1, let letter = text.first, Self.bare.contains(letter) { return text }
      if text.utf8.count <= Self.longestText, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x27 }) {
        return "'\(text)'"
      }
    }
    if case .int(let number) = value, 0...9 ~= number, taken.insert(String(number)).inserted {
      return enter(String(number), for: value)
    }
    if let letter = letters.popLast() { return enter(String(letter), for: value) }
    while true {
      let name = "v\(nextNumber)"
      nextNumber += 1
      if taken.insert(name).inserted { return enter(name, for: value) }
    }
  }

  private mutating func enter(_ name: String, for value: Value) -> String {
    let symbol = name.count == 1 ? name : "'\(name)'"
    legend.append(MarbleRenderer.Drawing.Entry(symbol: symbol, name: name, value: value))
    return symbol
  }
}
