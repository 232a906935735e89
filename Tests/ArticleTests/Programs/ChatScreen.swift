import StreamCombine
import StreamKit
import Testing

/// The German article's first screen, its logic in a file.
final class ChatScreen {
  @StreamInput var textInput = ""
  private(set) var isButtonDisabled = true
  private var subscription: AnyCancellable?

  init(_ streams: AppStreams) throws {
    subscription = try streams.publisher("event-pipelines/chat-button.json", inputs: ["textInput": $textInput])
      .assign(to: \.isButtonDisabled, onWeak: self)
  }
}

@Suite struct ChatScreenTests {
  @Test("The button wakes when a name has stood for a second")
  func button() throws {
    let time = VirtualScheduler()
    let screen = try ChatScreen(AppStreams(time))
    time.go(to: 500)
    for (pause, text) in [(0, "m"), (200, "mi"), (200, "mia")] {
      time.go(to: Int(time.now.nanoseconds / 1_000_000) + pause)
      screen.textInput = text
    }
    time.go(to: 1899)
    #expect(screen.isButtonDisabled)
    time.go(to: 1900)
    #expect(!screen.isButtonDisabled)
    screen.textInput = "👨‍👩‍👧ia"
    #expect(!screen.isButtonDisabled)
    time.go(to: 2900)
    #expect(screen.isButtonDisabled)
    #expect(screen.textInput == "👨‍👩‍👧ia")
  }

  @Test("A released screen ends, and later input has no effect")
  func release() throws {
    let time = VirtualScheduler()
    var screen: ChatScreen? = try ChatScreen(AppStreams(time))
    weak let released = screen
    let input = screen?.$textInput
    time.go(to: 100)
    screen?.textInput = "mia"
    screen = nil
    #expect(released == nil)
    input?.wrappedValue = "tom"
    time.go(to: 5000)
    #expect(input?.wrappedValue == "tom")
  }
}
