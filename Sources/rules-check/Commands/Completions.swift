import RulesHost

/// Completion scripts for shells, generated from the table of commands.
struct Completions {
  /// The supported shells.
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  /// Returns the script for a shell.
  func script(_ shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The table of commands.
  let commands: [Command]

  /// Returns the operands of a command that takes no files; nil for others.
  private func words(for command: Command) -> [String]? {
    switch command.name {
    case CompletionsCommand.name: Shell.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// The topics of `help`.
  private var topics: [String] { commands.map(\.name) + CodeHelp.codes }

  private func names(_ option: any OptionRow) -> [String] {
    [option.name] + (option.short.map { [$0] } ?? [])
  }

  // MARK: bash

  private var bash: String {
    var text = """
      # rules-check completion for bash: source <(rules-check completions bash)
      _rules_check() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local command="${COMP_WORDS[1]}"
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(topLevel)" -- "$current"))
          return
        fi
        case "$command" in

      """
    for command in commands { text += bash(command) }
    return text + """
          help)
            COMPREPLY=($(compgen -W "\(topics.joined(separator: " "))" -- "$current")) ;;
        esac
      }
      complete -F _rules_check rules-check

      """
  }

  private var topLevel: String {
    (commands.map(\.name) + ["help", "--help", "--version"]).joined(separator: " ")
  }

  private func bash(_ command: Command) -> String {
    var text = "    \(command.name))\n      case \"$previous\" in\n"
    for option in command.listedOptions where option.value != nil {
      let pattern = names(option).joined(separator: "|")
      let found =
        option.choices.isEmpty ? "-f" : "-W \"\(option.choices.joined(separator: " "))\""
      text += "        \(pattern)) COMPREPLY=($(compgen \(found) -- \"$current\")); return ;;\n"
    }
    let options = command.listedOptions.map(\.name).joined(separator: " ")
    let operands = words(for: command).map { "-W \"\($0.joined(separator: " "))\"" } ?? "-f"
    return text + """
            esac
            case "$current" in
              -*) COMPREPLY=($(compgen -W "\(options)" -- "$current")) ;;
              *) COMPREPLY=($(compgen \(operands) -- "$current")) ;;
            esac ;;

      """
  }

  // MARK: zsh

  private var zsh: String {
    var text = """
      #compdef rules-check
      # rules-check completion for zsh: put it as _rules-check into a folder of $fpath
      _rules_check() {
        if (( CURRENT == 2 )); then
          local -a commands=(

      """
    for command in commands {
      text += "      \(quoted("\(command.name):\(command.summary)"))\n"
    }
    text += """
            'help:what a command does, or a code means'
          )
          _describe command commands
          return
        fi
        local command="$words[2]"
        shift words
        (( CURRENT-- ))
        case "$command" in

      """
    for command in commands { text += zsh(command) }
    return text + """
          help) _arguments '1:topic:(\(topics.joined(separator: " ")))' ;;
        esac
      }
      # Found in $fpath, this file is the function that completes; sourced, it defines it.
      if [ "$funcstack[1]" = "_rules-check" ]; then
        _rules_check "$@"
      else
        compdef _rules_check rules-check
      fi

      """
  }

  private func zsh(_ command: Command) -> String {
    var lines: [String] = []
    for option in command.listedOptions {
      for name in names(option) {
        var spec = (option.isRepeatable ? "*" : "") + name + "[" + bracketed(option.summary) + "]"
        if let value = option.value {
          let found =
            option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
          spec += ":\(value.split(separator: ":").joined(separator: " ")):\(found)"
        }
        lines.append(quoted(spec))
      }
    }
    let operands = words(for: command).map { "(\($0.joined(separator: " ")))" } ?? "_files"
    lines.append("'*:operand:\(operands)'")
    return "    \(command.name)) _arguments \\\n      " + lines.joined(separator: " \\\n      ")
      + " ;;\n"
  }

  private func bracketed(_ text: String) -> String {
    text.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: " ")
  }

  /// Returns a word in single quotes.
  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  // MARK: fish

  private var fish: String {
    var text = "# rules-check completion for fish: rules-check completions fish | source\n"
    let first = "complete -c rules-check -n __fish_use_subcommand -f"
    for command in commands {
      text += "\(first) -a \(command.name) -d \(fishQuoted(command.summary))\n"
    }
    text += "\(first) -a help -d 'what a command does, or a code means'\n"
    for command in commands { text += fish(command) }
    return text + "complete -c rules-check -n '__fish_seen_subcommand_from help' -f -a "
      + fishQuoted(topics.joined(separator: " ")) + "\n"
  }

  private func fish(_ command: Command) -> String {
    let start = "complete -c rules-check -n '__fish_seen_subcommand_from \(command.name)'"
    var text = ""
    if let words = words(for: command) {
      text += "\(start) -f -a \(fishQuoted(words.joined(separator: " ")))\n"
    }
    for option in command.listedOptions {
      text += "\(start) -l \(option.name.dropFirst(2))"
      if let short = option.short { text += " -s \(short.dropFirst())" }
      if option.value != nil { text += " -r" }
      if !option.choices.isEmpty {
        text += " -f -a \(fishQuoted(option.choices.joined(separator: " ")))"
      }
      text += " -d \(fishQuoted(option.summary))\n"
    }
    return text
  }

  private func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
