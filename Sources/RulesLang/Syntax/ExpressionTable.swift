#if hasFeature(Embedded)
  /// The expressions of a ruleset. Nobody changes rules in a program for a page.
  public typealias ExpressionTable = [Expression]
#else
  /// The expressions of a ruleset, in pages that a changed copy of the table has in common with it.
  ///
  /// Who tries thousands of small changes of a file of thousands of lines has a copy for each of them. Of one
  /// array a copy takes as long as the file is: each node holds references, which are counted.
  @frozen
  public struct ExpressionTable: RandomAccessCollection, MutableCollection, Sendable {
    /// The pages; all but the last one are full.
    @usableFromInline var pages: [[Expression]] = []
    /// The number of expressions.
    public private(set) var count = 0

    /// So many bits of an index are the place in the page.
    @usableFromInline static var bits: Int { 6 }
    /// The bits of an index that are the place in the page.
    @usableFromInline static var mask: Int { (1 << bits) - 1 }

    /// Makes a table without expressions.
    public init() {}

    /// The first index.
    @inlinable public var startIndex: Int { 0 }
    /// The index behind the last one.
    @inlinable public var endIndex: Int { count }

    /// The expression with an index.
    @inlinable public subscript(index: Int) -> Expression {
      _read { yield pages[index >> Self.bits][index & Self.mask] }
      _modify { yield &pages[index >> Self.bits][index & Self.mask] }
    }

    /// Adds an expression.
    public mutating func append(_ expression: Expression) {
      if count & Self.mask == 0 {
        pages.append([])
        pages[pages.count - 1].reserveCapacity(Self.mask + 1)
      }
      pages[pages.count - 1].append(expression)
      count += 1
    }

    /// Makes room for so many expressions.
    public mutating func reserveCapacity(_ count: Int) {
      pages.reserveCapacity((count + Self.mask) >> Self.bits)
    }

    /// Adds expressions.
    static func += (table: inout Self, expressions: [Expression]) {
      for expression in expressions { table.append(expression) }
    }
  }
#endif
