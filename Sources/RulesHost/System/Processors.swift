#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processors that this process may use.
///
/// A container often shows all processors of its machine but allows a process only two of them, by an
/// affinity mask or a share of time. More threads than that would only wait for each other.
package enum Processors {
  /// The number of processors that this process may use; at least 1.
  package static let available: Int = {
    var count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    if let allowed { count = min(count, allowed) }
    if let quota { count = min(count, quota) }
    return max(1, count)
  }()

  /// The number of processors that the process may run on; nil if unknown.
  private static var allowed: Int? {
    #if os(Linux)
      (try? FileSystem.read("/proc/self/status"))
        .flatMap { allowed(inStatus: String(decoding: $0, as: UTF8.self)) }
    #else
      nil
    #endif
  }

  /// Returns the number of processors in the line `Cpus_allowed_list:` of a process's status, such as
  /// `0-3,8`; nil if there is none.
  package static func allowed(inStatus status: String) -> Int? {
    let title = "Cpus_allowed_list:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else {
      return nil
    }
    var count = 0
    for range in line.dropFirst(title.count).split(separator: ",") {
      let ends = range.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 0, last >= first
      else { return nil }
      count += last - first + 1
    }
    return count > 0 ? count : nil
  }

  /// The processors' worth of time that control groups allow the process, rounded up; nil if unlimited.
  private static var quota: Int? {
    #if os(Linux)
      quota(reading: { path in
        (try? FileSystem.read(path)).map { String(decoding: $0, as: UTF8.self) }
      })
    #else
      nil
    #endif
  }

  /// Returns the smallest share of all groups that contain the process: `cpu.max` of control groups version
  /// 2, `cpu.cfs_quota_us` of version 1.
  static func quota(reading: (String) -> String?) -> Int? {
    guard let groups = reading("/proc/self/cgroup") else { return nil }
    var shares: [Double] = []
    for line in groups.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isSecond = parts[1].isEmpty
      guard isSecond || parts[1].split(separator: ",").contains("cpu") else { continue }
      let mount = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + parts[1]
      for folder in folders(mount: mount, group: String(parts[2])) {
        if let share = isSecond
          ? share(reading(folder + "/cpu.max")) : oldShare(of: folder, reading: reading)
        {
          shares.append(share)
        }
      }
    }
    return shares.min().map { max(1, Int($0.rounded(.up))) }
  }

  /// Returns the folder of a group, and those of all groups that contain it.
  private static func folders(mount: String, group: String) -> [String] {
    var folders = [mount]
    for name in group.split(separator: "/") { folders.append((folders.last ?? mount) + "/" + name) }
    return folders
  }

  /// Returns the share in `max 100000` or `150000 100000`: the time per period; nil if unlimited.
  private static func share(_ text: String?) -> Double? {
    let words = text?.split(whereSeparator: { $0.isWhitespace }) ?? []
    guard words.count == 2, let time = Double(words[0]), let period = Double(words[1]), time > 0,
      period > 0
    else { return nil }
    return time / period
  }

  private static func oldShare(of folder: String, reading: (String) -> String?) -> Double? {
    guard let time = reading(folder + "/cpu.cfs_quota_us"),
      let period = reading(folder + "/cpu.cfs_period_us")
    else { return nil }
    return share(time + " " + period)
  }
}
