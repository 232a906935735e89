import StreamCombine
import StreamKit
import Testing

/// The code of StreamCombine's documentation, word for word.
@Suite struct GuideTests {
  final class Label {
    var text = ""
    @Published var published = ""
  }

  final class NameForm {
    @StreamInput var text = ""
    private(set) var isValid = false
    private var subscription: AnyCancellable?

    func follow(_ rules: StreamModel) throws {
      let stream = try LiveStream(rules, inputs: ["text": $text])
      subscription = stream.publisher(of: Bool.self).assign(to: \.isValid, onWeak: self)
    }
  }

  @Test("The README's form follows its rules on the main queue")
  @MainActor func nameForm() async throws {
    let form = NameForm()
    form.text = "Ada"
    try form.follow(
      StreamModel(
        parsing: """
          {"inputs": {"text": {"initialValue": ""}}, "source": {"input": {"name": "text"}},
           "operators": [{"map": {"expression": "value.size() > 2"}}]}
          """))
    #expect(!form.isValid)
    while !form.isValid { await Task.yield() }
    form.text = "A"
    while form.isValid { await Task.yield() }
  }

  @Test("The guide's publishers publish")
  func publishers() throws {
    let model = try StreamModel(
      parsing: """
        {"inputs": {"celsius": {"type": "double"}}, "source": {"input": {"name": "celsius"}},
         "operators": [{"map": {"expression": "value > 25.0 ? 'warm' : 'cool'"}}, {"removeDuplicates": {}}]}
        """)
    let thermometer = PassthroughInput<Double>()
    let label = Label()

    let publisher = model.publisher(of: String.self, inputs: ["celsius": thermometer])
    let subscription = publisher.assign(to: \.text, onWeak: label)
    subscription.cancel()

    let stream = try LiveStream(model, inputs: ["celsius": thermometer])

    stream.publisher(of: String.self).failures(.log).assign(to: &label.$published)
    #expect(label.published == "")

    let scheduler = VirtualScheduler()
    let timed = model.publisher(of: String.self, inputs: ["celsius": thermometer], scheduler: scheduler)

    let heard = timed.assign(to: \.text, onWeak: label)
    scheduler.run(through: scheduler.now) { true }
    thermometer.send(30)
    #expect(label.text == "")
    scheduler.run(through: scheduler.now) { true }
    #expect(label.text == "warm")
    heard.cancel()

    let readings = PassthroughSubject<Double, Never>()
    let fed = model.publisher(of: String.self, inputs: ["celsius": readings.streamFeed()])
    _ = fed

    let direct = model.publisher(
      of: String.self, inputs: ["celsius": readings.streamFeed()], scheduler: scheduler, delivery: .immediate
    ).assign(to: \.text, onWeak: label)
    readings.send(3)
    #expect(label.text == "cool")
    direct.cancel()
    readings.send(33)
    #expect(label.text == "cool")
  }

  @Test("A stream rewritten by hand, as the page Semantics shows, publishes what the file does")
  func byHand() throws {
    let numbers = PassthroughSubject<Int, any Error>()
    let stream = numbers.filter { $0 % 2 == 0 }.scan(0) { $0 + $1 }

    let model = try StreamModel(
      parsing: """
        {"inputs": {"numbers": {"type": "int"}}, "source": {"input": {"name": "numbers"}},
          "operators": [
            {"filter": {"expression": "value % 2 == 0"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}]}
        """)
    let feed = PassthroughInput<Int>()
    var (expected, actual): ([Int], [Int]) = ([], [])
    let byHand = stream.sink { _ in
    } receiveValue: {
      expected.append($0)
    }
    let ofFile = model.publisher(
      of: Int.self, inputs: ["numbers": feed], scheduler: VirtualScheduler(), delivery: .immediate
    ).sink { _ in
    } receiveValue: {
      actual.append($0)
    }
    for number in 1...6 {
      numbers.send(number)
      feed.send(number)
    }
    #expect(expected == [2, 6, 12])
    #expect(actual == expected)
    byHand.cancel()
    ofFile.cancel()
  }
}
