import RulesHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

Terminal.ignoreBrokenPipes()
Defects.endInExitCode()
exit(Tool.rulesCheck.run(Array(CommandLine.arguments.dropFirst())).rawValue)
