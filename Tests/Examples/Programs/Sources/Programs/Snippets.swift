import Foundation
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit

#if canImport(SwiftUI)
import SwiftUI
#endif

/// Lines that every app writes. Each function has one of them, and a test calls it.
public enum Snippets {
  public static func sink(_ live: LiveStream, _ show: @escaping (Int) -> Void) -> AnyCancellable {
    live.publisher(of: Int.self, delivery: .immediate).failures(.log).sink { show($0) }
  }

  public final class Label: Sendable {
    @MainActor public var text = ""
    public init() {}
  }

  public final class Counter {
    @Published public var count = 0
    public var total = 0
    public init() {}

    public func assign(_ live: LiveStream) -> AnyCancellable {
      live.publisher(of: Int.self, delivery: .immediate).failures(.log).assign(to: \.total, on: self)
    }

    public func publish(_ live: LiveStream) {
      live.publisher(of: Int.self, delivery: .immediate).failures(.log).assign(to: &$count)
    }
  }

  public static func store(_ input: StreamInput<Int>, in tokens: inout Set<AnyCancellable>) {
    input.observe { _ in }.store(in: &tokens)
  }

  public static func complete(_ input: PassthroughInput<Int>) {
    input.send(completion: .finished)
  }

  public static func increment(_ input: StreamInput<Int>) {
    input.value += 1
  }

  public static func register(
    _ services: inout HostServices, _ label: Label, log: @escaping @Sendable (String) -> Void
  ) {
    services.function("answer") { 42 }
    services.function("sum") { (first: Int, second: Int) in first + second }
    services.function("log") { (text: String) in log(text) }
    services.function("reset") { log("reset") }
    services.hook("show", on: .shared) { (text: String) in label.text = text }
  }

  public static func changes(_ stream: ChangingStream) -> AnyPublisher<Int, StreamFailure> {
    stream.publisher(of: Int.self)
  }

  @MainActor public static func follow(_ stream: ChangingStream, _ label: Label) async throws {
    for try await total in stream.values(of: Int.self) { label.text = "\(total)" }
  }

  public static func save(_ live: LiveStream) async throws -> Data {
    try JSONEncoder().encode(try await live.state?.save())
  }

  public static func count(in value: Value) -> Int? {
    value["items"]?[0]?["count"]?.int
  }

  public static func name(in value: Value) -> String? {
    value["name"]?.string
  }

  public static func value(of content: some Encodable) throws -> Value {
    try Value(encoding: content)
  }

  public static func content<Content: Decodable>(of value: Value) throws -> Content {
    try value.decoded()
  }

  public static func item(of content: some Encodable) throws -> StreamItem {
    StreamItem(try Value(encoding: content))
  }

  public static func item(of number: Int) -> StreamItem {
    StreamItem(.int(Int64(number)))
  }

  public static func newest(_ live: LiveStream) -> StreamValues<Int> {
    live.values(of: Int.self, bufferingPolicy: .newest(1))
  }

  public static func second() -> StreamTime {
    StreamTime(.seconds(1))
  }

  public static func delay() -> [PlacedOperator] {
    [.delay(.seconds(1)), .debounce(.milliseconds(300))]
  }

  public static func removeInputs(of model: inout StreamModel) {
    model.inputs = [:]
  }

  public static func described(_ failure: StreamFailure) -> String {
    failure.localizedDescription
  }
}

#if canImport(SwiftUI)
/// The lines of SwiftUI.
@MainActor struct SnippetView: View {
  let model: StreamModel
  let live: LiveStream
  let problems: Diagnostics
  @StreamInput var name = ""
  @State private var total = 0

  var body: some View {
    VStack {
      TextField("Name", text: $name.binding)
      ForEach(Array(model.operators.enumerated()), id: \.offset) { Text($0.element.operator.name) }
      ForEach(problems.all) { Text($0.message) }
      Text("\(total)").onReceive(live.publisher(of: Int.self).failures(.log)) { total = $0 }
    }
  }
}
#endif
