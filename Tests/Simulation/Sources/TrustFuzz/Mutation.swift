import RepositoryFiles
import StreamTesting

/// Changes of JSON that know its structure, and changes of bytes that do not.
struct Mutation {
  var random: SeededGenerator

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: Structure

  /// Changes one value or member, anywhere.
  mutating func change(_ tree: JSONTree) -> JSONTree {
    var target = below(Self.count(tree))
    return change(tree, at: &target)
  }

  private static func count(_ tree: JSONTree) -> Int {
    switch tree {
    case .string, .literal: 1
    case .array(let elements): 1 + elements.reduce(0) { $0 + count($1) }
    case .object(let members): 1 + members.reduce(0) { $0 + count($1.value) }
    }
  }

  private mutating func change(_ tree: JSONTree, at target: inout Int) -> JSONTree {
    if target == 0 {
      target = -1
      return replaced(tree)
    }
    target -= 1
    switch tree {
    case .string, .literal: return tree
    case .array(var elements):
      for index in elements.indices where target >= 0 {
        if target == 0, below(3) == 0 {
          target = -1
          changeList(&elements, index)
          break
        }
        elements[index] = change(elements[index], at: &target)
      }
      return .array(elements)
    case .object(var members):
      for index in members.indices where target >= 0 {
        if target == 0, below(2) == 0 {
          target = -1
          changeMember(&members, index)
          break
        }
        members[index].value = change(members[index].value, at: &target)
      }
      return .object(members)
    }
  }

  private mutating func changeList(_ elements: inout [JSONTree], _ index: Int) {
    switch below(3) {
    case 0: elements.remove(at: index)
    case 1: elements.insert(elements[index], at: index)
    default: elements.reverse()
    }
  }

  private mutating func changeMember(_ members: inout [JSONTree.Member], _ index: Int) {
    switch below(5) {
    case 0: members.remove(at: index)
    case 1: members.append(members[index])
    case 2: members.append(JSONTree.Member(members[index].name, replaced(members[index].value)))
    case 3: members[index].name = text(members[index].name)
    default: members.append(JSONTree.Member(text(members[index].name), members[index].value))
    }
  }

  /// Replaces a value.
  private mutating func replaced(_ tree: JSONTree) -> JSONTree {
    switch below(12) {
    case 0: return pick([.literal("null"), .literal("true"), .literal("0"), .string(""), .array([]), .object([])])
    case 1...3: return .literal(pick(Self.numbers))
    case 4...6:
      if case .string(let old) = tree { return .string(text(old)) }
      return .string(text(""))
    case 7: return .array([tree, tree])
    case 8: return .object([.init("a", tree)])
    case 9:
      let depth = pick([10, 63, 64, 65, 1_000, 20_000])
      return .literal(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    case 10: return below(200) == 0 ? huge() : .array([])
    default: return .string(pick(Self.times))
    }
  }

  private mutating func huge() -> JSONTree {
    switch below(4) {
    case 0: .string(String(repeating: "a", count: 3_000_000))
    case 1: .array(Array(repeating: .literal("0"), count: 400_000))
    case 2: .object((0..<100_000).map { .init(String($0), .object([])) })
    default:
      .array((0..<20_000).map { .object([.init("keyid", .string(String($0, radix: 36))), .init("sig", .string(""))]) })
    }
  }

  private mutating func text(_ old: String) -> String {
    switch below(10) {
    case 0: return ""
    case 1: return old + "\0"
    case 2:
      return pick(["../../etc/passwd", "/", "..", ".", "a/../../b", "%2e%2e%2f", "C:\\x", "a//b", "team/../fraud.json"])
    case 3: return String(repeating: old.isEmpty ? "x" : old, count: 200)
    case 4: return old.uppercased()
    case 5: return old + pick([" ", "e\u{301}", "\u{FEFF}", "\u{202E}", "\u{1F600}", "\"", "\\", "\n"])
    case 6: return String(old.dropLast())
    case 7: return String(old.reversed())
    case 8: return pick(["root", "timestamp", "snapshot", "targets", "team", "1.0.0", "2.0.0", "1", "[*", "*", "[!-]"])
    default:
      var digits = Array(old.utf8)
      guard !digits.isEmpty else { return "0" }
      digits[below(digits.count)] = UInt8(ascii: "0") + UInt8(below(10))
      return String(decoding: digits, as: UTF8.self)
    }
  }

  private static let numbers = [
    "-1", "0", "1", "2", "3", "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775806",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808",
    "-0", "1.0", "1e3", "0.5", "1e400", "-1e-400", "01", "+1", "NaN", "Infinity", "0x10", "1e", ".5",
    String(repeating: "9", count: 5_000),
  ]

  private static let times = [
    "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2030-02-30T00:00:00Z",
    "2030-01-01T24:00:00Z", "2030-01-01T00:00:60Z", "2030-01-01T00:00:00+00:00", "2030-01-01 00:00:00Z",
    "2020-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "2030-13-01T00:00:00Z", "2030-01-01",
  ]

  // MARK: Bytes

  mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(below(256))) }
    let place = below(bytes.count)
    switch below(8) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes.removeSubrange(place...)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: Array(bytes[place...].prefix(40)), at: place)
    case 4: bytes[place] = UInt8(below(256))
    case 5: bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "["), count: pick([65, 200, 10_000])), at: place)
    case 6:
      bytes.insert(
        contentsOf: pick([[0], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF], [32, 10]]), at: place)
    default: bytes = Array(bytes[place...] + bytes[..<place])
    }
  }
}
