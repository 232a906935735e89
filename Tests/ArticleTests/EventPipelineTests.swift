import StreamCombine
import StreamCore
import Testing

/// The German article: a chat's name, and the form for a new project.
@Suite struct EventPipelineTests {
  @Test("One value becomes a text")
  func timesThree() throws {
    try compare("event-pipelines/times-three.json", Script()) { world in
      world.listen(to: Just(5).map { "\($0 * 3)" }) { .string($0) }
    }
  }

  static let names = [
    "mia", "Max Müller", "1mia", "m", "mi", "", "Юля", "王小明", "e\u{301}va", "👨‍👩‍👧👍🏽x", "a👨‍👩‍👧", "_x_", "ⅷii", " mia",
    "ß12", "\u{301}ab", "ab\r\n", "x\u{200D}yz",
  ]

  @Test("A name as it is typed, and the button that hangs on it", arguments: names)
  func chatName(_ name: String) throws {
    let script = Script(["textInput": [(1, "m"), (500, .string(name)), (1500, .string(name)), (2501, "later")]])
    try compare("event-pipelines/chat-name.json", script, with: ChatNameModel.verifiedInput)
    try compare("event-pipelines/chat-button.json", script, with: ChatNameModel.button)
  }

  @Test("Names typed at random, with pauses about as long as the debounce", arguments: 0..<40 as Range<UInt64>)
  func chatNames(_ seed: UInt64) throws {
    var generator = ScriptGenerator(seed: seed)
    var present = ""
    for _ in 0..<6 {
      generator.type(
        generator.pick(Self.names), over: &present, in: "textInput", pauses: [0, 1, 40, 90, 300, 999, 1000, 1001])
      generator.wait([0, 500, 1000, 1500, 4000])
    }
    let script = generator.script
    let heard = try compare(
      "event-pipelines/chat-name.json", script, note: "seed \(seed)", with: ChatNameModel.verifiedInput)
    try compare("event-pipelines/chat-button.json", script, note: "seed \(seed)", with: ChatNameModel.button)
    #expect(!heard.events.isEmpty)
  }

  /// The fields of a project, each at its time.
  static func fields(
    type: [(Int, Value)] = [], address: [(Int, Value)] = [(0, "https://a.org")], name: [(Int, Value)] = [(0, "Trip")],
    password: [(Int, Value)] = [(0, "p")], answers: [Script.Answer] = [.value(["statusCode": 200])]
  ) -> Script {
    Script(
      ["projectType": type, "serverAddress": address, "projectName": name, "projectPassword": password],
      answers: ["session.response": answers])
  }

  static let forms: [(name: String, script: Script)] = [
    ("fields nobody touches", Script()),
    ("all at once", fields()),
    ("for iHateMoney", fields(type: [(0, "iHateMoney")], address: [])),
    ("a slow server", fields(answers: [.value(["statusCode": 404], after: 60_000)])),
    ("no server", fields(answers: [.failure("offline", after: 250)])),
    ("no answer of HTTP", fields(answers: [.value(["mimeType": "text/plain"], after: 250)])),
    ("nobody ever answers", fields(answers: [])),
    (
      "addresses of all kinds",
      fields(
        address: [
          (0, "https://"), (2000, "http://a"), (4000, "ftp://a"), (6000, "https://a b"), (8000, "https://a:80/x/y"),
          (10_000, "https://a:b"), (12_000, "https://a:1:2"), (14_000, "http:///x"), (16_000, "HTTPS://a.org"),
          (18_000, "https://a.org?x=1"), (20_000, "https://ä.org"), (22_000, "https://a.org/~me/_x.y-z/"),
          (24_000, "https://a:"), (26_000, "https://a.org/ "), (28_000, "https://a.org\n"), (30_000, "https://a.org"),
        ], answers: [200, 401, 404, 503, -1].map { .value(["statusCode": $0], after: 100) })
    ),
    (
      "a field emptied and filled again",
      fields(password: [(0, "p"), (2000, ""), (2500, "p"), (4000, ""), (6000, "p")])
    ),
    ("names that differ in their capitals alone", fields(name: [(0, "ÄB"), (2000, "äb"), (4000, "Äb"), (6000, "ac")])),
    (
      "toggled within the pause, at its end and behind it",
      fields(type: [(900, "iHateMoney"), (1899, "cospend"), (2899, "iHateMoney"), (3900, "cospend")])
    ),
    (
      "a later project is answered first",
      fields(
        name: [(0, "a"), (1500, "b")],
        answers: [.value(["statusCode": 404], after: 5000), .value(["statusCode": 200], after: 10)])
    ),
    (
      "an answer at the instant of the next project",
      fields(
        name: [(0, "a"), (2000, "b"), (4000, "c")],
        answers: [.value(["statusCode": 404], after: 2000), .value(["statusCode": 200], after: 2000)])
    ),
    (
      "an answer at the instant at which a field changes",
      fields(name: [(0, "a"), (3000, "b")], answers: [.value(["statusCode": 404], after: 2000)])
    ),
    (
      "two answers at one instant",
      fields(
        name: [(0, "a"), (2000, "b")],
        answers: [.value(["statusCode": 404], after: 3000), .value(["statusCode": 401], after: 1000)])
    ),
  ]

