#if canImport(Observation)
import Foundation
import Observation
import StreamCombine
import StreamKit

/// The model of an app that watches a temperature. A stream file decides which measurements are alarms.
@MainActor @Observable final class AlarmModel {
  /// An output of the rules.
  struct Reading: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var celsius: Double
    var highest: Double
    var isAlarm: Bool
    var room: String
  }

  let celsius = PassthroughInput<Double>()
  let limit = StreamInput(30.0)
  let isArmed = StreamInput(true)
  let settings = Settings()

  /// The newest readings, the newest first.
  private(set) var readings: [Reading] = []
  /// The error of the rules that were refused, or the failure of those that run.
  private(set) var problem: String?

  private var rules: String
  private let state: StreamState
  private let stream: ChangingStream

  /// Settings of the app, which the rules ask for by their function `room`.
  @MainActor @Observable final class Settings {
    var room = "Kitchen"
    /// The text in the status bar, which the rules write by their hook `show`.
    fileprivate(set) var status = ""
  }

  /// - Parameter saved: The contents of a former process.
  /// - Throws: The errors in the rules, or a saved state that is not theirs.
  init(rules: String, saved: Saved? = nil) throws {
    let rules = saved?.rules ?? rules
    self.rules = rules
    state = saved.map { StreamState(restoring: $0.state) } ?? StreamState()
    var services = HostServices()
    services.function("room") { @MainActor [settings] in settings.room }
    services.hook("show", on: .shared) { [settings] (reading: Reading) in
      settings.status = "\(reading.room): \(reading.celsius) °C"
    }
    stream = try ChangingStream(
      StreamModel(parsing: rules, file: "alarm.json"),
      inputs: ["celsius": celsius, "limit": limit, "isArmed": isArmed], services: services, state: state)
    if let saved {
      limit.value = saved.limit
      isArmed.value = saved.isArmed
      settings.room = saved.room
      readings = saved.readings
    }
  }

  /// Shows the readings while the task of a view runs.
  func follow() async {
    do {
      for try await reading in stream.values(of: Reading.self) { readings = [reading] + readings.prefix(99) }
    } catch {
      problem = "\(error)"
    }
  }

  /// The alarms, delivered in a task. A failure is that of `follow()`, too.
  var alarms: AnyPublisher<Reading, Never> {
    stream.publisher(of: Reading.self).failures(.log).filter(\.isAlarm).eraseToAnyPublisher()
  }

  /// Replaces the rules, for instance by a file that was downloaded, and keeps their state.
  func use(_ text: String) async {
    do {
      _ = try await stream.swap(to: StreamModel(parsing: text, file: "downloaded.json"))
      rules = text
      problem = nil
    } catch {
      problem = "\(error)"
    }
  }
}

// MARK: Background and relaunch

extension AlarmModel {
  /// The contents that outlive the process.
  struct Saved: Codable {
    var rules: String
    var limit: Double
    var isArmed: Bool
    var room: String
    var readings: [Reading]
    var state: Snapshot
  }

  /// Saves the model when the app goes to the background, where the system may end it.
  func save(to file: URL) async throws {
    let saved = Saved(
      rules: rules, limit: limit.value, isArmed: isArmed.value, room: settings.room, readings: readings,
      state: try await state.save())
    try JSONEncoder().encode(saved).write(to: file, options: .atomic)
  }

  /// Returns the model of the former process, or a new one if there is none, or if this version of the app cannot use
  /// its state.
  static func launch(rules: String, from file: URL) throws -> AlarmModel {
    if let saved = try? JSONDecoder().decode(Saved.self, from: Data(contentsOf: file)),
      let model = try? AlarmModel(rules: rules, saved: saved)
    {
      return model
    }
    return try AlarmModel(rules: rules)
  }
}
#endif
