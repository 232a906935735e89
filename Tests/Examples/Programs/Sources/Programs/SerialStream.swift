import Foundation
import StreamKit

/// A stream made in Swift, stored as JSON, and read again.
public enum SerialStream {
  /// Four values, a second apart.
  public static func make() -> StreamModel {
    StreamModel(
      name: "Serial", stream: [1, 2, 3, 4].map { StreamItem($0, operators: [.delay(seconds: 1)]) },
      operators: [.map("value * 10")])
  }

  public static func data(of model: StreamModel) throws -> Data { try JSONEncoder().encode(model) }

  public static func model(from data: Data) throws -> StreamModel {
    try JSONDecoder().decode(StreamModel.self, from: data)
  }
}
