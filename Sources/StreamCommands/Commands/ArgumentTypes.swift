internal import ArgumentParser
internal import StreamDriving

extension NamedArgument: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension ValueFormat: ExpressibleByArgument {}
extension Speed: ExpressibleByArgument {}

extension ByteCount: ExpressibleByArgument {
  package var defaultValueDescription: String { description }
}
