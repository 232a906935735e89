internal import CEL
package import StreamCore

/// The short form of a stream on one line: operators by name, with their fields as arguments, separated by `|`.
///
/// ```text
/// filter(value.mag >= 4.5) | map({"m": value.mag}) | count()
/// ```
///
/// The form is derived from the documentation of operators and sources: their names, the kinds of their fields, and
/// which fields are required. An operator that is added to the catalogue has a short form without further code.
package enum ShortForm {
  /// The name of a one-liner in messages: the option that gives it.
  package static let file = "-e"
  /// The input that a stream without a source reads.
  static let inputName = "input"
  /// Maximum nesting of streams and lists of operators.
  static let levelLimit = 64

  /// Returns the stream file that a one-liner is short for. Diagnostics of the document are located in the one-liner.
  ///
  /// - Parameter parameters: Values from outside. The file declares those that the text names as parameters, with the
  ///   types of the values.
  /// - Throws: The first error in the text.
  package static func document(
    of source: SourceText, declaring parameters: [(name: String, value: Value)] = []
  ) throws(Diagnostics) -> JSONDocument {
    var reader = ShortFormReader(source)
    reader.parameters = parameters
    let model: Value
    do throws(Diagnostic) {
      model = try reader.readAll()
    } catch {
      throw Diagnostics([error])
    }
    let places = reader.places
    let origin = JSONOrigin(source: source) { pointer, part in places.range(of: pointer, part) }
    return try JSONDocument(reading: Array(JSONWriter.pretty(model).utf8), file: source.file, from: origin)
  }

  /// Returns the short form of a model on one line.
  ///
  /// - Throws: The first part of the model that has no short form, with a pointer relative to the model.
  package static func text(of model: StreamModel) throws(Diagnostic) -> String {
    let json = model.json
    let text = try DeepStack.run { () throws(Diagnostic) in
      var writer = ShortFormWriter()
      return try writer.text(of: json)
    }
    // NB: A text that reads as another model would be worse than none.
    guard let document = try? document(of: SourceText(file: file, text: text)),
      let copy = try? StreamModel(json: document.value), copy == model
    else { throw ShortFormWriter.refusal("the stream", at: JSONPointer()) }
    return text
  }
}

extension OperatorSpec {
  /// The fields that arguments without a name are for, in this order: the required ones, or the first field if none is
  /// required.
  var positionalFields: [FieldSpec] {
    let fields = parts.fields
    let required = fields.filter(\.isRequired)
    return required.isEmpty ? Array(fields.prefix(1)) : required
  }

  /// The expression that may replace a JSON value in an argument without a name; nil if there is none.
  func alternative(to field: FieldSpec) -> FieldSpec? {
    switch field.kind {
    case .value, .list: break
    default: return nil
    }
    for case .one(let names) in parts.rules where names.contains(field.name) {
      return parts.fields.first { other in
        if case .expression = other.kind { names.contains(other.name) } else { false }
      }
    }
    return nil
  }

  /// Whether the only argument without a name may be several: the elements of an array of streams or names.
  var takesElements: Bool {
    let positional = positionalFields
    guard positional.count == 1 else { return false }
    switch positional[0].kind {
    case .streams, .names: return true
    default: return false
    }
  }

  /// The operator with its arguments, as `scan(expression, initialValue: …)`.
  var shortSignature: String {
    let positional = positionalFields.map(\.name)
    let rest = parts.fields.filter { !positional.contains($0.name) }.map { "\($0.name): …" }
    let shown = rest.count > 4 ? Array(rest.prefix(3)) + ["…"] : rest
    let elements = takesElements ? ["…"] : []
    return "\(name)(\((positional + elements + shown).joined(separator: ", ")))"
  }
}
