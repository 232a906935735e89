internal import StreamCore

/// The values of parameters in a publication.
///
/// Metadata have no fractions, so each value is the text of its JSON.
enum PublishedParameters {
  static func json(_ parameters: [String: Value]) -> Value {
    .map(ValueMap(sorting: parameters.mapValues { .string(JSONWriter.compact($0)) }))
  }

  static func read(_ member: MetadataReader?) throws(TrustError) -> [String: Value] {
    guard let member else { return [:] }
    var parameters: [String: Value] = [:]
    for (name, value) in try member.members {
      guard let document = try? JSONDocument(reading: try value.text, file: name) else {
        throw member.problem(name, "expected the text of a JSON value")
      }
      parameters[name] = document.value
    }
    return parameters
  }

  /// Returns the content ID, followed by the ID of the values if there are any.
  static func identity(_ content: String, _ parameters: [String: Value]) -> String {
    guard !parameters.isEmpty else { return content }
    return content + separator + JSONDocument.id(of: Array(JSONWriter.compact(json(parameters)).utf8))
  }

  private static let separator = "+"

  /// Returns the content ID of an identity.
  static func content(of identity: String) -> String { String(identity.prefix { String($0) != separator }) }
}

extension Publication {
  /// Identifies the file together with its values.
  package var identity: String { PublishedParameters.identity(content, parameters) }
}

extension Draft {
  /// Identifies the file together with its values.
  package var identity: String { PublishedParameters.identity(content, parameters) }
}
