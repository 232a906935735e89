import StreamCombine
import StreamKit
import Testing

/// The Chinese article's view model and the two that observe it: by tokens, and by a stream.
final class ProfileScreen {
  struct User: Codable, Sendable, Equatable {
    var name: String
  }

  /// One of these members is present.
  struct State: Codable, Sendable, Equatable {
    struct Nothing: Codable, Sendable, Equatable {}

    var isLoading: Nothing?
    var failed: String?
    var loaded: User?
  }

  struct Look: Codable, Equatable {
    var title: String
    var spinner: Bool
  }

  @StreamInput var state = State(isLoading: .init())
  private(set) var looks: [Look] = []
  private var subscription: AnyCancellable?

  init(_ streams: AppStreams) throws {
    subscription = try streams.publisher("observable-profile/screen.json", of: Look.self, inputs: ["state": $state])
      .sink(onWeak: self) { screen, look in screen.looks.append(look) }
  }
}

@Suite struct ProfileScreenTests {
  private let states = [
    ProfileScreen.State(loaded: .init(name: "Kim")), .init(loaded: .init(name: "Kim")), .init(failed: "offline"),
  ]

  @Test("The screen shows each state that is assigned, from the present one on")
  func looks() throws {
    let time = VirtualScheduler()
    let screen = try ProfileScreen(AppStreams(time))
    time.go(to: 0)
    for (number, state) in states.enumerated() {
      screen.state = state
      time.go(to: number + 1)
    }
    #expect(
      screen.looks == [
        .init(title: "", spinner: true), .init(title: "Kim", spinner: false), .init(title: "Kim", spinner: false),
        .init(title: "Sorry: offline", spinner: false),
      ])
  }

  @Test("A closure observes the property until its token is released")
  func token() throws {
    let screen = try ProfileScreen(AppStreams(VirtualScheduler()))
    let heard = Box<[ProfileScreen.State]>([])
    do {
      let token = screen.$state.observe { heard.content.append($0) }
      screen.state = states[0]
      token.cancel()
    }
    screen.state = states[2]
    #expect(heard.content == [.init(isLoading: .init()), states[0]])
  }
}

/// NB: touched by one thread.
private final class Box<Content>: @unchecked Sendable {
  var content: Content
  init(_ content: Content) { self.content = content }
}
