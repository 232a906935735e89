import StreamCombine
import StreamCore
import StreamKit
import Testing

/// The French article's app: a stream is data, which is shown, changed and shown again.
final class StreamPlayer {
  var model: StreamModel
  private(set) var shown: [Int] = []
  private(set) var isPlaying = false
  private let scheduler: VirtualScheduler
  private var subscription: AnyCancellable?

  init(_ model: StreamModel, _ scheduler: VirtualScheduler) {
    self.model = model
    self.scheduler = scheduler
  }

  /// Plays the current model.
  func play() {
    shown = []
    isPlaying = true
    subscription = model.publisher(of: Int.self, scheduler: scheduler)
      .sink(
        receiveCompletion: { [weak self] _ in self?.isPlaying = false },
        receiveValue: { [weak self] in self?.shown.append($0) })
  }

  func stop() {
    subscription = nil
    isPlaying = false
  }
}

@Suite struct StreamPlayerTests {
  private let time = VirtualScheduler()

  @Test("An item that is added is played the next time, and nothing is compiled for it")
  func edited() throws {
    let player = StreamPlayer(try ArticleFiles.load("data-driven/serial-stream-a.json").model, time)
    player.play()
    time.go(to: 2500)
    #expect(player.shown == [1, 2])
    guard case .items(var items) = player.model.source else {
      Issue.record("the stream is a list of items")
      return
    }
    var five = items[0]
    five.value = 5
    items.append(five)
    player.model.source = .items(items)
    time.go(to: 3999)
    #expect(player.isPlaying)
    time.go(to: 4000)
    #expect(player.shown == [1, 2, 3, 4])
    #expect(!player.isPlaying)
    player.play()
    time.go(to: 9000)
    #expect(player.shown == [1, 2, 3, 4, 5])
    #expect(!player.isPlaying)
  }

  @Test("A stopped player publishes nothing")
  func stopped() throws {
    let player = StreamPlayer(try ArticleFiles.load("data-driven/serial-stream-a.json").model, time)
    player.play()
    time.go(to: 1000)
    player.stop()
    time.go(to: 9000)
    #expect(player.shown == [1])
  }
}
