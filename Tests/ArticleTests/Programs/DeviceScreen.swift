import StreamCombine
import StreamKit
import Testing

/// The Russian article's screen: a sensor on one side, three labels on the other.
final class DeviceScreen {
  struct Gravity: Codable, Sendable {
    var x = 0.0
    var y = -1.0
    var z = 0.0
  }

  let gravity = PassthroughInput<Gravity>()
  private(set) var frontalLabel: String?
  private(set) var lateralLabel: String?
  private(set) var positionLabel: String?
  private var subscriptions: Set<AnyCancellable> = []

  init(_ streams: AppStreams) throws {
    for (name, label) in [
      ("frontal", \DeviceScreen.frontalLabel), ("lateral", \.lateralLabel), ("position", \.positionLabel),
    ] {
      try streams.publisher("device-position/\(name)-label.json", of: String.self, inputs: ["gravity": gravity])
        .map(Optional.some)
        .assign(to: label, onWeak: self)
        .store(in: &subscriptions)
    }
  }
}

@Suite struct DeviceScreenTests {
  @Test("The labels follow the device a quarter of a second later")
  func labels() throws {
    let time = VirtualScheduler()
    let screen = try DeviceScreen(AppStreams(time))
    time.go(to: 100)
    var shown: [[String?]] = []
    for reading in [DeviceScreen.Gravity(), .init(x: 0.2), .init(x: 0.2, z: -0.3), .init(z: 0.3), .init()] {
      screen.gravity.send(reading)
      time.go(to: Int(time.now.nanoseconds / 1_000_000) + 249)
      shown.append([screen.frontalLabel, screen.lateralLabel, screen.positionLabel])
      time.go(to: Int(time.now.nanoseconds / 1_000_000) + 1)
      shown.append([screen.frontalLabel, screen.lateralLabel, screen.positionLabel])
    }
    let (upright, leaning) = ("It stands upright", "It does not stand upright")
    #expect(
      shown == [
        [nil, nil, nil], ["", "", upright],
        ["", "", upright], ["", "It leans to the right", leaning],
        ["", "It leans to the right", leaning], ["The top leans towards you", "It leans to the right", leaning],
        ["The top leans towards you", "It leans to the right", leaning], ["The top leans away", "", leaning],
        ["The top leans away", "", leaning], ["", "", upright],
      ])
  }
}
