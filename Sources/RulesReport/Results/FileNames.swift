import RulesLang

// Reports in which files have other names: people read paths from where they stand, programs from the
// root of the repository.

extension TestReport {
  /// The report with each file called what a function says.
  package func naming(_ name: (String) -> String) -> TestReport {
    var report = self
    for place in report.suites.indices {
      report.suites[place].source = suites[place].source.renamed(name(suites[place].source.name))
      report.suites[place].rulesPath = name(suites[place].rulesPath)
      let rules = suites[place].rules
      report.suites[place].rules = rules.renamed(name(rules.ruleset.source.name))
    }
    report.coverage = coverage?.naming(name)
    report.cost = cost?.naming(name)
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension Annotation {
  /// The remark with each file called what a function says.
  package func naming(_ name: (String) -> String) -> Annotation {
    var remark = self
    remark.file = name(file)
    for place in related.indices { remark.related[place].file = name(related[place].file) }
    return remark
  }
}

extension TestReport.Context {
  /// The setting with each file called what a function says.
  package func naming(_ name: (String) -> String) -> Self {
    Self(
      source: source.renamed(name(source.name)),
      rules: rules.renamed(name(rules.ruleset.source.name)))
  }
}

extension CheckReport {
  /// The report with each file called what a function says.
  package func naming(_ name: (String) -> String) -> CheckReport {
    var report = self
    for place in report.files.indices {
      report.files[place].path = name(files[place].path)
      report.files[place].source = files[place].source.renamed(name(files[place].source.name))
    }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension DiffReport {
  /// The report with each of the newer files called what a function says.
  package func naming(_ name: (String) -> String) -> DiffReport {
    var report = self
    for place in report.pairs.indices {
      let source = pairs[place].new.source
      report.pairs[place].new.source = source.renamed(name(source.name))
    }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension ProofReport {
  /// The report with each file called what a function says.
  package func naming(_ name: (String) -> String) -> ProofReport {
    var report = self
    for place in report.files.indices {
      report.files[place].source = files[place].source.renamed(name(files[place].source.name))
      report.files[place].rulesPath = name(files[place].rulesPath)
    }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension MutationReport {
  /// The report with each file called what a function says.
  package func naming(_ name: (String) -> String) -> MutationReport {
    var report = self
    for place in report.files.indices { report.files[place].path = name(files[place].path) }
    report.refusals = refusals.map { $0.naming(name) }
    return report
  }
}

extension AuditReport {
  /// The report with the file called what a function says.
  package func naming(_ name: (String) -> String) -> AuditReport {
    var report = self
    report.rulesPath = name(rulesPath)
    return report
  }
}
