// What Swift's library for embedded programs expects of a C library, for WebAssembly without a system.

#include <stddef.h>
#include <stdint.h>

// ---- Memory: a list of free blocks for each size class, four classes to a doubling. A block has its
// class in the 16 bytes before it. Memory is never given back to the page, which ends the whole engine.

extern unsigned char __heap_base;

enum { header = 16, classes = 4 * 28, page = 65536 };

typedef struct Block { struct Block *next; } Block;

static Block *freeBlocks[classes];
static uintptr_t heapNext, heapEnd;

static unsigned sizeClass(size_t size) {
  if (size < 16) size = 16;
  unsigned log = 31 - __builtin_clz((unsigned)size);
  size_t quarter = (size_t)1 << (log - 2);
  size_t step = (size - ((size_t)1 << log) + quarter - 1) / quarter;
  return (log - 4) * 4 + (unsigned)step;
}

static size_t classSize(unsigned kind) {
  size_t quarter = (size_t)1 << (kind / 4 + 2);
  return quarter * 4 + quarter * (kind % 4);
}

static void *grow(size_t size) {
  if (heapNext == 0) {
    heapNext = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    heapEnd = (uintptr_t)__builtin_wasm_memory_size(0) * page;
  }
  if (size > heapEnd - heapNext) {
    size_t missing = (size - (heapEnd - heapNext) + page - 1) / page;
    size_t wanted = missing > 64 ? missing : 64;
    if (__builtin_wasm_memory_grow(0, wanted) == (size_t)-1) {
      wanted = missing;
      if (__builtin_wasm_memory_grow(0, wanted) == (size_t)-1) __builtin_trap();
    }
    heapEnd += wanted * page;
  }
  void *start = (void *)heapNext;
  heapNext += size;
  return start;
}

void *malloc(size_t size) {
  if (size > (size_t)1 << 30) __builtin_trap();
  unsigned kind = sizeClass(size);
  Block *block = freeBlocks[kind];
  if (block) {
    freeBlocks[kind] = block->next;
    return block;
  }
  size_t whole = (classSize(kind) + header + 15) & ~(size_t)15;
  char *start = grow(whole);
  *(unsigned *)start = kind;
  return start + header;
}

void free(void *pointer) {
  if (!pointer) return;
  unsigned kind = *(unsigned *)((char *)pointer - header);
  Block *block = pointer;
  block->next = freeBlocks[kind];
  freeBlocks[kind] = block;
}

// No type of ours asks for more than 16 bytes, which every block has.
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment > 16) __builtin_trap();
  *result = malloc(size);
  return 0;
}

// Compiled with bulk memory, these builtins are single instructions, not calls of themselves.
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

// ---- Seeds of hash tables. Nothing that a page shows depends on their order; nobody but the user's own
// rules fills them.

void arc4random_buf(void *to, size_t count) {
  static uint32_t state = 0x9E3779B9u;
  unsigned char *bytes = to;
  for (size_t i = 0; i < count; i++) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    bytes[i] = (unsigned char)(state >> 24);
  }
}

// ---- Numbers as text: the page's own reading is exact, and so the same as the C library's. It gives NaN
// for what is no number.

__attribute__((import_module("page"), import_name("number")))
extern double pageNumber(const char *text, size_t count);

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size_t count = strlen(text);
  *result = pageNumber(text, count);
  return *result == *result ? text + count : NULL;
}

// To the nearest whole number, halves away from zero.
double round(double value) {
  double whole = __builtin_trunc(value);
  return __builtin_fabs(value - whole) < 0.5 ? whole : whole + __builtin_copysign(1.0, value);
}

// ---- Integers of 128 bits, which the compiler has functions for.

typedef __int128 Int;
typedef unsigned __int128 UInt;

static UInt join(uint64_t high, uint64_t low) { return (UInt)high << 64 | low; }

UInt __multi3(UInt left, UInt right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  high += a * (uint64_t)(right >> 64) + (uint64_t)(left >> 64) * b;
  return join(high, other << 32 | (uint32_t)low);
}

// Shifts by a number of bits that is not known, in halves.
UInt __ashlti3(UInt value, int count) {
  uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  if (count >= 64) return join(low << (count - 64), 0);
  if (count == 0) return value;
  return join(high << count | low >> (64 - count), low << count);
}

UInt __lshrti3(UInt value, int count) {
  uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  if (count >= 64) return join(0, high >> (count - 64));
  if (count == 0) return value;
  return join(high >> count, low >> count | high << (64 - count));
}

Int __ashrti3(Int value, int count) {
  int64_t high = (int64_t)((UInt)value >> 64);
  uint64_t low = (uint64_t)value;
  if (count >= 64) return (Int)join((uint64_t)(high >> 63), (uint64_t)(high >> (count - 64)));
  if (count == 0) return value;
  return (Int)join((uint64_t)(high >> count), low >> count | (uint64_t)high << (64 - count));
}

static UInt divide(UInt dividend, UInt divisor, UInt *rest) {
  if (divisor == 0) __builtin_trap();
  if (dividend >> 64 == 0 && divisor >> 64 == 0) {
    *rest = (uint64_t)dividend % (uint64_t)divisor;
    return (uint64_t)dividend / (uint64_t)divisor;
  }
  UInt quotient = 0, left = 0;
  for (int bit = 127; bit >= 0; bit--) {
    int carries = (int)(left >> 127);
    left = left << 1 | (dividend >> bit & 1);
    quotient <<= 1;
    if (carries || left >= divisor) left -= divisor, quotient |= 1;
  }
  *rest = left;
  return quotient;
}

UInt __udivti3(UInt dividend, UInt divisor) {
  UInt rest;
  return divide(dividend, divisor, &rest);
}

UInt __umodti3(UInt dividend, UInt divisor) {
  UInt rest;
  divide(dividend, divisor, &rest);
  return rest;
}

static UInt magnitude(Int value) { return value < 0 ? -(UInt)value : (UInt)value; }

Int __divti3(Int dividend, Int divisor) {
  UInt rest, quotient = divide(magnitude(dividend), magnitude(divisor), &rest);
  return (Int)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

Int __modti3(Int dividend, Int divisor) {
  UInt rest;
  divide(magnitude(dividend), magnitude(divisor), &rest);
  return (Int)(dividend < 0 ? -rest : rest);
}

// The product, and whether it does not fit.
Int __muloti4(Int left, Int right, int *overflows) {
  UInt a = magnitude(left), b = magnitude(right), rest;
  int isNegative = (left < 0) != (right < 0);
  UInt product = a * b;
  UInt greatest = ((UInt)1 << 127) - (isNegative ? 0 : 1);
  *overflows = product > greatest || (a != 0 && divide(product, a, &rest) != b);
  return (Int)(isNegative ? -product : product);
}
