import StreamCore
import StreamTesting

/// A file with one list, and two versions of it in which elements are removed, moved, changed and added.
struct RandomEdits {
  let base: Value
  let ours: Value
  let theirs: Value
  /// The texts that each side has brought into its version, each in one element only.
  let news: [String]

  /// The list that is edited.
  enum List: CaseIterable {
    case operators, operatorsWithIDs, fewOperators, nestedOperators, items, tests
  }

  init(seed: UInt64) {
    var maker = Maker(
      generator: SeededGenerator(seed: seed), list: List.allCases[Int(seed % UInt64(List.allCases.count))])
    let old = maker.elements(Int.random(in: 1...6, using: &maker.generator))
    maker.news = []
    let (first, second) = (maker.edited(old), maker.edited(old))
    (base, ours, theirs) = (maker.file(old), maker.file(first), maker.file(second))
    // A side may take back what it has brought in.
    let text = JSONWriter.compact(.list(first)) + JSONWriter.compact(.list(second))
    news = maker.news.filter(text.contains)
  }

  private struct Maker {
    var generator: SeededGenerator
    let list: List
    var number = 100
    var news: [String] = []

    mutating func elements(_ count: Int) -> [Value] { (0..<count).map { _ in element() } }

    mutating func element() -> Value {
      number += 1
      let text = news(number)
      return switch list {
      case .items: ["value": .string(text)]
      case .tests: ["name": .string(text), "expect": ["values": []]]
      case .fewOperators: ["delay": ["seconds": .int(Int64.random(in: 1...2, using: &generator))]]
      case .operatorsWithIDs: ["id": .string("id\(number)"), "map": ["expression": .string(text)]]
      default:
        Bool.random(using: &generator)
          ? ["map": ["expression": .string(text)]] : ["filter": ["expression": .string(text)]]
      }
    }

    mutating func edited(_ old: [Value]) -> [Value] {
      var elements = old
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = elements.indices.randomElement(using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...1: elements.insert(element(), at: Int.random(in: 0...elements.count, using: &generator))
        case 2...3: if let place { elements.remove(at: place) }
        case 4...5:
          guard let place else { break }
          let moved = elements.remove(at: place)
          elements.insert(moved, at: Int.random(in: 0...elements.count, using: &generator))
        default: if let place { elements[place] = changed(elements[place]) }
        }
      }
      return elements
    }

    private mutating func changed(_ element: Value) -> Value {
      guard case .map(let map) = element else { return element }
      number += 1
      let name = list == .tests ? "description" : "label"
      if list == .items { return ["value": .string(news(number))] }
      let others = map.pairs.filter { $0.0 != .string(name) }
      return .map(ValueMap(others + [(.string(name), .string(news(number)))]))
    }

    private mutating func news(_ number: Int) -> String {
      if list != .fewOperators { news.append("new\(number)") }
      return "new\(number)"
    }

    func file(_ elements: [Value]) -> Value {
      switch list {
      case .items: ["stream": .list(elements)]
      case .tests: ["stream": [], "tests": .list(elements)]
      case .nestedOperators: ["stream": [], "operators": [["retryWhen": ["operators": .list(elements)]]]]
      default: ["stream": [], "operators": .list(elements)]
      }
    }
  }
}
