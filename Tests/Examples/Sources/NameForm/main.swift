import Foundation
import StreamKit

// Loads rules from a file, types names into a form, and then has the form follow the rules of another file.
//
//   swift run --package-path Tests/Examples NameForm Tests/Examples/Streams

let folder = CommandLine.arguments.dropFirst().first ?? "Streams"

func load(_ name: String) throws -> StreamModel {
  let path = "\(folder)/\(name)"
  return try StreamModel(parsing: String(contentsOfFile: path, encoding: .utf8), file: path)
}

/// Runs the main queue, on which the form receives values, until the typing counts as paused.
func waitUntilPaused() { RunLoop.main.run(until: Date().addingTimeInterval(0.5)) }

do {
  let form = NameForm()
  form.text = "Ada"
  form.follow(try load("name-rules.json"))
  waitUntilPaused()
  for text in ["G", "Gr", "Grace"] { form.text = text }
  waitUntilPaused()
  form.text = "7of9"
  waitUntilPaused()
  form.text = "Lovelace"
  waitUntilPaused()
  // The app is running, and the rules change.
  form.follow(try load("stricter-name-rules.json"))
  waitUntilPaused()
} catch {
  print(error)
  exit(1)
}
