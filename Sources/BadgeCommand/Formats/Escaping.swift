// SPDX-License-Identifier: MIT

/// Escapes texts for the languages that bars read.
enum Escaping {
  /// Text for Pango markup.
  static func markup(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "'": result += "&#39;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text for polybar, which cannot escape `%{`: a space separates the two.
  static func polybar(_ text: String) -> String {
    var result = ""
    var isAfterPercent = false
    for scalar in plain(text).unicodeScalars {
      if isAfterPercent, scalar == "{" { result += " " }
      result.unicodeScalars.append(scalar)
      isAfterPercent = scalar == "%"
    }
    return result
  }

  /// Text on one line, without control characters.
  static func plain(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(isControl(scalar) ? " " : scalar)
    }
    return result
  }

  /// A quoted word for a POSIX shell.
  static func shell(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
    }
    return result + "'"
  }
}
