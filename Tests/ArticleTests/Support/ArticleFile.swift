import Foundation
import StreamCore
import StreamEngine
import StreamKit

/// The stream files of the articles, and those that they name.
struct ArticleFiles: StreamLoader {
  /// `Streams/articles`.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Streams/articles", directoryHint: .isDirectory)

  /// All of them, as paths from the folder.
  static let all: [String] = {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") }.sorted()
  }()

  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    let folder = base.map { URL(filePath: $0).deletingLastPathComponent() } ?? Self.folder
    let file = folder.appending(path: path).standardizedFileURL
    guard let data = try? Data(contentsOf: file) else {
      throw Diagnostics([Diagnostic(.fileNotFound, "there is no file '\(file.path)'")])
    }
    return try StreamFile(try JSONDocument(reading: Array(data), file: path), identity: file.path)
  }

  static func load(_ path: String) throws -> StreamFile { try ArticleFiles().load(path, relativeTo: nil) }
}

extension StreamFile {
  /// The events of the stream when the script is played to it.
  func run(_ script: Script, host: ScriptedHost? = nil) throws -> Heard {
    let host = host ?? ScriptedHost(script)
    let pipeline = try compile(CompileOptions(loader: ArticleFiles(), host: .any))
    let execution = Execution(pipeline)
    for step in script.steps {
      guard let input = pipeline.input(named: step.input) else { throw UnknownInput(name: step.input) }
      execution.send(step.value, to: input, at: StreamTime(nanoseconds: Int64(step.time) * 1_000_000))
    }
    var calls: [Heard.Entry] = []
    var hooks: [Heard.Entry] = []
    let run = VirtualRun(
      execution,
      answer: { call in
        calls.append(Heard.Entry(time: execution.time.nanoseconds, what: .told(call.function, call.argument)))
        return host.answer(call.function, call.argument).map(VirtualRun.CallAnswer.init)
      },
      note: { note in
        hooks.append(Heard.Entry(time: execution.time.nanoseconds, what: .told(note.name, note.message)))
        host.hooks[note.name]?(note.message)
      })
    let history = run.run()
    return Heard(events: history.ofTheStream.events.map(Heard.Entry.init), calls: calls, hooks: hooks)
  }
}

/// A script feeds what the stream has not.
struct UnknownInput: Error {
  let name: String
}

extension VirtualRun.CallAnswer {
  fileprivate init(_ answer: Script.Answer) {
    self.init(
      answer.result.mapError { StreamFailure(payload: $0.error) },
      after: Interval(nanoseconds: Int64(answer.delay) * 1_000_000))
  }
}

extension Heard.Entry {
  fileprivate init(_ event: History.Event) {
    let what: Heard.What =
      switch event.event {
      case .value(let value): .value(value.withoutWords)
      case .failure(let failure): .failure(failure.errorValue.withoutWords)
      default: .finished
      }
    self.init(time: event.time.nanoseconds, what: what)
  }
}
