public import CEL
internal import StreamCore
internal import StreamEngine

extension StreamFeed {
  /// The type of the values is unknown.
  public var contentType: CELType { .dyn }
}

extension Pipeline {
  /// Throws the names in `feeds` that no input has, the inputs that have neither a feed nor an initial value, and the feeds
  /// whose values can never have the type of their input.
  ///
  /// - Parameter allowsMore: Whether there may be feeds for inputs of later versions.
  func check(_ feeds: [String: any StreamFeed], allowsMore: Bool = false) throws(Diagnostics) {
    var problems = Diagnostics()
    if !allowsMore {
      let names = Set(inputs.lazy.filter { $0.lateOf == nil }.map(\.name))
      for name in feeds.keys.sorted() where !names.contains(name) { problems.append(unknownInput(name)) }
    }
    // A wrong name is reported once, not also as an input that lacks its feed.
    let hasUnknown = !problems.all.isEmpty
    for input in inputs where input.lateOf == nil {
      if let feed = feeds[input.name] {
        guard !InputConversion(input.type).mayTake(feed.contentType) else { continue }
        problems.append(
          Diagnostic(
            .inputTypeMismatch,
            "the feed of input '\(input.name)' sends values of type \(feed.contentType), but its type is \(input.type)")
        )
      } else if input.initialValue == nil, !hasUnknown {
        problems.append(
          Diagnostic(
            .inputNotFed, "input '\(input.name)' has neither a feed nor an initial value",
            help: "add a feed for '\(input.name)' to 'inputs', or an 'initialValue' to its declaration"))
      }
    }
    if !problems.all.isEmpty { throw problems }
  }
}

extension InputConversion {
  /// Whether values of a type may be converted: false only if none of them can.
  func mayTake(_ content: CELType) -> Bool { Self.mayTake(content, as: type) }

  private static func mayTake(_ content: CELType, as type: CELType) -> Bool {
    switch (type, content) {
    case (.dyn, _), (.undetermined, _), (_, .dyn): true
    case (.double, .int), (.double, .uint), (.uint, .int), (.timestamp, .string), (.duration, .string): true
    case (.list(let element), .list(let contained)): mayTake(contained, as: element)
    case (.map(_, let element), .map(_, let contained)): mayTake(contained, as: element)
    case (.record, .map): true
    case (.nullable(let inner), _): content == .null || mayTake(content, as: inner)
    case (.choice(let values), _): values.contains { CELType.of($0) == content }
    default: type == content
    }
  }
}

extension CELType {
  /// The type of the values as which content of a Swift type is sent; `dyn` for types that encode themselves.
  @_spi(Driving) public init(of content: Any.Type) {
    switch content {
    case is Bool.Type: self = .bool
    case is String.Type: self = .string
    case is Double.Type, is Float.Type: self = .double
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type: self = .int
    case is UInt.Type, is UInt8.Type, is UInt16.Type, is UInt32.Type, is UInt64.Type: self = .uint
    case let list as any ListContent.Type: self = list.listType
    default: self = .dyn
    }
  }
}

/// Arrays, whose elements have a type.
private protocol ListContent {
  static var listType: CELType { get }
}

extension Array: ListContent {
  fileprivate static var listType: CELType {
    // Bytes are one value.
    Element.self == UInt8.self ? .bytes : .list(CELType(of: Element.self))
  }
}
