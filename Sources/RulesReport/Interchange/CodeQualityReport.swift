import RulesEval
import RulesLang

/// Annotations in the format of GitLab's Code Quality: merge requests show which ones a branch adds and
/// fixes.
package struct CodeQualityReport {
  private let annotations: [Annotation]

  /// Creates a report of annotations.
  package init(_ annotations: [Annotation]) { self.annotations = annotations }

  /// The text of the report.
  package var text: String {
    JSONText.array(
      zip(annotations, annotations.fingerprints).map { annotation, fingerprint in
        .object([
          ("description", .string(annotation.message)), ("check_name", .string(annotation.code)),
          ("fingerprint", .string(fingerprint)),
          ("severity", .string(Self.word(annotation.severity))),
          (
            "location",
            .object([
              // GitLab requires a path even for a problem without a file.
              ("path", .string(annotation.file.isEmpty ? "." : annotation.file)),
              // A finding about the whole file is at its beginning: GitLab requires a line.
              ("lines", .object([("begin", .int(annotation.place?.line ?? 1))])),
            ])
          ),
        ])
      }
    ).pretty
  }

  private static func word(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "major"
    case .warning: "minor"
    case .info: "info"
    }
  }
}
