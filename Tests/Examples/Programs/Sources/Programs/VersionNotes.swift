import StreamEditing
import StreamKit

/// The differences between two versions, for a person.
public func versionNotes(from old: StreamModel, to new: StreamModel) -> [String] {
  StreamDiff(from: old, to: new).lines
}
