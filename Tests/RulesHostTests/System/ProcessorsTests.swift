import Testing

@testable import RulesHost

/// How many processors a process may use, by what the files of control groups say.
@Suite struct ProcessorsTests {
  private func quota(_ files: [String: String]) -> Int? {
    Processors.quota { files[$0] }
  }

  @Test func withoutGroupsThereIsNoLimit() {
    #expect(quota([:]) == nil)
    #expect(
      quota(["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "max 100000\n"]) == nil)
  }

  @Test func aShareIsRoundedUp() {
    let groups = ["/proc/self/cgroup": "0::/a\n"]
    for (share, count) in [("150000 100000", 2), ("50000 100000", 1), ("400000 100000", 4)] {
      #expect(quota(groups.merging(["/sys/fs/cgroup/a/cpu.max": share]) { $1 }) == count)
    }
  }

  @Test func theSmallestShareAroundCounts() {
    #expect(
      quota([
        "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": "800000 100000",
        "/sys/fs/cgroup/a/cpu.max": "200000 100000", "/sys/fs/cgroup/cpu.max": "max 100000",
      ]) == 2)
  }

  @Test func theFirstVersionHasFilesOfItsOwn() {
    #expect(
      quota([
        "/proc/self/cgroup": "5:memory:/m\n3:cpu,cpuacct:/a\n",
        "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "300000",
        "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
      ]) == 3)
    #expect(
      quota([
        "/proc/self/cgroup": "3:cpu:/a\n", "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "-1",
        "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000",
      ]) == nil)
  }

  @Test(arguments: [("0-3,8", 5), ("1", 1), ("0-1,4-5,7", 5)])
  func theProcessorsThatMayBeUsedAreCounted(_ list: String, _ count: Int) {
    #expect(
      Processors.allowed(inStatus: "Name:\tx\nCpus_allowed_list:\t\(list)\nMems:\t0\n") == count)
  }

  @Test(arguments: ["", "Cpus_allowed_list:\t", "Cpus_allowed_list:\t3-1", "Cpus_allowed_list:\tx"])
  func aListThatCannotBeReadIsNoLimit(_ status: String) {
    #expect(Processors.allowed(inStatus: status) == nil)
  }

  @Test func nonsenseIsNoLimit() {
    for text in ["", "1", "x y", "100 0", "-3 5"] {
      #expect(quota(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text]) == nil)
    }
    #expect(quota(["/proc/self/cgroup": "nonsense\n\n::::"]) == nil)
  }
}
