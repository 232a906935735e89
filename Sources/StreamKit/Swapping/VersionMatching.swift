internal import StreamCore
internal import StreamEngine

/// Maps the parts of a new version of a stream to the parts of the old version, as `StreamDiff` matches them.
struct VersionMatching {
  private let old: VersionFiles
  private let new: VersionFiles
  /// The differences by file.
  private let collectors: [String: ChangeCollector]
  /// The change that resets the parts at a location, by file and location, in the old and in the new version.
  private var oldLosses: [String: [JSONPointer: StreamChange]] = [:]
  private var newLosses: [String: [JSONPointer: StreamChange]] = [:]

  init(_ old: StreamVersion, _ new: StreamVersion) {
    self.old = old.files
    self.new = new.files
    var collectors: [String: ChangeCollector] = [:]
    for (file, before) in self.old.documents {
      guard let after = self.new.documents[file] else { continue }
      var collector = ChangeCollector()
      collector.compareModels(
        StreamPart(value: before, pointer: JSONPointer()), StreamPart(value: after, pointer: JSONPointer()))
      collectors[file] = collector
    }
    self.collectors = collectors
    for (file, collector) in collectors {
      for change in collector.changes where Self.isLoss(change) {
        if let pointer = change.oldPointer, let place = owner(of: pointer)?.pointer {
          oldLosses[file, default: [:]][place] = oldLosses[file]?[place] ?? change
        }
        if let pointer = change.newPointer, let place = owner(of: pointer)?.pointer {
          newLosses[file, default: [:]][place] = newLosses[file]?[place] ?? change
        }
      }
    }
  }

  /// Whether the subject of a change does not continue.
  private static func isLoss(_ change: StreamChange) -> Bool {
    switch change.subject {
    case .placedOperator: change.effect == .stateLost
    case .streamReference, .source, .item: change.effect >= .structure
    case .stream: change.newPointer?.tokens == ["partition"] && change.effect == .stateLost
    case .input, .output, .namedStream, .parameter, .type, .definition, .test: false
    }
  }

  /// An operator, a source or an output.
  private struct Owner {
    let pointer: JSONPointer
    var isSource = false
  }

  /// The operator, the source or the output that a place belongs to: the innermost.
  private func owner(of pointer: JSONPointer) -> Owner? {
    var role = StreamRole.model
    var owner: Owner?
    var place = JSONPointer()
    var tokens = pointer.tokens[...]
    while let token = tokens.popFirst() {
      place.tokens.append(token)
      let next = role.member(token)
      role = next
      switch next {
      case .source, .items: owner = Owner(pointer: place, isSource: true)
      case .partition: owner = Owner(pointer: place)
      default: break
      }
      switch next {
      case .items, .operators, .tests, .references:
        guard let element = tokens.popFirst() else { break }
        place.tokens.append(element)
        role = next.element
        if case .placedOperator = role { owner = Owner(pointer: place) }
      case .names:
        guard let name = tokens.popFirst() else { break }
        place.tokens.append(name)
        role = next.member(name)
        if case .output = role { owner = Owner(pointer: place) }
      default: break
      }
    }
    return owner
  }

  // MARK: Keys

  /// Returns the key that identifies a part of the old pipeline.
  func oldKey(_ node: PipelineNode, _ inputs: [Pipeline.Input]) -> NodeKey? {
    let (references, place) = old.path(to: node.pointer)
    return key(of: node, inputs, in: place.file, references.map(\.pointer) + [place.pointer])
  }

  /// Returns the key of the corresponding old part; nil if it is new or reset.
  func newKey(_ node: PipelineNode, _ inputs: [Pipeline.Input]) -> NodeKey? {
    let (references, place) = new.path(to: node.pointer)
    var path: [JSONPointer] = []
    for place in references + [place] {
      guard let before = collectors[place.file]?.matching.oldPlace(of: place.pointer) else { return nil }
      path.append(before)
    }
    guard let before = path.last, loss(new: place.pointer, old: before, in: place.file) == nil else { return nil }
    return key(of: node, inputs, in: place.file, path)
  }

  /// - Parameter path: The references to the file or the definition of the part, then its location there.
  private func key(
    of node: PipelineNode, _ inputs: [Pipeline.Input], in file: String, _ path: [JSONPointer]
  ) -> NodeKey {
    NodeKey(
      file: file, pointer: path.reduce(JSONPointer()) { $0 + $1 },
      name: Self.name(of: node, inputs) + (node.meaning.map { " \($0)" } ?? ""))
  }

  /// An input is another one where its type or its initial value has changed.
  private static func name(of node: PipelineNode, _ inputs: [Pipeline.Input]) -> String {
    guard let number = node.inputNumber, inputs.indices.contains(number) else { return node.name }
    let input = inputs[number]
    return "\(node.name) \(input.name): \(input.type) = \(input.initialValue.map(JSONWriter.compact) ?? "none")"
  }

  private func loss(new: JSONPointer, old: JSONPointer, in file: String) -> StreamChange? {
    if let owner = owner(of: new)?.pointer, let change = newLosses[file]?[owner] { return change }
    if let owner = owner(of: old)?.pointer, let change = oldLosses[file]?[owner] { return change }
    return nil
  }

  func isSource(_ node: PipelineNode) -> Bool {
    let place = new.place(node.pointer)
    guard new.documents[place.file] != nil, let owner = owner(of: place.pointer) else { return true }
    return owner.isSource
  }

  // MARK: Account

  /// A part of the old version.
  struct Place: Hashable {
    let file: String
    /// Location of the part; for a source, of the whole source.
    let pointer: JSONPointer
    let isOperator: Bool

    /// Whether it is one of the parts that join the outputs of a file, which are not written there.
    var joinsOutputs: Bool { isOperator && pointer.tokens.first == "outputs" && pointer.tokens.count < 3 }
  }

  /// Returns the location of a part of the old pipeline.
  func place(ofOld node: PipelineNode) -> Place {
    let place = old.place(node.pointer)
    let owner = owner(of: place.pointer) ?? Owner(pointer: place.pointer)
    return Place(file: place.file, pointer: owner.pointer, isOperator: !owner.isSource)
  }

  /// Returns the location in the new version; nil if the part was removed.
  func newPointer(of place: Place) -> JSONPointer? {
    collectors[place.file]?.matching.newPlace(of: place.pointer)
  }

  /// Returns the value at a location of the old version.
  func value(of place: Place) -> Value? { old.documents[place.file]?[place.pointer] }

  /// Returns the change that resets the part, if there is one.
  func change(of place: Place) -> StreamChange? { oldLosses[place.file]?[place.pointer] }

  /// Returns the name of the file that contains the part; nil for the main file.
  func fileName(of place: Place) -> String? { old.names[place.file] }

  /// Returns a description of the part in the new version, or of a removed part in the old version.
  ///
  /// - Parameter name: The name of a source.
  func words(for place: Place, named name: String) -> String {
    let pointer = newPointer(of: place)
    let file = (pointer == nil ? old : new).documents[place.file] ?? .null
    let words = StreamPlace.words(pointer ?? place.pointer, in: file)
    return place.isOperator ? words : "\(words) (\(name))"
  }

  /// Operators that are new.
  var addedOperators: [StreamChange] {
    collectors.sorted { $0.key < $1.key }.flatMap { $0.value.changes }.filter {
      $0.kind == .added && $0.subject == .placedOperator
    }
  }
}
