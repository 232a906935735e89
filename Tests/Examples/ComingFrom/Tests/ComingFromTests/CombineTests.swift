import StreamCombine
import StreamKit
import Testing

/// The part on Combine.
@Suite("From Combine", .timeLimit(.minutes(1)))
struct CombineTests {
  private static let file = """
    {
      "inputs": { "query": { "type": "string" } },
      "source": { "input": { "name": "query" } },
      "operators": [
        { "filter": { "expression": "size(value) > 2" } },
        { "debounce": { "seconds": 0.3 } },
        { "removeDuplicates": {} }
      ]
    }
    """

  /// Types into a search box: a word, a longer one within the pause, and the same one again.
  private func type(_ scheduler: VirtualScheduler, _ send: (String) -> Void) {
    func wait(_ seconds: Double) { scheduler.run(through: scheduler.now.advanced(by: .seconds(seconds))) { true } }
    wait(0)
    for (text, pause) in [("fi", 0.1), ("fij", 0.1), ("fiji", 1), ("fiji", 1), ("tonga", 1), ("samoa", 0.1)] {
      send(text)
      wait(pause)
    }
  }

  @Test("A search box publishes the same")
  func searchBox() throws {
    var (theirs, ours): ([String], [String]) = ([], [])
    let scheduler = VirtualScheduler()
    do {
      let query = PassthroughSubject<String, Never>()
      let searches = query.filter { $0.count > 2 }
        .debounce(for: .seconds(0.3), scheduler: scheduler)
        .removeDuplicates()

      let token = searches.sink { theirs.append($0) }
      type(scheduler) { query.send($0) }
      query.send(completion: .finished)
      token.cancel()
    }
    do {
      let text = Self.file
      let query = PassthroughInput<String>()
      let stream = try LiveStream(StreamModel(checking: text), inputs: ["query": query])
      let searches = stream.publisher(of: String.self, scheduler: scheduler).failures(.log)

      let token = searches.sink { ours.append($0) }
      type(scheduler) { query.send($0) }
      query.send(completion: .finished)
      token.cancel()
    }
    #expect(theirs == ["fiji", "tonga"])
    #expect(ours == theirs)
  }

  private static let doubling = StreamModel(
    inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("value * 2")])

  @Test("Values are delivered in the scheduler's next turn, or with immediate delivery at once")
  func delivery() throws {
    let scheduler = VirtualScheduler()
    for (delivery, expected) in [(StreamDelivery.onScheduler, []), (.immediate, [2])] {
      let input = PassthroughInput<Int>()
      var values: [Int] = []
      let token = try LiveStream(Self.doubling, inputs: ["in": input])
        .publisher(of: Int.self, scheduler: scheduler, delivery: delivery).failures(.log).sink { values.append($0) }
      input.send(1)
      #expect(values == expected)
      scheduler.run(through: scheduler.now) { true }
      #expect(values == [2])
      token.cancel()
    }
  }

  @Test("An expression that fails, and an overflow, fail the stream")
  func failure() throws {
    let input = PassthroughInput<Int>()
    var code: String?
    let token = try LiveStream(Self.doubling, inputs: ["in": input]).publisher(of: Int.self, delivery: .immediate)
      .sink { completion in
        if case .failure(let failure) = completion { code = failure.code }
      } receiveValue: { _ in
      }
    input.send(.max)
    #expect(code == "S403")
    token.cancel()
  }

  /// Requests one value, and then none.
  private final class OneValue: Subscriber {
    var values: [Int] = []
    var code: String?

    func receive(subscription: any Subscription) { subscription.request(.max(1)) }
    func receive(_ value: Int) -> Subscribers.Demand {
      values.append(value)
      return .none
    }
    func receive(completion: Subscribers.Completion<StreamFailure>) {
      if case .failure(let failure) = completion { code = failure.code }
    }
  }

  @Test("Values without demand wait, and one too many fails the stream; a subject drops them")
  func demand() throws {
    let (subject, theirs) = (PassthroughSubject<Int, StreamFailure>(), OneValue())
    subject.subscribe(theirs)
    for number in 1...2_000 { subject.send(number) }
    #expect(theirs.values == [1])
    #expect(theirs.code == nil)

    let (input, ours) = (PassthroughInput<Int>(), OneValue())
    let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
    try LiveStream(model, inputs: ["in": input]).publisher(of: Int.self, delivery: .immediate).subscribe(ours)
    for number in 1...1_000 { input.send(number) }
    #expect(ours.code == nil)
    for number in 1...100 { input.send(number) }
    #expect(ours.values == [1])
    #expect(ours.code == "S409")
  }

  @Test("Each subscriber has a run of its own, and the receivers of a changing stream have one")
  func runs() async throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.scan(0, "acc + value")])
    let input = PassthroughInput<Int>()
    let stream = try LiveStream(model, inputs: ["in": input])
    var (first, second): ([Int], [Int]) = ([], [])
    var tokens: Set<AnyCancellable> = []
    let sums = stream.publisher(of: Int.self, delivery: .immediate).failures(.log)
    sums.sink { first.append($0) }.store(in: &tokens)
    input.send(1)
    sums.sink { second.append($0) }.store(in: &tokens)
    input.send(2)
    #expect(first == [1, 3])
    #expect(second == [2])

    let (other, running) = (PassthroughInput<Int>(), PassthroughInput<Int>())
    let changing = try ChangingStream(model, inputs: ["in": running])
    var early = changing.values(of: Int.self).makeAsyncIterator()
    running.send(1)
    let one = try await early.next()
    var late = changing.values(of: Int.self).makeAsyncIterator()
    running.send(2)
    let three = try await late.next()
    #expect(one == 1)
    #expect(three == 3)
    _ = other
  }
}
