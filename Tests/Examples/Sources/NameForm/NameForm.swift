import StreamCombine
import StreamKit

/// What is behind a form with one text field. Which names are fine is not decided here, but by a stream file.
final class NameForm {
  /// What stands in the field.
  @StreamInput var text = ""
  /// Whether that may be used as a name.
  private(set) var isValid = false {
    didSet { print("\(text): \(isValid ? "a name" : "no name")") }
  }

  private var subscription: AnyCancellable?

  /// Follows these rules from now on, in place of those before. They begin with the text as it is.
  func follow(_ rules: StreamModel) {
    subscription = rules.publisher(of: Bool.self, inputs: ["text": $text])
      .assign(to: \.isValid, onWeak: self) { print("the rules failed: \($0.message)") }
  }
}
