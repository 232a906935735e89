internal import CEL
internal import StreamCore

extension EventTimeRequest {
  /// Returns the model with the clock that arguments give its inputs, as the file would declare it.
  package func written(into model: StreamModel) -> StreamModel {
    guard !isEmpty, model.partition?.time == nil else { return model }
    var model = model
    for name in model.inputs.names {
      guard var input = model.inputs[name] else { continue }
      guard var time = input.time ?? expression.map({ .init(expression: CELExpression($0)) }) else { continue }
      if let expression, time.expression.text != expression {
        (time.expression, time.unit) = (CELExpression(expression), nil)
      }
      (time.unit, time.lateness, time.late) = (unit ?? time.unit, lateness ?? time.lateness, late ?? time.late)
      (time.maxJump, time.idle) = (maxJump ?? time.maxJump, idle ?? time.idle)
      input.time = time
      model.inputs[name] = input
    }
    return model
  }
}
