internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The events of the inputs in a recording, and the version that received them.
struct Recording {
  /// The recorded version.
  let draft: Draft
  private let events: [RecordingReader.InputEvent]
  private let end: Double?

  /// Maximum number of events.
  private static let limit = 20_000

  init(_ path: String, _ folder: StudioFolder) throws(StudioProblem) {
    let place = try folder.file(path)
    do {
      let reader = try RecordingReader(place, Console.quiet())
      let stream = reader.header.stream
      // The recording of another machine names a file there: its stream is taken as one beside the recording.
      let file =
        folder.isInside(stream.identity)
        ? stream.identity : Path.join(Path.directory(of: place), Path.name(of: stream.identity))
      draft = Draft(path: folder.path(of: file), text: stream.text)
      events = try reader.inputEvents(limit: Self.limit)
      end = reader.end?.time.seconds
    } catch let error as Diagnostics {
      throw StudioProblem(error)
    } catch let error as RunStop {
      guard case .refused(let diagnostic, _) = error else {
        throw StudioProblem(.unprocessableContent, "the recording cannot be read")
      }
      throw StudioProblem(Diagnostics([diagnostic]))
    } catch {
      throw StudioProblem(.unprocessableContent, "the recording cannot be read")
    }
  }

  /// A run of a version on the events for the inputs that it has.
  func run(of open: OpenDraft, _ studio: Studio) throws(StudioProblem) -> DraftRun {
    let names = try DraftRun(open, feeding: [:], until: nil, studio).inputNames
    var scripts: [(String, StreamTest.EventScript)] = []
    for name in names {
      let fed = events.filter { $0.input == name }.compactMap { event -> Source.Record.Event? in
        switch event.event {
        case .value(let value): Source.Record.Event(at: event.time.seconds, .value(value))
        case .finished: Source.Record.Event(at: event.time.seconds, .finished)
        case .failure(let failure): Source.Record.Event(at: event.time.seconds, .failure(failure.errorValue))
        case .skipped, .call, .noted: nil
        }
      }
      if !fed.isEmpty { scripts.append((name, StreamTest.EventScript(.events(fed)))) }
    }
    return try DraftRun(open, feeding: Members(pairs: scripts), until: end, studio)
  }
}
