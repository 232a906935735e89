import StreamCore
import StreamEditing
import StreamKit

/// The differences between two versions, for a person.
public func versionNotes(from old: StreamModel, to new: StreamModel) -> [String] {
  let (oldFile, newFile) = (old.json, new.json)
  return StreamDiff(from: old, to: new).changes.flatMap { change -> [String] in
    let place =
      if let pointer = change.newPointer {
        StreamPlace.words(pointer, in: newFile)
      } else {
        StreamPlace.words(change.oldPointer ?? JSONPointer(), in: oldFile)
      }
    guard change.kind == .changed else { return ["\(change.kind) \(place)"] }
    return change.fields.map { field in
      let (before, now) = (field.old?.description ?? "nothing", field.new?.description ?? "nothing")
      return "\(place): \(field.name) was \(before), is \(now)"
    }
  }
}
