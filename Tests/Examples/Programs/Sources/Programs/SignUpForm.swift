import StreamCombine
import StreamKit

/// A form with several inputs, and several outputs in one object.
public final class SignUpForm {
  @StreamInput public var name = ""
  @StreamInput public var email = ""
  @StreamInput public var age = 0

  /// The outputs.
  public struct State: Decodable, Equatable, Sendable {
    public var nameError: String?
    public var emailError: String?
    public var canSend = false
    public init() {}
  }

  public private(set) var state = State()
  private var subscription: AnyCancellable?

  public init(rules: StreamModel = SignUpForm.rules, delivery: StreamDelivery = .onScheduler) {
    subscription = rules.publisher(
      of: State.self, inputs: ["name": $name, "email": $email, "age": $age], delivery: delivery
    ).assign(to: \.state, onWeak: self)
  }

  public static let rules: StreamModel = {
    do {
      return try StreamModel(
        checking: """
          {
            "inputs": { "name": { "type": "string" }, "email": { "type": "string" }, "age": { "type": "int" } },
            "streams": {
              "nameError": {
                "source": { "input": { "name": "name" } },
                "operators": [ { "map": { "expression": "size(value) < 2 ? dyn('too short') : dyn(null)" } } ]
              },
              "emailError": {
                "source": { "input": { "name": "email" } },
                "operators": [ { "map": { "expression": "value.contains('@') ? dyn(null) : dyn('no address')" } } ]
              }
            },
            "source": { "stream": { "name": "nameError" } },
            "operators": [
              { "combineLatest": {
                "with": [ "emailError", "age" ],
                "names": [ "nameError", "emailError", "age" ],
                "expression": "{'nameError': nameError, 'emailError': emailError, 'canSend': nameError == null && emailError == null && age >= 18}"
              } }
            ]
          }
          """, file: "sign-up.json")
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
