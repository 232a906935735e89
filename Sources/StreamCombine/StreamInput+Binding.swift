#if canImport(SwiftUI)
public import StreamKit
public import SwiftUI

extension StreamInput {
  /// A binding of a control to the input.
  ///
  /// ```swift
  /// TextField("Your name", text: form.$name.binding)
  /// ```
  public var binding: Binding<Content> {
    Binding {
      self.value
    } set: {
      self.value = $0
    }
  }
}
#endif
