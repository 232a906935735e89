import StreamCore
import Testing

/// The Russian article: a label over a text field, and how a device is held.
@Suite struct DevicePositionTests {
  static func gravity(_ x: Double, _ z: Double) -> Value { ["x": .double(x), "y": -1.0, "z": .double(z)] }

  static let readings: [(name: String, script: Script)] = [
    ("no reading", Script()),
    ("upright", Script(["gravity": [(0, gravity(0, 0))]])),
    (
      "the thresholds themselves",
      Script(["gravity": [(1, gravity(0.125, 0.25)), (600, gravity(-0.125, -0.25)), (1200, gravity(0.126, -0.251))]])
    ),
    (
      "both sides at one instant, back one after the other",
      Script([
        "gravity": [(0, gravity(0, 0)), (1000, gravity(-0.5, 0.5)), (2000, gravity(-0.5, 0)), (2100, gravity(0, 0))]
      ])
    ),
    (
      "a change at the very end of the pause",
      Script(["gravity": [(0, gravity(0, 0)), (250, gravity(0.5, 0)), (499, gravity(0, 0)), (749, gravity(0.5, 0.5))]])
    ),
    (
      "a tilt that comes and goes",
      Script(["gravity": [(0, gravity(0, 0)), (1000, gravity(0, 0.5)), (1200, gravity(0, 0))]])
    ),
  ]

  @Test("Tilts, position and labels are those of the article's view model", arguments: readings.indices)
  func held(_ index: Int) throws {
    for publisher in DevicePositionModel.publishers {
      let (name, script) = Self.readings[index]
      try compare(
        "device-position/\(publisher.file).json", script, note: "\(publisher.file): \(name)", with: publisher.listen)
    }
  }

  @Test("A device that is turned about at random", arguments: 0..<24 as Range<UInt64>)
  func turned(_ seed: UInt64) throws {
    var generator = ScriptGenerator(seed: seed)
    var (x, z) = (0.0, 0.0)
    for _ in 0..<60 {
      x = generator.pick([x, x, x, 0, 0.125, -0.125, 0.2, -0.2])
      z = generator.pick([z, z, z, 0, 0.25, -0.25, 0.3, -0.3])
      generator.send(Self.gravity(x, z), to: "gravity")
      generator.wait([0, 1, 16, 17, 17, 100, 249, 250, 251, 600])
    }
    for publisher in DevicePositionModel.publishers {
      let heard = try compare(
        "device-position/\(publisher.file).json", generator.script, note: "\(publisher.file), seed \(seed)",
        with: publisher.listen)
      #expect(!heard.events.isEmpty)
    }
  }

  @Test("A label repeats its text field", arguments: 0..<20 as Range<UInt64>)
  func textField(_ seed: UInt64) throws {
    var generator = ScriptGenerator(seed: seed)
    for _ in 0..<30 {
      let id: Value = generator.pick(["textField", "textField", "another"])
      let text: Value = generator.pick(["", "a", "ab", "ab", .null])
      let field: Value = generator.number(in: 0...3) > 0 ? ["id": id, "text": text] : ["id": id]
      let name: Value = generator.pick(["textDidChange", "textDidChange", "didBeginEditing"])
      generator.send(["name": name, "object": field], to: "notifications")
      generator.wait([0, 1, 80])
    }
    let heard = try compare(
      "device-position/text-field.json", generator.script, note: "seed \(seed)", with: TextFieldNotification.label)
    #expect(!heard.events.isEmpty)
  }
}
