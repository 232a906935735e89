/// For lists of SwiftUI: diagnostics that differ are different entries.
extension Diagnostic: Identifiable {
  public var id: Self { self }
}
