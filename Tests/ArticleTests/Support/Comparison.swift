import StreamKit
import Testing

/// Plays a script to the file and to the publishers, and expects the same events, calls and hooks from both.
///
/// - Returns: the events of both.
@discardableResult
func compare(
  _ file: String, _ script: Script, note: String = "", at place: SourceLocation = #_sourceLocation,
  with build: (World) -> Void
) throws -> Heard {
  try compare(ArticleFiles.load(file), script, note: note, at: place, with: build)
}

@discardableResult
func compare(
  _ stream: StreamFile, _ script: Script, note: String = "", at place: SourceLocation = #_sourceLocation,
  with build: (World) -> Void
) throws -> Heard {
  let actual = try stream.run(script)
  let expected = World.run(script, build)
  #expect(
    actual == expected, "\(note)\n\(script)\nfile:       \(actual)\npublishers: \(expected)", sourceLocation: place)
  return actual
}
