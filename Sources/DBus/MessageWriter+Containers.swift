// SPDX-License-Identifier: MIT

extension MessageWriter {
  /// Writes an array of what `body` writes: any number of values of the element's signature.
  public mutating func appendArray(
    of element: Signature,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.array.rawValue) else { return }
    guard element.isSingleCompleteType, let code = element.rawValue.utf8.first else {
      fail(.invalidArguments("an array of other than one complete type: '\(element)'"))
      return
    }
    let start = scope.isRecording ? types.count : scope.cursor
    acceptAll(of: element.rawValue.utf8)
    let alignment = TypeCode(rawValue: code)?.alignment ?? 1
    appendElements(types: start, alignment: alignment, body)
  }

  /// Writes a dictionary of named values, `a{sv}`; `body` writes its entries.
  public mutating func appendDictionary(
    _ body: (inout MessageWriter) -> Void
  ) {
    appendDictionary(key: .string, value: .variant, body)
  }

  /// Writes a dictionary; `body` writes its entries.
  public mutating func appendDictionary(
    key: TypeCode,
    value: Signature,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.array.rawValue) else { return }
    guard key.isBasic, value.isSingleCompleteType else {
      fail(.invalidArguments("not the types of a dictionary: '\(key)' and '\(value)'"))
      return
    }
    let start = scope.isRecording ? types.count : scope.cursor
    acceptOne(TypeCode.dictionaryEntry.rawValue)
    acceptOne(key.rawValue)
    acceptAll(of: value.rawValue.utf8)
    acceptOne(UInt8(ascii: "}"))
    let isNamedValues = key == .string && value.rawValue == "v"
    appendElements(types: start, alignment: 8, isNamedValues: isNamedValues, body)
  }

  /// Writes an entry of a dictionary whose keys are texts; `body` writes the value.
  public mutating func appendEntry(
    _ key: String,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard beginEntry() else { return }
    append(key)
    body(&self)
    endEntry()
  }

  /// Writes an entry of a dictionary; `body` writes the key and then the value.
  public mutating func appendEntry(
    _ body: (inout MessageWriter) -> Void
  ) {
    guard beginEntry() else { return }
    body(&self)
    endEntry()
  }

  @inline(__always)
  mutating func beginEntry() -> Bool {
    guard accept(TypeCode.dictionaryEntry.rawValue) else { return false }
    guard !scope.isRecording else {
      fail(.invalidArguments("an entry outside a dictionary"))
      return false
    }
    guard open(), hasRoom(for: 8) else { return false }
    body.align(to: 8)
    return true
  }

  @inline(__always)
  mutating func endEntry() {
    _ = accept(UInt8(ascii: "}"))
    close()
  }

  /// Writes a structure of what `body` writes, at least one value.
  public mutating func appendStructure(
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.structure.rawValue), open(), hasRoom(for: 8) else { return }
    self.body.align(to: 8)
    let typesBefore = types.count
    body(&self)
    if scope.isRecording && types.count == typesBefore {
      fail(.invalidArguments("a structure without members"))
    }
    _ = accept(UInt8(ascii: ")"))
    close()
  }

  /// Moves past codes that are part of a container's type rather than values.
  @inline(__always)
  private mutating func acceptOne(_ code: UInt8) {
    _ = accept(code)
  }

  private mutating func acceptAll(of codes: String.UTF8View) {
    for code in codes { acceptOne(code) }
  }

  /// The length, the padding and the elements of an array whose element's type lies in ``types``
  /// from `types` up to where the scope now stands.
  private mutating func appendElements(
    types start: Int,
    alignment: Int,
    isNamedValues: Bool = false,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard !hasFailed, open(), hasRoom(for: 16) else { return }
    let outer = scope
    let end = scope.isRecording ? types.count : scope.cursor
    self.body.append(aligned: 0 as UInt32)
    let lengthPosition = self.body.count - 4
    self.body.align(to: alignment)
    let contentStart = self.body.count
    scope = Scope(
      isRecording: false,
      repeats: true,
      isNamedValues: isNamedValues,
      start: start,
      cursor: start,
      end: end
    )
    body(&self)
    if scope.cursor != scope.start && scope.cursor != scope.end {
      fail(.invalidArguments("an array's last element is not complete"))
    }
    let length = self.body.count - contentStart
    self.body.replace(at: lengthPosition, with: UInt32(truncatingIfNeeded: length))
    scope = outer
    close()
  }
}
