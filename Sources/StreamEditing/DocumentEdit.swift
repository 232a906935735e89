internal import StreamCore
internal import StreamKit

/// One exact edit of a document's text.
struct DocumentEdit {
  private let document: JSONDocument
  private let neighbors: NeighborLayout

  init(_ document: JSONDocument) {
    self.document = document
    neighbors = NeighborLayout(document)
  }

  /// The text after the edit, which is exact.
  func bytes(after edit: StreamEdit, _ limits: JSONLimits) throws(Diagnostic) -> [UInt8] {
    switch edit {
    case .set(let pointer, let fragment): return try set(pointer, to: fragment.node)
    case .insert(let pointer, let fragment): return try insert(fragment.node, at: pointer)
    case .remove(let pointer): return try remove(pointer)
    case .move(let source, let target): return try move(source, to: target, limits)
    case .renameMember(let pointer, let name): return try rename(pointer, to: name)
    default: preconditionFailure("a friendly edit is made exact first")
    }
  }

  private func set(_ pointer: JSONPointer, to node: JSONNode) throws(Diagnostic) -> [UInt8] {
    guard let place = document.place(at: pointer) else { return try insert(node, at: pointer) }
    // An equal value keeps its layout.
    if JSONNode(place) == node { return document.source.bytes }
    return replacing(place.bytes, with: neighbors.replacement(for: place, by: node, depth: pointer.tokens.count))
  }

  private func insert(_ node: JSONNode, at pointer: JSONPointer) throws(Diagnostic) -> [UInt8] {
    guard let token = pointer.tokens.last else {
      throw Diagnostic(.invalidPointer, "the whole file already exists; set it instead", at: pointer)
    }
    let outer = JSONPointer(Array(pointer.tokens.dropLast()))
    let container = try place(at: outer)
    let children = container.children
    switch container.value {
    case .list:
      let index = token == "-" ? children.count : (JSONPointer([token]).index ?? -1)
      guard 0...children.count ~= index else {
        throw Diagnostic(
          .invalidPointer, "'\(token)' in '\(pointer)' is not a position in an array of \(children.count) elements",
          at: outer,
          help: "write a number from 0 to \(children.count), or - for the end")
      }
      return neighbors.inserting(node, key: nil, into: container, children, at: index, depth: outer.tokens.count)
    case .map:
      guard container.child(token) == nil else {
        throw Diagnostic(.duplicateName, "the member '\(token)' already exists", at: pointer, part: .key)
      }
      let names = children.map { $0.name ?? "" } + [token]
      let order = shape(at: outer).order(of: names)
      // Behind the member that it follows in the order of the format.
      let rank = order.firstIndex(of: children.count) ?? 0
      let index = rank == 0 ? 0 : order[rank - 1] + 1
      return neighbors.inserting(
        node, key: JSONNode.key(.string(token)), into: container, children, at: index, depth: outer.tokens.count)
    default:
      throw Diagnostic(
        .invalidPointer, "'\(outer)' is \(container.value.describedType), which has no members", at: outer)
    }
  }

  private func remove(_ pointer: JSONPointer) throws(Diagnostic) -> [UInt8] {
    guard let token = pointer.tokens.last else {
      throw Diagnostic(.invalidPointer, "the whole file cannot be removed", at: pointer)
    }
    let container = try place(at: JSONPointer(Array(pointer.tokens.dropLast())))
    guard let (number, child) = container.child(token) else { throw missing(pointer) }
    let children = container.children
    if children.count == 1 {
      return replacing(container.bytes.lowerBound + 1..<container.bytes.upperBound - 1, with: [])
    }
    let range =
      number > 0
      ? children[number - 1].whole.upperBound..<child.whole.upperBound
      : child.whole.lowerBound..<children[1].whole.lowerBound
    return replacing(range, with: [])
  }

