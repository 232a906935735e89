import Foundation
import TestSupport
import Testing

/// The public types of the libraries, as the sources declare them.
@Suite struct PublicSurfaceTests {
  /// The modules that `import StreamKit` gives an app.
  private static let product = ["StreamCore", "StreamEngine", "StreamKit"]
  private static let libraries = product + ["CEL", "StreamCombine", "StreamEditing", "StreamTools", "StreamTesting"]

  /// Maximum number of public types in the product StreamKit.
  private static let limit = 90

  /// Names of types in Foundation, Combine, SwiftUI, Observation and Testing that are likely ones for types of ours.
  private static let foreign = Set(
    """
    Action Animation Array Attachment Binding Bug Bundle Button Cache Calendar Cancellable Circle Clock Color
    Commands Comment Configuration Context Data Date Decimal Dimension Divider Edge Environment Expression Font Form
    Formatter Future Gesture Gradient Group Host Image Index Issue Just Label Layout Link List Locale Material
    Measurement Menu Notification Observable Operation Path Picker Pipe Port Predicate Process Progress Published
    Publisher Publishers Record Result Scanner Scene Section Settings Shape Slider SourceLocation Spacer State
    Stream Subject Subscriber Subscribers Subscription Subscriptions Tab Table Tag Task Test Text Thread Timer
    Toggle Trait Transaction Transition Unit URL UUID View Window
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// The public types at the top level of a module. A declaration with `@_spi` is not shown to apps.
  private static func types(of module: String) -> [String] {
    let folder = "\(Fixture.package)/Sources/\(module)"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    // White space in a literal of several lines is not matched.
    let declaration =
      #/
      (?m) ^ (?: @(?!_spi)\S+ \s )* (?: public | open ) \s (?: (?: final | indirect ) \s )*
      (?: class | struct | enum | protocol | actor | typealias ) \s (\w+)
      /#
    return files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      Fixture.read("\(folder)/\(file)").matches(of: declaration).map { String($0.1) }
    }
  }

  @Test("An app that imports StreamKit sees few types")
  func count() {
    let types = Self.product.flatMap(Self.types).sorted()
    #expect(types.contains("StreamModel"))
    #expect(types.count <= Self.limit, "\(types.joined(separator: " "))")
  }

  @Test("No public type has the name of a type that apps import from the system", arguments: libraries)
  func names(_ module: String) {
    let types = Set(Self.types(of: module))
    #expect(!types.isEmpty)
    #expect(types.intersection(Self.foreign).sorted() == [])
  }
}
