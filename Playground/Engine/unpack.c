// Unpacks what a page carries as text: LZMA (the form of a file that ends in .lzma: five bytes of properties
// and dictionary size, eight of size, then the stream). A WebAssembly module of its own, a few KB, because the
// engine is what is packed, and no browser unpacks this itself; gzip would make the page a third larger.

#include <stddef.h>
#include <stdint.h>

enum { page = 65536, top = 1 << 24, half = 1024, states = 12, lengths = 2 + 16 * 8 + 16 * 8 + 256 };

// All in one function: the coder then stays in registers, which makes a third of the time.
#define inlined static inline __attribute__((always_inline))

extern unsigned char __heap_base;

static uintptr_t next;

// Memory is given out once and never taken back: this module lives for one call.
static void *take(size_t size) {
  if (!next) next = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
  void *start = (void *)next;
  next += (size + 15) & ~(size_t)15;
  size_t have = __builtin_wasm_memory_size(0) * (size_t)page;
  if (next > have && __builtin_wasm_memory_grow(0, (next - have + page - 1) / page) == (size_t)-1)
    __builtin_trap();
  return start;
}

typedef struct {
  const uint8_t *in, *end;
  uint32_t range, code;
} Coder;

inlined uint32_t byte(Coder *c) {
  if (c->in == c->end) __builtin_trap();
  return *c->in++;
}

inlined unsigned bit(Coder *c, uint16_t *chance) {
  uint32_t bound = (c->range >> 11) * *chance;
  unsigned value;
  if (c->code < bound) {
    c->range = bound, *chance += (2048 - *chance) >> 5, value = 0;
  } else {
    c->range -= bound, c->code -= bound, *chance -= *chance >> 5, value = 1;
  }
  if (c->range < top) c->range <<= 8, c->code = c->code << 8 | byte(c);
  return value;
}

inlined unsigned tree(Coder *c, uint16_t *chances, unsigned bits) {
  unsigned value = 1;
  for (unsigned i = 0; i < bits; i++) value = value << 1 | bit(c, &chances[value]);
  return value - (1u << bits);
}

inlined unsigned reverseTree(Coder *c, uint16_t *chances, unsigned bits) {
  unsigned value = 1, result = 0;
  for (unsigned i = 0; i < bits; i++) {
    unsigned one = bit(c, &chances[value]);
    value = value << 1 | one, result |= one << i;
  }
  return result;
}

inlined unsigned length(Coder *c, uint16_t *chances, unsigned position) {
  if (!bit(c, chances)) return tree(c, chances + 2 + position * 8, 3);
  if (!bit(c, chances + 1)) return 8 + tree(c, chances + 2 + 128 + position * 8, 3);
  return 16 + tree(c, chances + 2 + 256, 8);
}

static uint16_t *chances(size_t count) {
  uint16_t *all = take(count * sizeof(uint16_t));
  for (size_t i = 0; i < count; i++) all[i] = half;
  return all;
}

/// A stream that is unpacked piece by piece.
typedef struct {
  Coder coder;
  unsigned lc, lp, pb, state;
  uint32_t rep[4];
  uint8_t *out;
  size_t at, size;
  uint16_t *isMatch, *isRep, *isRep0, *isRep1, *isRep2, *isLong, *literal, *slots, *special, *align;
  uint16_t *matchLength, *repLength;
} Stream;

static Stream stream;

/// Room for so many bytes of input.
void *room(size_t count) { return take(count); }

/// How much is unpacked so far, in bytes.
uint32_t unpackedCount(void) { return (uint32_t)stream.at; }

// So many groups of eight characters are turned by one key, which stands before them (`BLOCK` in assemble.py).
enum { groups = 32 };

// Makes bytes of a text of seven bits a character, in its place: seven of eight characters. A byte 0xC4 is the
// first half of a character whose other half has the bits.
static size_t dense(uint8_t *text, size_t count) {
  size_t at = 0, from = 0;
  uint64_t key = 0;
  for (unsigned group = 0; from < count; group++) {
    if (group % groups == 0) key = (text[from++] & 127) * 0x0101010101010101u;
    uint64_t eight = 0;
    if (from + 8 <= count) __builtin_memcpy(&eight, text + from, 8);
    if (from + 8 <= count && !(eight & 0x8080808080808080u)) {
      from += 8;
    } else {
      eight = 0;
      for (unsigned shift = 0; shift < 64 && from < count; from++) {
        if (text[from] == 0xC4) continue;
        eight |= (uint64_t)(text[from] & 127) << shift;
        shift += 8;
      }
    }
    eight = (eight ^ key) & 0x7F7F7F7F7F7F7F7Fu;
    eight = (eight & 0x007F007F007F007Fu) | (eight & 0x7F007F007F007F00u) >> 1;
    eight = (eight & 0x00003FFF00003FFFu) | (eight & 0x3FFF00003FFF0000u) >> 2;
    eight = (eight & 0x000000000FFFFFFFu) | (eight & 0x0FFFFFFF00000000u) >> 4;
    __builtin_memcpy(text + at, &eight, 7);
    at += 7;
  }
  return at;
}

