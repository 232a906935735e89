/// The rule by which a hub halts a rollout.
///
/// A share of failures among few clients says little about the share among all, so the rule compares the lower end of
/// the 95 % interval with the permitted share: the score interval of Wilson, E. B. (1927), "Probable Inference, the Law
/// of Succession, and Statistical Inference", Journal of the American Statistical Association 22, p. 209–212. The rule
/// is evaluated after every report, which makes a chance excess more likely than a single evaluation. The minimum
/// number of failures keeps a few broken clients from halting a small rollout.
public struct HaltRule: Hashable, Sendable {
  /// Share of failures that is permitted, in percent. 0 to 100.
  public var percent: Double
  /// Number of clients that have to have reported. 1 or more.
  public var reports: Int
  /// Number of clients that have to have failed. 1 or more.
  public var failures: Int

  /// - Parameters:
  ///   - percent: Default 2.
  ///   - reports: Default 20.
  ///   - failures: Default 5.
  public init(percent: Double = 2, reports: Int = 20, failures: Int = 5) {
    self.percent = percent
    self.reports = reports
    self.failures = failures
  }

  /// The quantile of the normal distribution for 95 %.
  private static let quantile = 1.959_963_984_540_054

  /// Whether a rollout halts.
  ///
  /// - Parameters:
  ///   - failed: Number of clients that report a failure.
  ///   - total: Number of clients that report.
  public func halts(_ failed: Int, of total: Int) -> Bool {
    failed >= failures && total >= reports && Self.lowerBound(failed, of: total) > percent / 100
  }

  /// The lower end of the interval of the share, 0 to 1.
  package static func lowerBound(_ failed: Int, of total: Int) -> Double {
    guard total > 0 else { return 0 }
    let (share, count, square) = (Double(failed) / Double(total), Double(total), quantile * quantile)
    let spread = quantile * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
    return max(0, (share + square / (2 * count) - spread) / (1 + square / count))
  }
}
