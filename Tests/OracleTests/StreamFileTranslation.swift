import StreamCore

extension PipelineDescription {
  /// The pipeline as a stream file.
  var streamFile: Value {
    var pairs: [(Value, Value)] = []
    if !inputs.isEmpty {
      pairs.append(("inputs", object(inputs.indices.map { ("i\($0)", .map(ValueMap())) })))
    }
    if let shared { pairs.append(("streams", object([("shared", shared.model)]))) }
    guard case .map(let model) = stream.model else { return .null }
    return .map(ValueMap(pairs + model.pairs.map { ($0, $1) }))
  }

  /// The input events and the demand, in a readable form.
  var events: Value {
    object([
      (
        "inputs",
        .list(
          inputs.map { events in
            .list(
              events.map { event in
                switch event.event {
                case .value(let value): ["at": .int(event.time), "value": value]
                case .finished: ["at": .int(event.time), "finished": true]
                case .failure(let payload): ["at": .int(event.time), "failure": .string(payload)]
                }
              })
          })
      ),
      ("initialDemand", initialDemand.map { .int(Int64($0)) } ?? "unlimited"),
      ("demands", .list(demands.map { ["at": .int($0.time), "count": .int(Int64($0.count))] })),
    ])
  }
}

private func object(_ pairs: [(String, Value)]) -> Value { .map(ValueMap(pairs.map { (.string($0), $1) })) }

private func seconds(_ milliseconds: Int) -> Value { .double(Double(milliseconds) / 1000) }

private func models(_ streams: [StreamDescription]) -> Value { .list(streams.map(\.model)) }

extension Formula {
  fileprivate var json: Value { .string(text) }
}

extension StreamDescription {
  /// The stream as a model, in a file or in place.
  var model: Value {
    let source: (String, Value) =
      switch self.source {
      case .input(let number): ("source", ["input": ["name": .string("i\(number)")]])
      case .shared: ("source", ["stream": ["name": "shared"]])
      case .sequence(let values): ("source", ["sequence": ["values": .list(values)]])
      case .just(let formula): ("source", ["just": ["expression": formula.json]])
      case .fail(let payload): ("source", ["fail": ["error": .string(payload)]])
      case .empty: ("source", object([("empty", .map(ValueMap()))]))
      case .never: ("source", object([("never", .map(ValueMap()))]))
      case .items(let items):
        (
          "stream",
          .list(
            items.map { item in
              guard let delay = item.delay else { return ["value": item.value] }
              return ["value": item.value, "operators": [["delay": ["seconds": seconds(delay)]]]]
            })
        )
      }
    guard !operators.isEmpty else { return object([source]) }
    return object([source, ("operators", .list(operators.map(\.placed)))])
  }
}

extension OperatorDescription {
  /// The operator in the form of a stream file.
  var placed: Value {
    let (name, fields) = named
    return object([(name, object(fields))])
  }

  private var named: (String, [(String, Value)]) {
    switch self {
    case .map(let formula): ("map", [("expression", formula.json)])
    case .compactMap(let formula): ("compactMap", [("expression", formula.json)])
    case .scan(let initial, let formula): ("scan", [("initialValue", initial), ("expression", formula.json)])
    case .reduce(let initial, let formula): ("reduce", [("initialValue", initial), ("expression", formula.json)])
    case .collect(let count): ("collect", count.map { [("count", .int(Int64($0)))] } ?? [])
    case .replaceNil(let value): ("replaceNil", [("with", value)])
    case .flatMap(let stream, let most):
      ("flatMap", [("stream", stream.model)] + (most.map { [("maxPublishers", .int(Int64($0)))] } ?? []))
    case .switchMap(let stream): ("switchMap", [("stream", stream.model)])
    case .filter(let formula): ("filter", [("expression", formula.json)])
    case .removeDuplicates(let formula): ("removeDuplicates", formula.map { [("by", $0.json)] } ?? [])
    case .drop(let count): ("drop", [("count", .int(Int64(count)))])
    case .dropWhile(let formula): ("dropWhile", [("expression", formula.json)])
    case .dropUntil(let stream): ("dropUntil", [("stream", stream.model)])
    case .prefix(let count): ("prefix", [("count", .int(Int64(count)))])
    case .prefixWhile(let formula): ("prefixWhile", [("expression", formula.json)])
    case .prefixUntil(let stream): ("prefixUntil", [("stream", stream.model)])
    case .first(let formula): ("first", formula.map { [("expression", $0.json)] } ?? [])
    case .last(let formula): ("last", formula.map { [("expression", $0.json)] } ?? [])
    case .outputAt(let index): ("output", [("at", .int(Int64(index)))])
    case .output(let from, let through):
      ("output", [("from", .int(Int64(from)))] + (through.map { [("through", .int(Int64($0)))] } ?? []))
    case .ignoreOutput: ("ignoreOutput", [])
    case .count: ("count", [])
    case .min(let compare): ("min", compare.map { [("compare", $0.json)] } ?? [])
    case .max(let compare): ("max", compare.map { [("compare", $0.json)] } ?? [])
    case .containsValue(let value): ("contains", [("value", value)])
    case .contains(let formula): ("contains", [("expression", formula.json)])
    case .allSatisfy(let formula): ("allSatisfy", [("expression", formula.json)])
    case .delay(let time): ("delay", [("seconds", seconds(time))])
    case .debounce(let time): ("debounce", [("seconds", seconds(time))])
    case .throttle(let time, let latest): ("throttle", [("seconds", seconds(time)), ("latest", .bool(latest))])
    case .timeout(let time, let error):
      ("timeout", [("seconds", seconds(time))] + (error.map { [("error", .string($0))] } ?? []))
    case .measureInterval: ("measureInterval", [])
    case .zip(let streams, let formula):
      ("zip", [("with", models(streams))] + (formula.map { [("expression", $0.json)] } ?? []))
    case .append(let streams): ("append", [("with", models(streams))])
    case .prepend(let streams): ("prepend", [("with", models(streams))])
    case .share: ("share", [])
    case .buffer(let capacity, let whenFull, let keepsFull):
      (
        "buffer",
        [
          ("capacity", .int(Int64(capacity))), ("whenFull", .string(whenFull.rawValue)),
          ("prefetch", keepsFull ? "keepFull" : "byRequest"),
        ]
      )
    case .mapError(let formula): ("mapError", [("expression", formula.json)])
    case .catch(let stream): ("catch", [("stream", stream.model)])
    case .replaceError(let value): ("replaceError", [("with", value)])
    case .replaceEmpty(let value): ("replaceEmpty", [("with", value)])
    case .retry(let count): ("retry", [("count", .int(Int64(count)))])
    }
  }
}
