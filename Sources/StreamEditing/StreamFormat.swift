@_spi(Engine) public import StreamCore
internal import StreamKit

/// The canonical layout of a stream file: keys in the order of the format, two spaces per level, and short objects and
/// arrays on one line if they fit in 100 columns.
///
/// ```swift
/// let document = try JSONDocument(reading: text, file: "search.json")
/// let formatted = String(decoding: StreamFormat.text(of: document), as: UTF8.self)
/// ```
///
/// Only white space and the order of keys change; numbers, escapes and unknown members keep their spelling. Any JSON
/// can be formatted, even an invalid stream file.
public enum StreamFormat {
  /// Returns the formatted text with a trailing line break.
  public static func text(of document: JSONDocument) -> [UInt8] {
    var writer = FormWriter()
    return writer.text(of: document)
  }

  /// Returns the formatted text, with an `id` for every operator that has state.
  ///
  /// A new id is the operator's name, followed by a number if the file already has that id. Existing ids are kept, so
  /// formatting again changes nothing.
  ///
  /// - Throws: The errors in the file, since ids require a readable file.
  public static func textWithIDs(of document: JSONDocument) throws(Diagnostics) -> [UInt8] {
    _ = try document.locating { value throws(Diagnostics) in try StreamModel(json: value) }
    var writer = FormWriter()
    writer.ids = OperatorIDs(of: document)
    return writer.text(of: document)
  }
}

/// Sets a document in form.
private struct FormWriter {
  /// Assigns ids; nil if no ids are assigned.
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
