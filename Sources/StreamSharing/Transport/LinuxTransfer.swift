#if Sharing && os(Linux)
internal import CTransfer
internal import Foundation
internal import StreamFiles
internal import Synchronization

/// Carries an exchange with libcurl, on the thread of `TransferLoop`.
///
/// `@unchecked`: only the thread of the loop uses what changes, apart from the state in the mutex.
final class LinuxTransfer: @unchecked Sendable {
  typealias Result = Swift.Result<HTTPExchange.Outcome, HTTPExchange.Absence>

  private struct State {
    var continuation: CheckedContinuation<Result, Never>?
    var isCanceled = false
  }

  private let exchange: HTTPExchange
  private let state = Mutex(State())
  /// The handle of libcurl, while the exchange runs.
  private(set) var handle: UnsafeMutableRawPointer?
  private var fields: OpaquePointer?
  private var tag: String?
  /// The time of the last bytes.
  private var lastBytes = ContinuousClock.now
  /// Whether the body is wanted; nil before the header is complete.
  private var isWanted: Bool?

  init(_ exchange: HTTPExchange) { self.exchange = exchange }

  func run() async -> Result {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        TransferLoop.shared.start(self)
      }
    } onCancel: {
      state.withLock { $0.isCanceled = true }
      TransferLoop.shared.wake()
    }
  }

  // MARK: On the thread of the loop

  var isCanceled: Bool { state.withLock(\.isCanceled) }

  /// The time until the exchange ends if no byte arrives.
  ///
  /// NB: libcurl's own limit is a speed, which a rare comment in a stream of events does not reach.
  func patience(at now: ContinuousClock.Instant) -> Duration {
    .seconds(exchange.request.pause) - (now - lastBytes)
  }

  /// Creates the handle; nil if there is no memory for it.
  func open() -> UnsafeMutableRawPointer? {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    lastBytes = .now
    let request = exchange.request
    transfer_set_text(handle, transfer_url, request.url.absoluteString)
    transfer_set_text(handle, transfer_user_agent, "streamrun")
    transfer_set_number(handle, transfer_no_signals, 1)
    // HTTP and HTTPS, also after a redirect.
    transfer_set_number(handle, transfer_protocols, 3)
    transfer_set_number(handle, transfer_redirect_protocols, 3)
    transfer_set_number(handle, transfer_path_as_is, 1)
    transfer_set_number(handle, transfer_keep_alive, 1)
    if request.followsRedirects {
      transfer_set_number(handle, transfer_follow_redirects, 1)
      transfer_set_number(handle, transfer_redirect_limit, 10)
    }
    transfer_set_number(handle, transfer_connect_milliseconds, max(1, Int(request.pause * 1_000)))
    if let duration = request.duration {
      transfer_set_number(handle, transfer_milliseconds, max(1, Int(duration * 1_000)))
    }
    setCertificates(handle)
    setContent(request, handle)
    let context = Unmanaged.passUnretained(self).toOpaque()
    transfer_set_pointer(handle, transfer_header_data, context)
    transfer_set_receiver(handle, transfer_header_function) { bytes, size, count, context in
      LinuxTransfer.with(context, bytes, size * count) { $0.noteField($1) } ? size * count : 0
    }
    transfer_set_pointer(handle, transfer_body_data, context)
    transfer_set_receiver(handle, transfer_body_function) { bytes, size, count, context in
      LinuxTransfer.with(context, bytes, size * count) { $0.receive($1) } ? size * count : 0
    }
    return handle
  }

  /// The variables by which people name the certificates that they trust, as with OpenSSL.
  private func setCertificates(_ handle: UnsafeMutableRawPointer) {
    if let file = ProcessEnvironment.variable("SSL_CERT_FILE"), !file.isEmpty {
      transfer_set_text(handle, transfer_certificate_file, file)
    }
    if let folder = ProcessEnvironment.variable("SSL_CERT_DIR"), !folder.isEmpty {
      transfer_set_text(handle, transfer_certificate_folder, folder)
    }
  }

  private func setContent(_ request: HTTPExchange.Request, _ handle: UnsafeMutableRawPointer) {
    if request.body != nil || request.method != "GET" {
      let body = request.body ?? []
      transfer_set_count(handle, transfer_body_bytes, Int64(body.count))
      body.withUnsafeBytes { bytes in
        // NB: nil would be read from standard input.
        _ = transfer_set_pointer(handle, transfer_copied_body, bytes.baseAddress ?? UnsafeRawPointer(handle))
      }
      transfer_set_text(handle, transfer_method, request.method)
      fields = curl_slist_append(fields, "Expect:")
    }
    for (name, value) in request.headers { fields = curl_slist_append(fields, "\(name): \(value)") }
    if let fields { transfer_set_pointer(handle, transfer_fields, UnsafeRawPointer(fields)) }
  }

  private static func with(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
    _ body: (LinuxTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard let context else { return false }
    return Unmanaged<LinuxTransfer>.fromOpaque(context)
      ._withUnsafeGuaranteedRef { body($0, UnsafeRawBufferPointer(start: bytes, count: count)) }
  }

  /// Notes a line of the header. Each response, such as the response after a redirect, starts again.
  private func noteField(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lastBytes = .now
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") { tag = nil }
    let parts = line.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "etag" {
      tag = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return true
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lastBytes = .now
    return accept() && !isCanceled && exchange.receive(Array(bytes))
  }

  /// Asks once whether the body is wanted.
  private func accept() -> Bool {
    if let isWanted { return isWanted }
    guard let handle else { return false }
    let type = transfer_text(handle, transfer_content_type).map { String(cString: $0) } ?? ""
    let isWanted = exchange.accept(
      HTTPExchange.Head(
        status: transfer_number(handle, transfer_status),
        type: type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased(),
        length: transfer_count(handle, transfer_content_length), tag: tag))
    self.isWanted = isWanted
    return isWanted
  }

  /// Ends the exchange.
  ///
  /// - Parameter code: The result of libcurl; 0 if the response has arrived to its end.
  func finish(_ code: Int32) {
    var status = 0
    if let handle {
      status = transfer_number(handle, transfer_status)
      if status != 0 { _ = accept() }
      curl_easy_cleanup(handle)
    }
    if let fields { curl_slist_free_all(fields) }
    (handle, fields) = (nil, nil)
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(
      returning: status == 0
        ? .failure(Self.absence(code)) : .success(HTTPExchange.Outcome(status: status, isWhole: code == 0)))
  }

  /// The reason behind a result of libcurl, by its public numbers.
  private static func absence(_ code: Int32) -> HTTPExchange.Absence {
    switch code {
    case 6: .unknownHost
    case 28: .late
    case 35, 60, 77, 83, 90, 91: .untrusted
    default: .unreachable
    }
  }
}

/// The thread on which libcurl carries all exchanges of the process. It sleeps while nothing arrives.
///
/// `@unchecked`: only the thread uses what changes, apart from the exchanges that wait in the mutex.
final class TransferLoop: @unchecked Sendable {
  static let shared = TransferLoop()

  private let loop: UnsafeMutableRawPointer?
  private let waiting = Mutex<[LinuxTransfer]>([])
  private var running: [UnsafeMutableRawPointer: LinuxTransfer] = [:]

  private init() {
    // Everything that libcurl can do, TLS among it.
    curl_global_init(3)
    loop = curl_multi_init()
    guard loop != nil else { return }
    _ = SystemThread { [self] in work() }
  }

  func start(_ transfer: LinuxTransfer) {
    guard loop != nil else { return transfer.finish(2) }
    waiting.withLock { $0.append(transfer) }
    wake()
  }

  /// Makes the thread look for exchanges that are new or canceled.
  func wake() { if let loop { curl_multi_wakeup(loop) } }

  private func work() {
    while let loop {
      let new = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for transfer in new {
        guard !transfer.isCanceled, let handle = transfer.open() else {
          transfer.finish(2)
          continue
        }
        running[handle] = transfer
        curl_multi_add_handle(loop, handle)
      }
      for (handle, transfer) in running where transfer.isCanceled { end(transfer, handle, 42, loop) }
      var count: Int32 = 0
      curl_multi_perform(loop, &count)
      var left: Int32 = 0
      while let message = curl_multi_info_read(loop, &left) {
        // The only kind of message: an exchange has ended.
        guard message.pointee.kind == 1, let handle = message.pointee.handle, let transfer = running[handle] else {
          continue
        }
        end(transfer, handle, message.pointee.content.result, loop)
      }
      let now = ContinuousClock.now
      var wait = Duration.seconds(3_600)
      for (handle, transfer) in running {
        let patience = transfer.patience(at: now)
        if patience <= .zero { end(transfer, handle, 28, loop) } else { wait = min(wait, patience) }
      }
      // The time limits that libcurl knows shorten the wait as well.
      curl_multi_poll(loop, nil, 0, Int32(wait / .milliseconds(1)) + 1, nil)
    }
  }

  private func end(
    _ transfer: LinuxTransfer, _ handle: UnsafeMutableRawPointer, _ code: Int32, _ loop: UnsafeMutableRawPointer
  ) {
    running[handle] = nil
    curl_multi_remove_handle(loop, handle)
    transfer.finish(code)
  }
}
#endif
