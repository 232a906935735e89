/// The arguments of the benchmarks.
struct Arguments {
  var isQuick = false
  var isOurs = false
  var isGrowth = false
  private var givenCount: Int?
  private var givenRounds: Int?
  private var names: [String] = []

  init(_ arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      switch argument {
      case "--quick": isQuick = true
      case "--ours": isOurs = true
      case "--growth": isGrowth = true
      case "--count": givenCount = Self.number(argument, iterator.next())
      case "--rounds": givenRounds = Self.number(argument, iterator.next())
      default: names.append(argument)
      }
    }
  }

  var count: Int { givenCount ?? (isQuick ? 100_000 : 1_000_000) }
  var rounds: Int { givenRounds ?? (isQuick ? 3 : 5) }

  func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains { name.hasPrefix($0) } }

  private static func number(_ option: String, _ text: String?) -> Int {
    guard let number = text.flatMap({ Int($0) }), number > 0 else { fatalError("\(option) needs a number above 0") }
    return number
  }
}
