public import ArgumentParser
internal import StreamDriving
internal import StreamFiles
public import StreamKit

extension NamedArgument: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension ValueFormat: ExpressibleByArgument {}
extension SaveInterval: ExpressibleByArgument {}
extension StateRequest.Mismatch: ExpressibleByArgument {}
extension FileFormat: ExpressibleByArgument {}
extension ExistingContent: EnumerableFlag {}
extension RotationRule: ExpressibleByArgument {}
extension Speed: ExpressibleByArgument {}
extension ReplayEnd: ExpressibleByArgument {}

extension ByteCount: ExpressibleByArgument {
  package var defaultValueDescription: String { description }
}
