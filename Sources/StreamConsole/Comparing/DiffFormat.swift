internal import ArgumentParser

/// The output format of differences between files.
package enum DiffFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people.
  case text
  /// The changes with their effects.
  case json
  /// A JSON Patch.
  case patch
  /// A merge patch.
  case mergePatch = "merge-patch"
}
