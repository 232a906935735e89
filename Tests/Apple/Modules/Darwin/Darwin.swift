// The part of Apple's Swift overlay of the C library that the sources use.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }

// swift-format-ignore: AlwaysUseLowerCamelCase
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }

// swift-format-ignore: AlwaysUseLowerCamelCase
public var SIG_DFL: sig_t? { nil }
// swift-format-ignore: AlwaysUseLowerCamelCase
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

// swift-format-ignore: AlwaysUseLowerCamelCase
public var S_IFMT: mode_t { 0o170000 }
// swift-format-ignore: AlwaysUseLowerCamelCase
public var S_IFDIR: mode_t { 0o040000 }
// swift-format-ignore: AlwaysUseLowerCamelCase
public var S_IFREG: mode_t { 0o100000 }
// swift-format-ignore: AlwaysUseLowerCamelCase
public var S_IFLNK: mode_t { 0o120000 }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { -1 }
