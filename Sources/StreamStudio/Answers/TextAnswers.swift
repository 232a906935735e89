internal import StreamCore
internal import StreamEditing
internal import StreamKit
internal import StreamTools

extension StudioRoute {
  /// The requests of an editor about a text.
  static let texts: [StudioRoute] = [
    StudioRoute(.post, "/analyze", "Errors, outline, inputs, outputs and tests of a draft", .draft) { studio, request in
      Analysis(try request.draft().opened(in: studio.folder)).value
    },
    StudioRoute(.post, "/complete", "Completions at a place", .draft + [.body("at", "integer")]) { studio, request in
      let document = try request.draft().opened(in: studio.folder).document
      let at = document.text.offset(ofUTF16: try request.count("at"))
      return ["items": .list(document.completions(at: at).map { $0.value(in: document.text) })]
    },
    StudioRoute(.post, "/hover", "An explanation of the item at a place", .draft + [.body("at", "integer")]) {
      studio, request in
      let document = try request.draft().opened(in: studio.folder).document
      guard let hover = document.hover(at: document.text.offset(ofUTF16: try request.count("at"))) else { return .null }
      return ["range": document.text.value(of: hover.range), "markdown": .string(hover.text)]
    },
    StudioRoute(
      .post, "/rename", "Renames the item at a place, and its references",
      .draft + [.body("at", "integer"), .body("to")]
    ) { studio, request in
      let document = try request.draft().opened(in: studio.folder).document
      let at = document.text.offset(ofUTF16: try request.count("at"))
      do throws(Diagnostic) {
        let edits = try document.rename(at: at, to: try Self.name(in: request))
        return ["edits": .list(edits.map { $0.value(in: document.text) })]
      } catch {
        throw StudioProblem(Diagnostics([error]))
      }
    },
    StudioRoute(.post, "/format", "The draft in its stable form", .draft) { studio, request in
      let json = try request.draft().opened(in: studio.folder).json()
      return ["text": .string(String(decoding: StreamFormat.text(of: json), as: UTF8.self))]
    },
    StudioRoute(.post, "/edit", "The draft after edits; every other byte stays", .draft + [.body("edits", "array")]) {
      studio, request in
      let json = try request.draft().opened(in: studio.folder).json()
      guard case .list(let edits)? = request["edits"] else { throw StudioProblem.invalid("'edits' is not an array") }
      do throws(Diagnostics) {
        var all: [StreamEdit] = []
        for edit in edits { all.append(try StreamEdit(json: edit)) }
        return [
          "text": .string(String(decoding: try StreamEditor.document(json, after: all).source.bytes, as: UTF8.self))
        ]
      } catch {
        throw StudioProblem(error)
      }
    },
    StudioRoute(.get, "/catalog", "The operators and sources, with their fields") { _, _ in Catalog.value },
    StudioRoute(.get, "/functions", "The functions of expressions") { _, _ in Catalog.functions },
  ]

  private static func name(in request: StudioRequest) throws(Diagnostic) -> String {
    guard let name = request["to"]?.text, !name.isEmpty else {
      throw Diagnostic(.invalidArgument, "'to' is missing; expected a name")
    }
    return name
  }
}

extension EditorText {
  /// A range as the page counts.
  func value(of range: Range<Int>) -> Value {
    [.count(utf16Offset(of: range.lowerBound)), .count(utf16Offset(of: range.upperBound))]
  }
}

extension EditorEdit {
  func value(in text: EditorText) -> Value { ["range": text.value(of: range), "text": .string(self.text)] }
}

extension EditorCompletion {
  func value(in text: EditorText) -> Value {
    [
      "label": .string(label), "kind": .string("\(kind)"), "detail": .string(detail),
      "documentation": .string(documentation), "edit": edit.value(in: text), "filter": .string(filter),
      "further": .list(further.map { $0.value(in: text) }),
    ]
  }
}
