#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import StreamCommands

exit(StreamrunTool.run(Array(CommandLine.arguments.dropFirst())))
