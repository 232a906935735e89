import StreamCombine
import StreamCore
import Testing

/// The Chinese article: a published state, and who observes it.
@Suite struct ObservableProfileTests {
  /// States that are assigned at random times.
  static func assignments(_ seed: UInt64) -> Script {
    var generator = ScriptGenerator(seed: seed)
    for _ in 0..<10 {
      generator.wait([0, 1, 500])
      let states: [ProfileModel.State] = [.isLoading, .failed("offline"), .loaded(name: "Kim"), .loaded(name: "")]
      generator.send(generator.pick(states).value, to: "state")
    }
    return generator.script
  }

  static let seeds = 0..<20 as Range<UInt64>

  @Test("An observer of the property receives its state, then each assigned state", arguments: seeds)
  func published(_ seed: UInt64) throws {
    let heard = try compare("observable-profile/state.json", Self.assignments(seed)) { world in
      world.listen(to: ProfileModel.make(in: world).$state, as: \.value)
    }
    #expect(heard.events.count == 11)
  }

  @Test("So does one of the wrapper without Combine", arguments: seeds)
  func observed(_ seed: UInt64) throws {
    try compare("observable-profile/state.json", Self.assignments(seed)) { world in
      let model = ProfileModel.make(in: world)
      world.keep(model.$observedState.observe { [unowned world] in world.say($0.value) })
    }
  }

  @Test("Code notified before the property changes reads the old state", arguments: seeds)
  func beforeChange(_ seed: UInt64) throws {
    try compare("observable-profile/state-before-change.json", Self.assignments(seed)) { world in
      let model = ProfileModel.make(in: world)
      world.inputs["state"] = { [unowned model] in model.state = .init($0) }
      world.listen(to: model.objectWillChange.map { [unowned model] in model.state }, as: \.value)
    }
  }

  @Test("The wrapper over a subject publishes assignments from now on", arguments: seeds)
  func heralded(_ seed: UInt64) throws {
    let heard = try compare("observable-profile/state-from-now-on.json", Self.assignments(seed)) { world in
      world.listen(to: ProfileModel.make(in: world).$heraldedState, as: \.value)
    }
    #expect(heard.events.count == 10)
  }

  @Test("A view shows each state", arguments: seeds)
  func rendered(_ seed: UInt64) throws {
    try compare("observable-profile/screen.json", Self.assignments(seed)) { world in
      world.listen(to: ProfileModel.make(in: world).$state, as: \.rendered)
    }
  }

  @Test("An observation ends when its token is released")
  func token() {
    let model = ProfileModel()
    var count = 0
    do {
      let token = model.$observedState.observe { _ in count += 1 }
      model.observedState = .failed("a")
      token.cancel()
      model.observedState = .failed("b")
    }
    var second: Observed<ProfileModel.State>.Token? = model.$observedState.observe { _ in count += 10 }
    model.observedState = .failed("c")
    second = nil
    model.observedState = .failed("d")
    #expect(count == 22)
    #expect(second == nil)
  }
}