  private func move(
    _ source: JSONPointer, to target: JSONPointer, _ limits: JSONLimits
  ) throws(Diagnostic) -> [UInt8] {
    let place = try place(at: source)
    if source == target { return document.source.bytes }
    if target.tokens.starts(with: source.tokens) {
      throw Diagnostic(.invalidPointer, "'\(source)' cannot be moved into itself, to '\(target)'", at: source)
    }
    if let bytes = try reorder(source, target) { return bytes }
    let node = JSONNode(place)
    guard let rest = try? JSONDocument(reading: remove(source), file: document.file, limits: limits) else {
      throw missing(source)
    }
    return try DocumentEdit(rest).insert(node, at: target)
  }

  /// Reorders the elements of one array; the text between them stays in place.
  private func reorder(_ source: JSONPointer, _ target: JSONPointer) throws(Diagnostic) -> [UInt8]? {
    guard source.tokens.dropLast() == target.tokens.dropLast(),
      let list = document.place(at: JSONPointer(Array(source.tokens.dropLast()))), case .list = list.value,
      let from = JSONPointer(source.tokens.suffix(1)).index
    else { return nil }
    let children = list.children
    let to = target.tokens.last == "-" ? children.count - 1 : JSONPointer(target.tokens.suffix(1)).index ?? -1
    guard children.indices.contains(to) else {
      throw Diagnostic(
        .invalidPointer, "'\(target)' is not a position in an array of \(children.count) elements",
        at: JSONPointer(Array(source.tokens.dropLast())), help: "write a number from 0 to \(children.count - 1)")
    }
    var texts = children.map { document.source.bytes[$0.bytes] }
    texts.insert(texts.remove(at: from), at: to)
    var bytes: [UInt8] = []
    var end = 0
    for (child, text) in zip(children, texts) {
      bytes += document.source.bytes[end..<child.bytes.lowerBound]
      bytes += text
      end = child.bytes.upperBound
    }
    return bytes + document.source.bytes[end...]
  }

  private func rename(_ pointer: JSONPointer, to name: String) throws(Diagnostic) -> [UInt8] {
    guard let key = try place(at: pointer).key else {
      throw Diagnostic(.invalidPointer, "'\(pointer)' is not a member of an object, so it has no name", at: pointer)
    }
    let outer = JSONPointer(Array(pointer.tokens.dropLast()))
    if name != pointer.tokens.last, document.place(at: outer.appending(name)) != nil {
      throw Diagnostic(
        .duplicateName, "the member '\(name)' already exists", at: outer.appending(name), part: .key)
    }
    return replacing(key, with: Array(JSONNode.key(.string(name))))
  }

  private func place(at pointer: JSONPointer) throws(Diagnostic) -> JSONPlace {
    guard let place = document.place(at: pointer) else { throw missing(pointer) }
    return place
  }

  /// Reported at the last part of the pointer that exists.
  private func missing(_ pointer: JSONPointer) -> Diagnostic {
    var known = JSONPointer()
    for token in pointer.tokens {
      guard document.place(at: known.appending(token)) != nil else { break }
      known = known.appending(token)
    }
    let place = document.place(at: known)
    var help: String?
    if case .map(let map)? = place?.value, known.tokens.count < pointer.tokens.count {
      let names = map.keys.compactMap(\.text)
      help = nearestName(to: pointer.tokens[known.tokens.count], among: names).map {
        "did you mean '\(known.appending($0))'?"
      }
    }
    return Diagnostic(.invalidPointer, "there is nothing at '\(pointer)'", at: known, help: help)
  }

  /// Returns the shape of the value at a location of the file.
  private func shape(at pointer: JSONPointer) -> FileShape {
    var shape = FileShape.stream
    var value = document.value
    for token in pointer.tokens {
      if case .list = value { shape = shape.element } else { shape = shape.member(token) }
      value = value[JSONPointer([token])] ?? .null
    }
    return shape
  }

  private func replacing(_ range: Range<Int>, with bytes: [UInt8]) -> [UInt8] {
    var text = document.source.bytes
    text.replaceSubrange(range, with: bytes)
    return text
  }
}

extension JSONPointer {
  /// The number that a pointer of one step names.
  fileprivate var index: Int? {
    guard let token = tokens.first, token == "0" || (token.first != "0" && token.allSatisfy(\.isASCIIDigit)) else {
      return nil
    }
    return Int(token)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}
