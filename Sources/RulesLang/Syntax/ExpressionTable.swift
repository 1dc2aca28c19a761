#if hasFeature(Embedded)
  /// The expressions of a ruleset: a plain array, in a program for a page, which never changes rules.
  public typealias ExpressionTable = [Expression]
#else
  /// The expressions of a ruleset, in pages that changed copies of the table share.
  ///
  /// A program that tries thousands of small changes of a large file has a copy for each of them. Copying one
  /// array takes time proportional to the file: each node holds references, which are counted.
  @frozen
  public struct ExpressionTable: RandomAccessCollection, MutableCollection, Sendable {
    /// The pages; all but the last one are full.
    @usableFromInline var pages: [[Expression]] = []
    /// The number of expressions.
    public private(set) var count = 0

    /// The number of low bits of an index that select the element within its page.
    @usableFromInline static var bits: Int { 6 }
    /// The mask of these bits.
    @usableFromInline static var mask: Int { (1 << bits) - 1 }

    /// Creates a table without expressions.
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

    /// Reserves memory for `count` expressions.
    public mutating func reserveCapacity(_ count: Int) {
      pages.reserveCapacity((count + Self.mask) >> Self.bits)
    }

    /// Adds expressions.
    static func += (table: inout Self, expressions: [Expression]) {
      for expression in expressions { table.append(expression) }
    }
  }
#endif
