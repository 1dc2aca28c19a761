import RulesLang
package import RulesReport

// Reports in which files have other names: people read paths relative to the working folder, programs
// relative to the root of the repository.

extension TestReport {
  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> TestReport {
    var report = self
    for place in report.suites.indices {
      report.suites[place].source = suites[place].source.renamed(name(suites[place].source.name))
      report.suites[place].rulesPath = name(suites[place].rulesPath)
      for claim in report.suites[place].claims.indices {
        report.suites[place].claims[claim].name(rulesBy: name)
      }
      let rules = suites[place].rules
      report.suites[place].rules = rules.renamed(name(rules.ruleset.source.name))
    }
    report.notices = notices.map { $0.naming(name) }
    report.coverage = coverage?.naming(name)
    report.cost = cost?.naming(name)
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension ClaimResult {
  /// Maps the name of the rules by a function.
  fileprivate mutating func name(rulesBy name: (String) -> String) {
    rules.source = rules.source.renamed(name(rules.source.name))
  }
}

extension Annotation {
  /// Returns the annotation with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> Annotation {
    var remark = self
    remark.file = name(file)
    for place in related.indices { remark.related[place].file = name(related[place].file) }
    return remark
  }
}

extension TestReport.Context {
  /// Returns the context with the name of the rules mapped by a function.
  package func naming(_ name: (String) -> String) -> Self {
    Self(
      source: source.renamed(name(source.name)),
      rules: rules.renamed(name(rules.ruleset.source.name)))
  }
}

extension CheckReport {
  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> CheckReport {
    var report = self
    for place in report.files.indices {
      report.files[place].path = name(files[place].path)
      report.files[place].source = files[place].source.renamed(name(files[place].source.name))
    }
    report.refusals = refusals.map { $0.naming(name) }
    report.notices = notices.map { $0.naming(name) }
    report.silences = silences.map { $0.naming(name) }
    return report
  }
}

extension FormatReport {
  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> FormatReport {
    var report = self
    for place in report.files.indices { report.files[place].path = name(files[place].path) }
    report.refusals = refusals.map { $0.naming(name) }
    report.notices = notices.map { $0.naming(name) }
    return report
  }
}

extension DiffReport {
  /// Returns the report with the names of the newer files mapped by a function.
  package func naming(_ name: (String) -> String) -> DiffReport {
    var report = self
    for place in report.pairs.indices {
      let source = pairs[place].new.source
      report.pairs[place].new.source = source.renamed(name(source.name))
      // `REVISION:PATH`, if the older version comes from git.
      let old = pairs[place].old.source
      let path = old.name.hasSuffix(":" + source.name) ? source.name : old.name
      report.pairs[place].old.source = old.renamed(
        String(old.name.dropLast(path.count)) + name(path))
    }
    report.notices = notices.map { $0.naming(name) }
    report.silences = silences.map { $0.naming(name) }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension ProofReport {
  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> ProofReport {
    var report = self
    for place in report.files.indices {
      report.files[place].source = files[place].source.renamed(name(files[place].source.name))
      report.files[place].rulesPath = name(files[place].rulesPath)
      for result in report.files[place].results.indices {
        report.files[place].results[result].name(rulesBy: name)
      }
    }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension MutationReport {
  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> MutationReport {
    var report = self
    for place in report.files.indices {
      report.files[place].path = name(files[place].path)
      report.files[place].suites = files[place].suites.map { $0.renamed(name($0.name)) }
    }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension AuditReport {
  /// Returns the report with the file name mapped by a function.
  package func naming(_ name: (String) -> String) -> AuditReport {
    var report = self
    report.rulesPath = name(rulesPath)
    return report
  }
}