/// Begins with a text of a page; returns where the output will be. Traps on what is damaged.
uint8_t *begin(uint8_t *input, size_t count) {
  count = dense(input, count);
  if (count < 18 || input[0] >= 225) __builtin_trap();
  Stream *s = &stream;
  s->lc = input[0] % 9, s->lp = input[0] / 9 % 5, s->pb = input[0] / 45;
  uint64_t size = 0;
  for (int i = 0; i < 8; i++) size |= (uint64_t)input[5 + i] << (8 * i);
  if (size > 1u << 28) __builtin_trap();
  s->size = (size_t)size;
  s->out = take(s->size);
  s->at = 0;
  s->coder = (Coder){input + 14, input + count, 0xFFFFFFFFu, 0};
  for (int i = 0; i < 4; i++) s->coder.code = s->coder.code << 8 | byte(&s->coder);
  s->isMatch = chances(states << 4), s->isRep = chances(states), s->isRep0 = chances(states);
  s->isRep1 = chances(states), s->isRep2 = chances(states), s->isLong = chances(states << 4);
  s->literal = chances((size_t)0x300 << (s->lc + s->lp)), s->slots = chances(4 << 6);
  s->special = chances(128), s->align = chances(16);
  s->matchLength = chances(lengths + 16), s->repLength = chances(lengths + 16);
  return s->out;
}

inlined void literal(Stream *s, Coder *c) {
  size_t at = s->at;
  unsigned previous = at ? s->out[at - 1] : 0;
  uint16_t *base =
      s->literal + (size_t)0x300 * (((at & ((1u << s->lp) - 1)) << s->lc) + (previous >> (8 - s->lc)));
  unsigned symbol = 1;
  if (s->state >= 7) {
    if (s->rep[0] >= at) __builtin_trap();
    unsigned match = s->out[at - s->rep[0] - 1];
    while (symbol < 0x100) {
      unsigned wanted = match >> 7 & 1;
      match <<= 1;
      unsigned one = bit(c, &base[((1 + wanted) << 8) + symbol]);
      symbol = symbol << 1 | one;
      if (wanted != one) break;
    }
  }
  while (symbol < 0x100) symbol = symbol << 1 | bit(c, &base[symbol]);
  s->out[s->at++] = (uint8_t)symbol;
  s->state = s->state < 4 ? 0 : s->state < 10 ? s->state - 3 : s->state - 6;
}

inlined uint32_t distance(Stream *s, Coder *c, unsigned count) {
  unsigned slot = tree(c, s->slots + ((count < 4 ? count : 3) << 6), 6);
  if (slot < 4) return slot;
  unsigned direct = (slot >> 1) - 1;
  uint32_t result = (2 | (slot & 1)) << direct;
  if (slot < 14) return result + reverseTree(c, s->special + result - slot, direct);
  uint32_t high = 0;
  for (unsigned i = 0; i < direct - 4; i++) {
    c->range >>= 1;
    uint32_t one = c->code >= c->range;
    if (one) c->code -= c->range;
    high = high << 1 | one;
    if (c->range < top) c->range <<= 8, c->code = c->code << 8 | byte(c);
  }
  return result + (high << 4) + reverseTree(c, s->align, 4);
}

// How many bytes are to be copied; none if a single byte was, or the stream ends.
inlined unsigned repeated(Stream *s, Coder *c, unsigned position) {
  uint32_t *rep = s->rep;
  if (bit(c, &s->isRep0[s->state])) {
    uint32_t again = rep[1];
    if (bit(c, &s->isRep1[s->state])) {
      again = rep[2];
      if (bit(c, &s->isRep2[s->state])) again = rep[3], rep[3] = rep[2];
      rep[2] = rep[1];
    }
    rep[1] = rep[0], rep[0] = again;
  } else if (!bit(c, &s->isLong[(s->state << 4) + position])) {
    s->state = s->state < 7 ? 9 : 11;
    return 1;
  }
  unsigned count = 2 + length(c, s->repLength, position);
  s->state = s->state < 7 ? 8 : 11;
  return count;
}

inlined unsigned matched(Stream *s, Coder *c, unsigned position) {
  uint32_t *rep = s->rep;
  rep[3] = rep[2], rep[2] = rep[1], rep[1] = rep[0];
  unsigned count = length(c, s->matchLength, position);
  s->state = s->state < 7 ? 7 : 10;
  rep[0] = distance(s, c, count);
  return 2 + count;
}

/// Unpacks some `count` bytes more; returns whether anything is left. A browser makes fast code of a function
/// while slow code of it runs, and takes it at the next call; so this is to be called many times.
int more(size_t count) {
  Stream *s = &stream;
  Coder c = s->coder;
  size_t until = s->size - s->at < count ? s->size : s->at + count;
  while (s->at < until) {
    unsigned position = s->at & ((1u << s->pb) - 1);
    if (!bit(&c, &s->isMatch[(s->state << 4) + position])) {
      literal(s, &c);
      continue;
    }
    unsigned length = bit(&c, &s->isRep[s->state]) ? repeated(s, &c, position) : matched(s, &c, position);
    if (s->rep[0] == 0xFFFFFFFFu) {
      s->size = s->at;
      break;
    }
    if (s->rep[0] >= s->at) __builtin_trap();
    for (; length > 0 && s->at < s->size; length--, s->at++) s->out[s->at] = s->out[s->at - s->rep[0] - 1];
  }
  s->coder = c;
  return s->at < s->size;
}
