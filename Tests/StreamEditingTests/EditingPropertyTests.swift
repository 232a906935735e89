import StreamCore
import StreamEditing
import StreamKit
import StreamTesting
import Testing

/// Properties of every file, checked on random files. PROPERTIES=100000 checks more of them.
@Suite struct EditingPropertyTests {
  static let count = PropertyCount.cases(byDefault: 96)
  static let blocks = UInt64(8)

  private func document(_ text: String) throws -> JSONDocument { try JSONDocument(reading: text, file: "test.json") }

  @Test("A written file is read back unchanged, and formatting keeps its meaning", arguments: 0..<blocks)
  func writing(_ block: UInt64) throws {
    for seed in stride(from: block, to: Self.count, by: Int(Self.blocks)) {
      var random = RandomModel(seed: seed)
      let model = random.model()
      let written = try document(JSONWriter.pretty(model.json))
      #expect(try StreamModel(json: written.value) == model, "seed \(seed)")
      let wild = try document(random.text(of: model.json, shuffles: true))
      let once = try document(String(decoding: StreamFormat.text(of: wild), as: UTF8.self))
      #expect(once.value == wild.value, "seed \(seed)")
      #expect(StreamFormat.text(of: once) == once.source.bytes, "seed \(seed)")
      #expect(try StreamModel(json: once.value).behaviorID == model.behaviorID, "seed \(seed)")
      let withIDs = try document(String(decoding: StreamFormat.textWithIDs(of: wild), as: UTF8.self))
      let again = try StreamFormat.textWithIDs(of: withIDs)
      #expect(again == withIDs.source.bytes, "seed \(seed)")
      #expect(try StreamModel(json: withIDs.value).behaviorID == model.behaviorID, "seed \(seed)")
    }
  }

  @Test("However a file is written, its canonical form and its ids are the same", arguments: 0..<blocks)
  func canonical(_ block: UInt64) throws {
    for seed in stride(from: block, to: Self.count, by: Int(Self.blocks)) {
      var random = RandomModel(seed: seed &+ 1 << 32)
      let model = random.model()
      let plain = try document(JSONWriter.compact(model.json))
      let wild = try document(random.text(of: model.json, shuffles: true))
      let bytes = try JSONWriter.canonical(plain.value)
      #expect(try JSONWriter.canonical(wild.value) == bytes, "seed \(seed)")
      // A canonical text does not change.
      let again = try document(String(decoding: bytes, as: UTF8.self))
      #expect(try JSONWriter.canonical(again.value) == bytes, "seed \(seed)")
      #expect(try wild.contentID() == plain.contentID(), "seed \(seed)")
      let other = random.variant(of: model)
      let isSame = try JSONWriter.canonical(other.json) == bytes
      #expect(
        isSame == (try document(JSONWriter.compact(other.json)).contentID() == plain.contentID()), "seed \(seed)")
    }
  }

  @Test("An edit does what it says and no more; undone, the bytes are those from before", arguments: 0..<blocks)
  func editing(_ block: UInt64) throws {
    var applied = 0
    for seed in stride(from: block, to: Self.count / 2, by: Int(Self.blocks)) {
      var oracle = EditOracle(random: RandomModel(seed: seed &+ 1 << 33))
      let model = oracle.random.model()
      let first =
        oracle.random.generator.happens(oneIn: 2)
        ? JSONWriter.pretty(model.json) : oracle.random.text(of: model.json)
      var editor = StreamEditor(try document(first))
      // NB: bytes, since texts that look alike are equal as strings.
      var texts: [[UInt8]] = []
      for _ in 0..<8 {
        let before = editor.document
        let edit = oracle.edit(of: before.value)
        let expected = EditOracle.value(after: edit, of: before.value)
        do {
          try editor.apply(edit)
        } catch {
          #expect(editor.document.source.bytes == before.source.bytes, "seed \(seed): \(edit)")
          // The result of the edit would be an invalid file, or the edit has no meaning.
          #expect(expected.flatMap(RandomModel.valid) == nil, "seed \(seed): \(edit): \(error.all.map(\.message))")
          continue
        }
        #expect(editor.document.value == expected, "seed \(seed): \(edit)")
        #expect(Self.keepsTheRest(edit, before, editor.document), "seed \(seed): \(edit)")
        if editor.document.source.bytes != before.source.bytes {
          texts.append(before.source.bytes)
          applied += 1
        }
      }
      let last = editor.document.source.bytes
      let steps = texts.count
      while let text = texts.popLast() {
        editor.undo()
        #expect(editor.document.source.bytes == text, "seed \(seed)")
      }
      #expect(editor.document.source.bytes == Array(first.utf8), "seed \(seed)")
      #expect(!editor.canUndo)
      for _ in 0..<steps { editor.redo() }
      #expect(editor.document.source.bytes == last, "seed \(seed)")
    }
    #expect(applied > Int(Self.count / 2 / Self.blocks))
  }

  /// Whether the bytes outside the edit are unchanged: those around the edited list or object, and the other members
  /// within it.
  private static func keepsTheRest(_ edit: StreamEdit, _ before: JSONDocument, _ after: JSONDocument) -> Bool {
    guard let pointer = pointer(of: edit), let token = pointer.tokens.last else { return true }
    let outer = JSONPointer(Array(pointer.tokens.dropLast()))
    guard let old = before.place(at: outer), let new = after.place(at: outer) else { return false }
    let (oldBytes, newBytes) = (before.source.bytes, after.source.bytes)
    guard oldBytes[..<old.bytes.lowerBound] == newBytes[..<new.bytes.lowerBound],
      oldBytes[old.bytes.upperBound...].elementsEqual(newBytes[new.bytes.upperBound...])
    else { return false }
    var olds = old.children.map { Array(oldBytes[$0.whole]) }
    var news = new.children.map { Array(newBytes[$0.whole]) }
    let number = token == "-" ? nil : old.child(token)?.number
    switch edit {
    case .remove: number.map { _ = olds.remove(at: $0) }
    case .insert: news.remove(at: token == "-" ? news.count - 1 : new.child(token)?.number ?? 0)
    default:
      if let number { olds.remove(at: number) }
      news.remove(at: token == "-" ? news.count - 1 : new.child(token)?.number ?? 0)
    }
    return olds == news
  }

  /// The place that an edit sets, adds or removes.
  private static func pointer(of edit: StreamEdit) -> JSONPointer? {
    switch edit {
    case .set(let pointer, _), .insert(let pointer, _), .remove(let pointer): pointer
    case .rename: JSONPointer(["name"])
    default: nil
    }
  }
}
