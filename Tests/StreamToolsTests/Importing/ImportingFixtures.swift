import StreamCore
import StreamKit
import StreamTools
import TestSupport

/// Imports JSON text.
func imported(_ text: String) throws -> [ImportedStream] {
  let streams = try PlaygroundImporter().read(json(text))
  // Every imported file can be read and compiled.
  for stream in streams { _ = try StreamModel(json: stream.model).compile() }
  return streams
}

/// Imports JSON text that cannot be, and gives what is wrong with it.
func refused(_ text: String) throws -> [Diagnostic] {
  do throws(Diagnostics) {
    _ = try PlaygroundImporter().read(json(text))
    return []
  } catch {
    return error.all
  }
}

/// The pointer as RFC 6901 writes it, for names without `~` and `/`.
func path(_ diagnostic: Diagnostic) -> String {
  diagnostic.pointer.tokens.map { "/" + $0 }.joined()
}

extension Value {
  /// The member of an object, or null.
  func memberOrNull(_ key: String) -> Value {
    if case .map(let map) = self { map[key] ?? .null } else { .null }
  }
}

/// The default streams that the playground came with, as generation 5 stored them.
let defaultStreams = """
  [{"id": "00000000-0000-4000-8000-00000000000A", "isDefault": true, "name": "Serial Stream A",
    "stream": [{"operators": [{"delay": {"seconds": 1}}], "value": "1"},
               {"operators": [{"delay": {"seconds": 1}}], "value": "2"}]},
   {"id": "00000000-0000-4000-8000-00000000000B", "isDefault": true, "name": "Serial Stream B",
    "stream": [{"operators": [{"delay": {"seconds": 2}}], "value": "A"},
               {"operators": [{"delay": {"seconds": 2}}], "value": "B"}]}]
  """
