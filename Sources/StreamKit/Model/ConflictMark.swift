public import StreamCore

extension StreamModel {
  /// A conflict, as a merge writes it into a file: an element of the stream's member `x-conflict`, which makes the file
  /// invalid until every conflict is resolved.
  ///
  /// ```json
  /// "x-conflict": [
  ///   { "at": "/operators/0/filter/expression", "message": "…", "base": "value > 0", "ours": "value > 1", "theirs": "value > 2" }
  /// ]
  /// ```
  /// `at` is a JSON pointer to the place of our version. A version that is missing does not exist on that side; if ours
  /// is missing, the pointer is the place where theirs would be inserted. With `"members": true` the versions are members
  /// of the object at that place: the name of an operator and its fields.
  ///
  /// If the conflict is about the order of a list, or the order depends on how conflicts of its elements are resolved,
  /// one mark holds the whole list, merged in favor of each side. No mark is inside another, so each can be resolved
  /// without the others.
  public struct ConflictMark: Hashable, Sendable {
    /// The member of a stream that holds the marks.
    public static let key = "x-conflict"

    /// The place of the conflict in the merged file.
    public var place: JSONPointer
    /// A description of both sides' changes.
    public var message: String
    /// The version that both sides have changed; nil if it did not exist.
    public var base: Value?
    /// Our version; nil if it does not exist.
    public var ours: Value?
    /// Their version; nil if it does not exist.
    public var theirs: Value?
    /// Whether the versions are members of the object at the place, and not the value at the place.
    public var isOfMembers: Bool

    package init(
      at place: JSONPointer, _ message: String, base: Value?, ours: Value?, theirs: Value?, isOfMembers: Bool = false
    ) {
      self.place = place
      self.message = message
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.isOfMembers = isOfMembers
    }

    private static let keys = ["at", "message", "members", "base", "ours", "theirs"]

    init(_ json: Value) throws(Diagnostics) {
      var reader = MemberReader(json, what: "a conflict", keys: Self.keys)
      try reader.throwUnlessObject()
      message = reader.string("message") ?? "both sides have changed it"
      isOfMembers = reader.value("members") == true
      (base, ours, theirs) = (reader.value("base"), reader.value("ours"), reader.value("theirs"))
      place = JSONPointer()
      if let text = reader.string("at") {
        do throws(Diagnostic) {
          place = try JSONPointer(parsing: text)
        } catch {
          reader.append(error.prefixed(by: JSONPointer(["at"])))
        }
      } else if !reader.has("at") {
        reader.missing("at", in: "a conflict")
      }
      try reader.diagnostics.throwErrors()
    }

    /// The mark as JSON.
    public var json: Value {
      var writer = MemberWriter()
      writer.add("at", place.description)
      writer.add("message", message)
      if isOfMembers { writer.add("members", true) }
      writer.add("base", base)
      writer.add("ours", ours)
      writer.add("theirs", theirs)
      return writer.value
    }

    /// The marks of a stream; empty if it has no conflicts.
    ///
    /// - Throws: one error for each malformed mark.
    public static func all(in file: Value) throws(Diagnostics) -> [ConflictMark] {
      guard let list = file.member(key) else { return [] }
      do throws(Diagnostics) {
        return try MemberReader.elements(of: list, named: "marks") { json in
          MemberReader.part(
            or: ConflictMark(at: JSONPointer(), "", base: nil, ours: nil, theirs: nil)
          ) { () throws(Diagnostics) in try ConflictMark(json) }
        }
      } catch {
        throw error.prefixed(by: JSONPointer([key]))
      }
    }

    /// One `unresolvedConflict` error for each mark, at the place where ours stands; none if the file has no marks.
    package static func problems(in file: Value) -> [Diagnostic] {
      do throws(Diagnostics) {
        return try all(in: file).enumerated().map { index, mark in
          let isThere = file[mark.place] != nil
          return Diagnostic(
            .unresolvedConflict, "\(mark.message); the conflict is not resolved",
            at: isThere ? mark.place : JSONPointer([key, String(index)]),
            notes: mark.notes,
            help:
              "'streamrun resolve FILE --favor theirs \(mark.place)' takes theirs; without --favor it keeps the current value"
          )
        }
      } catch {
        return error.all
      }
    }

    private var notes: [String] {
      [("base", base), ("ours", ours), ("theirs", theirs)].map { name, version in
        "\(name): \(version.map(Self.short) ?? "absent")"
      }
    }

    /// The compact JSON of a value, at most 200 characters long.
    package static func short(_ value: Value) -> String {
      let text = JSONWriter.compact(value)
      return text.count > 200 ? text.prefix(200) + "…" : text
    }
  }
}
