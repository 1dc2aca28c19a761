#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

Terminal.ignoreBrokenPipes()
Defects.endInExitCode()
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
