/// How far a recording has been written: what a saved state keeps of it.
package struct RecordingPosition: Codable, Equatable, Sendable {
  package var path: String
  /// The length of the file in bytes.
  package var bytes: Int
  /// Number of events in it.
  package var events: Int
}
