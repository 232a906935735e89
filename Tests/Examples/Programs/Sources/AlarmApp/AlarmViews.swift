#if canImport(SwiftUI)
import Foundation
import StreamCombine
import StreamKit
import SwiftUI

/// The app. In a project of its own it has the attribute `@main`.
struct AlarmApp: App {
  @State private var model = Self.launch()
  @Environment(\.scenePhase) private var scenePhase

  private static let file = URL.documentsDirectory.appending(path: "alarm-state.json")

  private static func launch() -> AlarmModel {
    do {
      guard let rules = Bundle.main.url(forResource: "alarm", withExtension: "json") else {
        preconditionFailure("the app has no rules")
      }
      return try AlarmModel.launch(rules: String(contentsOf: rules, encoding: .utf8), from: file)
    } catch {
      preconditionFailure("the rules of the app have errors: \(error)")
    }
  }

  var body: some Scene {
    WindowGroup {
      AlarmView(model: model)
    }
    .onChange(of: scenePhase) { _, phase in
      guard phase == .background else { return }
      Task {
        do {
          try await model.save(to: Self.file)
        } catch {
          UnhandledFailure.report(error)
        }
      }
    }
  }
}

/// A form whose controls are bound to inputs of the stream, and the list of its outputs.
struct AlarmView: View {
  let model: AlarmModel
  @StateObject private var uptime = UptimeModel()
  @State private var alarm: AlarmModel.Reading?
  @State private var address = "https://example.com/alarm.json"

  var body: some View {
    @Bindable var settings = model.settings
    Form {
      Section("Rules") {
        Toggle("Armed", isOn: model.isArmed.binding)
        Slider(value: model.limit.binding, in: 0...50)
        Text("An alarm above \(model.limit.value, specifier: "%.1f") °C")
        TextField("Room", text: $settings.room)
        TextField("New rules", text: $address)
        Button("Load") { load() }
        if let problem = model.problem { Text(problem).foregroundStyle(.red) }
      }
      Section("Measurements") {
        Button("Measure") { model.celsius.send(.random(in: 15...45)) }
        if let alarm { Text("Alarm \(alarm.id) in the room \(alarm.room)").bold() }
        ForEach(model.readings) { ReadingRow(reading: $0) }
      }
      Text("\(settings.status), for \(uptime.seconds) s")
    }
    .task { await model.follow() }
    .onReceive(model.alarms.receive(on: DispatchQueue.main)) { alarm = $0 }
  }

  private func load() {
    guard let url = URL(string: address) else { return }
    Task {
      let (data, _) = try await URLSession.shared.data(from: url)
      await model.use(String(decoding: data, as: UTF8.self))
    }
  }
}

struct ReadingRow: View {
  let reading: AlarmModel.Reading

  var body: some View {
    HStack {
      Text("\(reading.id)")
      Text(reading.celsius, format: .number)
      if reading.isAlarm { Image(systemName: "bell.fill") }
    }
  }
}

/// The seconds since the start, as an object from before Observation, with a stream made in Swift.
@MainActor final class UptimeModel: ObservableObject {
  @Published private(set) var seconds = 0

  init() {
    let clock = StreamModel(source: .timer(every: 1), operators: [.map("value + 1")])
    clock.publisher(of: Int.self).failures(.log).assign(to: &$seconds)
  }
}
#endif
