// The part of SwiftUI that the sources and the example apps use, with the signatures of Apple's interface.
@_exported import Combine
@_exported import Foundation
@_exported import Observation

// On Apple's systems parts of Foundation.
#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
extension URL {
  public static var documentsDirectory: URL { fatalError() }
}

// MARK: Data

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}

  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

public protocol DynamicProperty {}

@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

@propertyWrapper public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  public nonisolated init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
  @MainActor public var wrappedValue: ObjectType { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  private let content: Value

  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }
  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

extension Bindable where Value: Observable & AnyObject {
  public init(wrappedValue: Value) { content = wrappedValue }
}

public struct EnvironmentValues {
  public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// MARK: Apps and scenes

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

extension Never: View, Scene {
  public typealias Body = Never
  public var body: Never { return fatalError() }
}

public struct WindowGroup<Content: View>: Scene {
  public nonisolated init(@ViewBuilder content: @escaping () -> Content) {}
  public var body: Never { fatalError() }
}

public struct ModifiedScene: Scene { public var body: Never { fatalError() } }

extension Scene {
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some Scene { ModifiedScene() }
}

// MARK: Views

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> ConditionalContent<TrueContent, FalseContent> { fatalError() }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> ConditionalContent<TrueContent, FalseContent> { fatalError() }
}

/// A view without views of its own.
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView { public var body: Never { fatalError() } }

public struct EmptyView: PrimitiveView { public nonisolated init() {} }
public struct TupleView<T>: PrimitiveView { public nonisolated init(_ value: T) {} }
public struct ConditionalContent<TrueContent, FalseContent>: PrimitiveView {}
extension Optional: View, PrimitiveView where Wrapped: View { public typealias Body = Never }

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}

  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ string: String) {}
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {}
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {}
  }
}

// swift-format-ignore: NoLeadingUnderscores
public protocol _FormatSpecifiable {}
extension Int: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}

public struct Text: PrimitiveView {
  public nonisolated init(_ key: LocalizedStringKey) {}
  @_disfavoredOverload public nonisolated init<S: StringProtocol>(_ content: S) {}
  public nonisolated init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == String {}
  public nonisolated func bold() -> Text { self }
}

public struct Image: PrimitiveView { public nonisolated init(systemName: String) {} }

public struct VStack<Content: View>: PrimitiveView {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct HStack<Content: View>: PrimitiveView {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct Form<Content: View>: PrimitiveView {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Parent, Content, Footer> {}
extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
  public typealias Body = Never
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public nonisolated init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View, PrimitiveView where Content: View { public typealias Body = Never }
extension ForEach where Content: View {
  public nonisolated init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct Button<Label: View>: PrimitiveView {}
extension Button where Label == Text {
  @preconcurrency public nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}

public struct Toggle<Label: View>: PrimitiveView {}
extension Toggle where Label == Text {
  public nonisolated init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {}
}

public struct Slider<Label: View, ValueLabel: View>: PrimitiveView {}
extension Slider where Label == EmptyView, ValueLabel == EmptyView {
  public nonisolated init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {}
}

public struct TextField<Label: View>: PrimitiveView {}
extension TextField where Label == Text {
  public nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}

public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle {}
extension ShapeStyle where Self == Color {
  public static var red: Color { Color() }
}

extension View {
  public nonisolated func disabled(_ disabled: Bool) -> some View { self }
  public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
  public nonisolated func onReceive<P: Publisher>(
    _ publisher: P, perform action: @escaping (P.Output) -> Void
  ) -> some View where P.Failure == Never { self }
  public nonisolated func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
}
