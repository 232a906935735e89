import AsyncAlgorithms
import StreamKit
import StreamTesting
import Testing

/// The part on AsyncAlgorithms.
@Suite("From AsyncAlgorithms", .timeLimit(.minutes(1)))
struct AsyncAlgorithmsTests {
  private static let file = """
    {
      "inputs": { "celsius": { "type": "double" } },
      "source": { "input": { "name": "celsius" } },
      "operators": [
        { "nwise": { "count": 2 } },
        { "map": { "expression": "value[1] - value[0]" } },
        { "filter": { "expression": "value > 0.0" } },
        { "collect": { "count": 2 } }
      ]
    }
    """

  @Test("Rises of a temperature, in pairs, are the same")
  func rises() async throws {
    var (theirs, ours): ([[Double]], [[Double]]) = ([], [])
    let readings = [20.0, 21, 20.5, 22, 25, 24, 24.5]
    do {
      let celsius = readings.async
      let rises = celsius.adjacentPairs().map { $1 - $0 }.filter { $0 > 0 }.chunks(ofCount: 2)
      for await pair in rises { theirs.append(pair) }
    }
    do {
      let text = Self.file
      let celsius = PassthroughInput<Double>()
      let rises = try LiveStream(StreamModel(checking: text), inputs: ["celsius": celsius]).values(of: [Double].self)

      var iterator = rises.makeAsyncIterator()
      for reading in readings { celsius.send(reading) }
      celsius.finish()
      while let pair = try await iterator.next() { ours.append(pair) }
    }
    #expect(theirs == [[1, 1.5], [3, 0.5]])
    #expect(ours == theirs)
  }

  private func values<S: AsyncSequence>(of sequence: S) async rethrows -> [S.Element] {
    var values: [S.Element] = []
    for try await value in sequence { values.append(value) }
    return values
  }

  @Test("Debounce publishes the pending value at the end there, and drops it here unless it flushes")
  func debounce() async throws {
    let theirs = await values(of: [1, 2].async.debounce(for: .seconds(60)))
    #expect(theirs == [2])
    for (onFinish, expected) in [("drop", []), ("flush", [2])] {
      let model = try StreamModel(
        checking: """
          {"source": {"sequence": {"values": [1, 2]}},
           "operators": [{"debounce": {"seconds": 60, "onFinish": "\(onFinish)"}}]}
          """)
      let ours = try await values(of: model.values(of: Int.self))
      #expect(ours == expected)
    }
  }

  @Test("A channel suspends its sender; an input returns at once")
  func channel() async throws {
    let channel = AsyncChannel<Int>()
    let (sent, mail) = AsyncStream.makeStream(of: String.self)
    let sender = Task {
      await channel.send(1)
      mail.yield("sent")
    }
    await Task.yield()
    mail.yield("received")
    var iterator = channel.makeAsyncIterator()
    _ = await iterator.next()
    await sender.value
    mail.finish()
    let theirs = await values(of: sent)
    #expect(theirs == ["received", "sent"])

    let input = PassthroughInput<Int>()
    let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
    let live = try LiveStream(model, inputs: ["in": input])
    var kept = live.values(of: Int.self).makeAsyncIterator()
    for number in 1...1_024 { input.send(number) }
    input.finish()
    var count = 0
    while let number = try await kept.next() {
      count += 1
      #expect(number == count)
    }
    #expect(count == 1_024)

    let other = PassthroughInput<Int>()
    var overfull = try LiveStream(model, inputs: ["in": other]).values(of: Int.self).makeAsyncIterator()
    for number in 1...3_000 { other.send(number) }
    let failure = await #expect(throws: StreamFailure.self) {
      while try await overfull.next() != nil {}
    }
    #expect(failure?.code == "S409")
  }

  @Test("Merged values have the same order in every run")
  func merge() async throws {
    let model = try StreamModel(
      checking: """
        {"streams": {"b": {"source": {"sequence": {"values": [4, 5, 6]}}}},
         "source": {"sequence": {"values": [1, 2, 3]}}, "operators": [{"merge": {"with": ["b"]}}]}
        """)
    var runs: Set<[Int]> = []
    for _ in 0..<20 { runs.insert(try await values(of: model.values(of: Int.self))) }
    #expect(runs.count == 1)
    let theirs = await values(of: AsyncAlgorithms.merge([1, 2, 3].async, [4, 5, 6].async))
    #expect(Set(theirs) == Set(runs.first ?? []))
  }

  @Test("The other operators of the table do the same")
  func others() async throws {
    func ours<Element: Decodable & Sendable>(
      _ operators: String, of: Element.Type = Element.self
    ) async throws -> [Element] {
      let model = try StreamModel(
        checking: """
          {"streams": {"b": {"source": {"sequence": {"values": [7, 8]}}}},
           "source": {"sequence": {"values": [1, 1, 2, 3]}}, "operators": [\(operators)]}
          """)
      return try await values(of: model.values(of: Element.self))
    }
    let (a, b) = ([1, 1, 2, 3].async, [7, 8].async)

    let chained: [Int] = try await ours(#"{"append": {"with": ["b"]}}"#)
    let theirChained = await values(of: chain(a, b))
    #expect(chained == theirChained)

    let zipped: [[Int]] = try await ours(#"{"zip": {"with": ["b"]}}"#)
    let theirZipped = await values(of: zip(a, b)).map { [$0, $1] }
    #expect(zipped == theirZipped)

    let unique: [Int] = try await ours(#"{"removeDuplicates": {}}"#)
    let theirUnique = await values(of: a.removeDuplicates())
    #expect(unique == theirUnique)

    let reductions: [Int] = try await ours(#"{"scan": {"expression": "acc + value"}}"#)
    let theirReductions = await values(of: a.reductions { $0 + $1 })
    #expect(reductions == theirReductions)

    let seeded: [Int] = try await ours(#"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#)
    let theirSeeded = await values(of: a.reductions(0) { $0 + $1 })
    #expect(seeded == theirSeeded)

    let interspersed: [Int] = try await ours(#"{"intersperse": {"value": 0}}"#)
    let theirInterspersed = await values(of: a.interspersed(with: 0))
    #expect(interspersed == theirInterspersed)

    let chunks: [[Int]] = try await ours(#"{"collect": {"count": 3}}"#)
    let theirChunks = await values(of: a.chunks(ofCount: 3))
    #expect(chunks == theirChunks)

    let all: [[Int]] = try await ours(#"{"collect": {}}"#)
    let theirAll = await Array(a)
    #expect(all == [theirAll])
  }
}
