@_spi(Engine) internal import StreamCore

/// Reads members of metadata, and describes what is wrong with them.
struct MetadataReader {
  let value: Value
  /// The role, for errors.
  let subject: String
  /// The place of `value` in the metadata, for errors, such as `roles/root`.
  let place: String

  /// The greatest depth of metadata. TUF's own members need 7.
  private static let depthLimit = 64
  private static let valueLimit = 1_000_000

  /// Reads JSON.
  init(bytes: [UInt8], subject: String) throws(TrustError) {
    var reader = JSONReader(limits: JSONLimits(depth: Self.depthLimit, bytes: .max, values: Self.valueLimit))
    do throws(JSONError) {
      value = try reader.read(bytes)
    } catch {
      throw TrustError(.malformed, subject, "the metadata is not JSON: \(error.message)")
    }
    self.subject = subject
    place = ""
  }

  init(_ value: Value, subject: String, place: String) {
    self.value = value
    self.subject = subject
    self.place = place
  }

  /// An error at a member, or at the value itself.
  func problem(_ name: String? = nil, _ text: String) -> TrustError {
    let place = name.map(path) ?? place
    return TrustError(.malformed, subject, place.isEmpty ? text : "\(place): \(text)")
  }

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place)/\(name)" }

  var map: ValueMap {
    get throws(TrustError) {
      guard case .map(let map) = value else { throw problem(nil, "found \(value.typeName), expected an object") }
      return map
    }
  }

  var list: [MetadataReader] {
    get throws(TrustError) {
      guard case .list(let list) = value else { throw problem(nil, "found \(value.typeName), expected an array") }
      return list.enumerated().map { MetadataReader($1, subject: subject, place: path(String($0))) }
    }
  }

  var text: String {
    get throws(TrustError) {
      guard case .string(let text) = value else { throw problem(nil, "found \(value.typeName), expected a string") }
      return text
    }
  }

  var flag: Bool {
    get throws(TrustError) {
      guard case .bool(let flag) = value else { throw problem(nil, "expected true or false") }
      return flag
    }
  }

  /// An integer in a range.
  func integer(in range: ClosedRange<Int64>) throws(TrustError) -> Int64 {
    guard case .int(let number) = value, range.contains(number) else {
      throw problem(nil, "expected an integer, \(range.lowerBound) or more")
    }
    return number
  }

  /// The members as readers, in order.
  var members: [(name: String, value: MetadataReader)] {
    get throws(TrustError) {
      try map.pairs.compactMap { key, value in
        key.text.map { ($0, MetadataReader(value, subject: subject, place: path($0))) }
      }
    }
  }

  /// A member that may be absent.
  func optional(_ name: String) throws(TrustError) -> MetadataReader? {
    try map[name].map { MetadataReader($0, subject: subject, place: path(name)) }
  }

  /// A member that must be there.
  subscript(name: String) -> MetadataReader {
    get throws(TrustError) {
      guard let member = try optional(name) else { throw problem(nil, "there is no member '\(name)'") }
      return member
    }
  }

  /// A list of strings without repetition.
  var names: [String] {
    get throws(TrustError) {
      var names: [String] = []
      for element in try list { names.append(try element.text) }
      guard Set(names).count == names.count else { throw problem(nil, "a name is repeated") }
      return names
    }
  }
}
