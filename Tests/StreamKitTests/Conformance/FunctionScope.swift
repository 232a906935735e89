import StreamCore

/// The expressions for the parameters of the functions around a place.
struct FunctionScope {
  /// A parameter that is a stream.
  enum Stream {
    /// A stream that can be subscribed to anywhere.
    case known(StreamSketch)
    /// The stream that feeds a field `operators`.
    case upstream
  }

  private(set) var texts: [String: String] = [:]
  private(set) var streams: [String: Stream] = [:]
  /// Parameters that a nearer variable of ours hides.
  private(set) var lost: Set<String> = []

  /// The scope within a function whose parameters are `ours`; nil for one that we do not have.
  func entering(_ parameters: [String], as ours: [String?]) throws(Unsayable) -> FunctionScope {
    var inner = try hiding(ours.compactMap(\.self))
    for (index, parameter) in parameters.enumerated() {
      inner.streams[parameter] = nil
      let text = index < ours.count ? ours[index] : nil
      inner.texts[parameter] = text
      if text == nil { inner.lost.insert(parameter) } else { inner.lost.remove(parameter) }
    }
    return inner
  }

  /// The scope where these variables of ours mean something else.
  func hiding(_ names: [String]) throws(Unsayable) -> FunctionScope {
    var inner = self
    for (parameter, text) in texts where !(try FunctionText.names(in: text)).isDisjoint(with: names) {
      inner.texts[parameter] = nil
      inner.lost.insert(parameter)
    }
    return inner
  }

  func naming(_ parameter: String, _ text: String) -> FunctionScope {
    var inner = self
    inner.texts[parameter] = text
    inner.streams[parameter] = nil
    inner.lost.remove(parameter)
    return inner
  }

  func naming(_ parameter: String, _ stream: Stream) -> FunctionScope {
    var inner = self
    inner.streams[parameter] = stream
    inner.lost.remove(parameter)
    return inner
  }

  /// An expression that sees the parameters around it and nothing else.
  func text(_ cel: String) throws(Unsayable) -> String {
    let hidden = try FunctionText.names(in: cel).intersection(lost)
    if let name = hidden.sorted().first {
      throw Unsayable("the parameter '\(name)' cannot be seen there")
    }
    return try FunctionText.replacing(texts, in: cel)
  }

  /// A function `{"cel", "params"}` with the arguments `ours`.
  func function(_ function: Value, _ ours: [String?]) throws(Unsayable) -> String {
    guard let cel = function.field("cel")?.text else { throw Unsayable("a function that is no expression") }
    let parameters = (function.field("params")?.elements ?? []).compactMap(\.text)
    return try entering(parameters, as: ours).text(cel)
  }
}