  @Test("The file's events equal the events of the article's view model", arguments: forms.indices)
  func form(_ index: Int) throws {
    for publisher in ProjectFormModel.publishers {
      let (name, form) = Self.forms[index]
      let script = Self.part(of: form, for: publisher.file)
      try compare(
        "event-pipelines/\(publisher.file).json", script, note: "\(publisher.file): \(name)", with: publisher.listen)
    }
  }

  @Test("Forms filled in at random")
  func randomForms() throws {
    for publisher in ProjectFormModel.publishers {
      var count = 0
      for seed in 0..<30 as Range<UInt64> {
        let script = Self.part(of: Self.randomForm(seed), for: publisher.file)
        let heard = try compare(
          "event-pipelines/\(publisher.file).json", script, note: "\(publisher.file), seed \(seed)",
          with: publisher.listen)
        count += heard.events.count
      }
      #expect(count > 30, "\(publisher.file) says something")
    }
  }

  /// The events of a form that a file receives: the address does not depend on name and password.
  static func part(of form: Script, for file: String) -> Script {
    guard file == "validated-address" else { return form }
    var script = form
    script.steps.removeAll { $0.input == "projectName" || $0.input == "projectPassword" }
    return script
  }

  static func randomForm(_ seed: UInt64) -> Script {
    var generator = ScriptGenerator(seed: seed)
    var address = ""
    var name = ""
    var password = ""
    let pauses = [0, 1, 40, 90, 200]
    for round in 0..<8 {
      let texts = ["https://a.org", "https://b.org/next", "http://a.org:8080", "a.org", "https://a.org "]
      let step = round < 3 ? round : generator.number(in: 0...3)
      switch step {
      case 0:
        generator.type(
          generator.pick(round < 3 ? Array(texts.prefix(2)) : texts), over: &address, in: "serverAddress",
          pauses: pauses)
      case 1: generator.type(generator.pick(["Trip", "trip", "ÇA"]), over: &name, in: "projectName", pauses: pauses)
      case 2: generator.type(generator.pick(["p", "pw"]), over: &password, in: "projectPassword", pauses: pauses)
      default:
        for _ in 0..<generator.number(in: 1...4) {
          generator.send(generator.pick(["cospend", "iHateMoney"]), to: "projectType")
          generator.wait([0, 1, 500, 999, 1000, 1001])
        }
      }
      generator.wait([0, 250, 999, 1000, 1001, 1500, 3000])
    }
    generator.answer("session.response", count: 5) { generator in
      let delay = generator.pick([0, 1, 250, 500, 1000, 1500, 3000, 8000])
      switch generator.number(in: 0...6) {
      case 0: return .failure("offline", after: delay)
      case 1: return .value([:], after: delay)
      default: return .value(["statusCode": generator.pick([200, 200, 401, 404, 503])], after: delay)
      }
    }
    return generator.script
  }
}
