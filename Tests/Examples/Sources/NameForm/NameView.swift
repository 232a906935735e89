#if canImport(SwiftUI)
import StreamCombine
import StreamKit
import SwiftUI

/// The same form in SwiftUI.
@MainActor final class NameViewModel: ObservableObject {
  @StreamInput var text = ""
  @Published private(set) var isValid = false
  private var subscription: AnyCancellable?

  init(rules: StreamModel) {
    subscription = rules.publisher(of: Bool.self, inputs: ["text": $text])
      .assign(to: \.isValid, onWeak: self)
  }
}

struct NameView: View {
  @StateObject var model: NameViewModel

  var body: some View {
    VStack {
      TextField("Your name", text: model.$text.binding)
      Button("Join") {}.disabled(!model.isValid)
    }
  }
}
#endif
