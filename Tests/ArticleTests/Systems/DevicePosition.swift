import StreamCombine
import StreamCore

/// The gravity that a sensor reads.
struct Acceleration {
  let x: Double
  let y: Double
  let z: Double

  init(_ value: Value) {
    func number(_ name: String) -> Double {
      guard case .map(let members) = value, case .double(let number)? = members[name] else { return 0 }
      return number
    }
    x = number("x")
    y = number("y")
    z = number("z")
  }
}

enum FrontalTilt: String {
  case tiltedDown, tiltedUp, notTilted

  var message: String {
    switch self {
    case .tiltedDown: "The top leans away"
    case .tiltedUp: "The top leans towards you"
    case .notTilted: ""
    }
  }
}

enum LateralTilt: String {
  case tiltedLeft, tiltedRight, notTilted

  var message: String {
    switch self {
    case .tiltedLeft: "It leans to the left"
    case .tiltedRight: "It leans to the right"
    case .notTilted: ""
    }
  }
}

enum DevicePosition: String {
  case vertical, notVertical

  var message: String {
    switch self {
    case .vertical: "It stands upright"
    case .notVertical: "It does not stand upright"
    }
  }
}

/// The Russian article's view model.
final class DevicePositionModel {
  @Published var frontalTilt: FrontalTilt?
  @Published var lateralTilt: LateralTilt?
  @Published var position: DevicePosition?

  let gravity = OrderedSubject<Acceleration>()

  private static let frontalThreshold = 0.25
  private static let lateralThreshold = 0.125

  init(_ scheduler: VirtualScheduler) {
    gravity
      .map { gravity -> FrontalTilt? in
        if gravity.z < -Self.frontalThreshold { return .tiltedUp }
        return gravity.z > Self.frontalThreshold ? .tiltedDown : .notTilted
      }
      .removeDuplicates()
      .debounce(for: .milliseconds(250), scheduler: scheduler)
      .assign(to: &$frontalTilt)

    gravity
      .map { gravity -> LateralTilt? in
        if gravity.x < -Self.lateralThreshold { return .tiltedLeft }
        return gravity.x > Self.lateralThreshold ? .tiltedRight : .notTilted
      }
      .removeDuplicates()
      .debounce(for: .milliseconds(250), scheduler: scheduler)
      .assign(to: &$lateralTilt)

    combinedLatest($frontalTilt, $lateralTilt)
      .compactMap { frontal, lateral -> DevicePosition? in
        guard let frontal, let lateral else { return nil }
        return frontal == .notTilted && lateral == .notTilted ? .vertical : .notVertical
      }
      .map(Optional.some)
      .assign(to: &$position)
  }
}

extension DevicePositionModel {
  /// The model with its sensor in the hands of a script.
  static func make(in world: World) -> DevicePositionModel {
    let model = DevicePositionModel(world.scheduler)
    world.keep(model)
    world.inputs["gravity"] = { [unowned model] in model.gravity.send(Acceleration($0)) }
    return model
  }

  /// The values of its properties and labels, by the file that publishes the same values.
  static let publishers: [(file: String, listen: @Sendable (World) -> Void)] = [
    (
      "frontal-tilt",
      { world in world.listen(to: make(in: world).$frontalTilt) { $0.map { .string($0.rawValue) } ?? .null } }
    ),
    (
      "lateral-tilt",
      { world in world.listen(to: make(in: world).$lateralTilt) { $0.map { .string($0.rawValue) } ?? .null } }
    ),
    (
      "position",
      { world in
        // The property is nil at first, which its label leaves out, as the file does.
        world.listen(to: make(in: world).$position.compactMap { $0 }) { .string($0.rawValue) }
      }
    ),
    (
      "frontal-label",
      { world in
        let label = make(in: world).$frontalTilt.compactMap { $0?.message }.receive(on: world.scheduler)
        world.listen(to: label) { .string($0) }
      }
    ),
    (
      "lateral-label",
      { world in
        let label = make(in: world).$lateralTilt.compactMap { $0?.message }.receive(on: world.scheduler)
        world.listen(to: label) { .string($0) }
      }
    ),
    (
      "position-label",
      { world in
        let label = make(in: world).$position.compactMap { $0?.message }.receive(on: world.scheduler)
        world.listen(to: label) { .string($0) }
      }
    ),
  ]
}

/// A notification that a text field has changed, as in the article's first example.
struct TextFieldNotification {
  let name: String
  let object: Value

  init(_ value: Value) {
    guard case .map(let members) = value else {
      name = ""
      object = .null
      return
    }
    name = members["name"]?.text ?? ""
    object = members["object"] ?? .null
  }

  /// The member of the object, nil where there is none or it is null.
  func text(_ member: String) -> String? {
    guard case .map(let members) = object, case .string(let text)? = members[member] else { return nil }
    return text
  }

  /// The label that repeats the field.
  static func label(_ world: World) {
    let notifications = PassthroughSubject<TextFieldNotification, Never>()
    world.inputs["notifications"] = { notifications.send(TextFieldNotification($0)) }
    let label =
      notifications
      .filter { $0.name == "textDidChange" && $0.text("id") == "textField" }
      .compactMap { $0.text("text") }
      .receive(on: world.scheduler)
    world.listen(to: label) { .string($0) }
  }
}
