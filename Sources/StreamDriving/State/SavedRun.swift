internal import CEL
@_spi(Engine) package import StreamCore
package import StreamEngine
package import StreamKit

/// Everything from which a run continues elsewhere: what a file of the state folder holds.
package struct SavedRun {
  package var content: Content
  package var session: SavedSession

  /// The members that are saved beside the execution. The page "Saved states" describes each member.
  package struct Content: Codable {
    /// The version of the program that saved it.
    package var program: String
    /// When it was saved, as in RFC 3339.
    package var savedAt: String
    /// The version that was saved, so that another version can take over its state.
    package var stream: RecordedStream
    package var clock: Clock
    /// The texts of `--set`, by input.
    package var parameters: [String: String]
    package var inputs: [FeedPosition]
    /// The records that have been read and not delivered.
    package var records: [SavedOrder]
    /// The input that was read last, by its place among those of the run; -1 if none was read in the present round.
    package var turn: Int?
    package var outputs: [OutputPosition]
    package var recording: RecordingPosition?
    /// Number of values that have been written.
    package var writtenCount: Int
    /// How the stream has completed; nil if it has not.
    package var end: Completion?
    /// The newest values for inputs that the stream lacks.
    package var unheard: [String: Value]
    /// The numbers of the calls whose results are awaited, by the execution's number, and the number of the next call.
    package var calls: [String: Int64]
    package var callCount: Int64
    /// Nanoseconds for which the stream has waited since its latest event, if time goes by the clock of the machine.
    package var waited: Int64?
  }

  /// How time passes for the stream.
  package struct Clock: Codable, Equatable {
    package enum Kind: String, Codable {
      /// By the clock of the machine.
      case machine
      /// When no input can proceed.
      case virtual
      /// By the times of the records.
      case event
    }
    package var kind: Kind
    /// The expression for the time of a record.
    package var expression: String?
    /// The calendar time of time zero.
    package var origin: Timestamp
  }

  package var savedAt: String { content.savedAt }
}

extension SavedRun {
  /// The member of the content that is the execution.
  private static let execution = "execution"

  /// Returns the JSON text.
  func bytes() throws -> [UInt8] {
    var bytes = Array(JSONWriter.compact(try ValueEncoder().encode(content).taggedForJSON).utf8)
    bytes.removeLast()
    bytes += Array(",\"\(Self.execution)\":".utf8)
    bytes += Array(try session.execution.text().utf8)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Reads the JSON text of a state.
  ///
  /// - Throws: A diagnostic if it is not one.
  package init(reading bytes: [UInt8], file: String) throws(Diagnostic) {
    let document: JSONDocument
    do throws(Diagnostics) {
      document = try JSONDocument(reading: bytes, file: file, limits: .ofSavedStates)
    } catch {
      throw error.all.first ?? Diagnostic(.snapshotMismatch, "'\(file)' is not a saved state")
    }
    do throws(Diagnostic) {
      let value = try Value(taggedForJSON: document.value)
      guard case .map(let members) = value, let execution = members[.string(Self.execution)] else {
        throw Diagnostic(.snapshotMismatch, "'\(file)' is not a saved state: it has no member '\(Self.execution)'")
      }
      content = try ValueDecoder().decode(Content.self, from: value)
      session = SavedSession(
        execution: try Snapshot(encoded: execution), unheard: content.unheard,
        calls: Dictionary(content.calls.compactMap { call in Int64(call.key).map { ($0, call.value) } }) { $1 },
        callCount: content.callCount)
    } catch {
      throw document.locate(error)
    }
  }
}
