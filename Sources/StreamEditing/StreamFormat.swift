public import StreamCore
internal import StreamKit

/// The stable form of a stream file: keys in the order of the format, two spaces a level, short objects and lists on
/// one line where they fit in 100 columns.
///
/// Only white space and the order of keys change; numbers, escapes and everything that is not known stay as they are
/// written. So any JSON can be set in form, also a file with mistakes.
public enum StreamFormat {
  /// The text in form, with a line break at its end.
  public static func text(of document: JSONDocument) -> [UInt8] {
    var writer = FormWriter()
    return writer.text(of: document)
  }

  /// The text in form, in which every operator that keeps state has an `id`.
  ///
  /// An id is the operator's name, with a number where the file has that id already. What has an id keeps it, so that
  /// doing it again changes nothing.
  ///
  /// - Throws: what is wrong with the file: ids are given to what can be read.
  public static func textWithIDs(of document: JSONDocument) throws(Diagnostics) -> [UInt8] {
    _ = try document.locating { value throws(Diagnostics) in try StreamModel(json: value) }
    var writer = FormWriter()
    writer.ids = OperatorIDs(of: document)
    return writer.text(of: document)
  }
}

/// Sets a document in form.
private struct FormWriter {
  /// What gives ids; nil where none are given.
  var ids: OperatorIDs?

  mutating func text(of document: JSONDocument) -> [UInt8] {
    var layout = JSONLayout<JSONNode>()
    layout.write(DeepStack.run(levelsOf: document.root.value) { node(document.root, .stream) })
    return layout.bytes + [0x0A]
  }

  private mutating func node(_ place: JSONPlace, _ shape: FileShape) -> JSONNode {
    let bytes = place.document.source.bytes
    switch place.value {
    case .list:
      return .list(place.children.map { node($0, shape.element) })
    case .map:
      // NB: what may be a list or one of its elements has the shape of a list.
      let shape = if case .list(let element) = shape { element } else { shape }
      let children = place.children
      let order = shape.order(of: children.map { $0.name ?? "" })
      var keys = order.map { bytes[children[$0].key ?? 0..<0] }
      var values: [JSONNode] = []
      var id: String?
      if case .placedOperator = shape { id = ids?.next(for: place.value) }
      for place in order { values.append(node(children[place], shape.member(children[place].name ?? ""))) }
      if let id {
        keys.insert(JSONNode.key("id"), at: 0)
        values.insert(JSONNode(.string(id)), at: 0)
      }
      return .object(keys: keys, values: values)
    default: return .scalar(bytes[place.bytes])
    }
  }
}
