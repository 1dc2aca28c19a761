// Unpacks LZMA (the form of a file that ends in .lzma: five bytes of properties and dictionary size, eight
// of size, then the stream). A WebAssembly module of its own, some 2 KB, because the engine is what is
// packed, and no browser unpacks this itself; gzip would make the page a third larger.

#include <stddef.h>
#include <stdint.h>

enum { page = 65536, top = 1 << 24, half = 1024, states = 12, lengths = 2 + 16 * 8 + 16 * 8 + 256 };

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

static uint32_t byte(Coder *c) {
  if (c->in == c->end) __builtin_trap();
  return *c->in++;
}

static unsigned bit(Coder *c, uint16_t *chance) {
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

static unsigned tree(Coder *c, uint16_t *chances, unsigned bits) {
  unsigned value = 1;
  for (unsigned i = 0; i < bits; i++) value = value << 1 | bit(c, &chances[value]);
  return value - (1u << bits);
}

static unsigned reverseTree(Coder *c, uint16_t *chances, unsigned bits) {
  unsigned value = 1, result = 0;
  for (unsigned i = 0; i < bits; i++) {
    unsigned one = bit(c, &chances[value]);
    value = value << 1 | one, result |= one << i;
  }
  return result;
}

static unsigned length(Coder *c, uint16_t *chances, unsigned position) {
  if (!bit(c, chances)) return tree(c, chances + 2 + position * 8, 3);
  if (!bit(c, chances + 1)) return 8 + tree(c, chances + 2 + 128 + position * 8, 3);
  return 16 + tree(c, chances + 2 + 256, 8);
}

static uint16_t *chances(size_t count) {
  uint16_t *all = take(count * sizeof(uint16_t));
  for (size_t i = 0; i < count; i++) all[i] = half;
  return all;
}

static uint32_t outputCount;

/// Room for so many bytes of input.
void *room(size_t count) { return take(count); }

/// The length of what was unpacked.
uint32_t unpackedCount(void) { return outputCount; }

/// Unpacks; returns where the output is. Traps on what is damaged.
uint8_t *unpack(const uint8_t *input, size_t count) {
  if (count < 18 || input[0] >= 225) __builtin_trap();
  unsigned lc = input[0] % 9, lp = input[0] / 9 % 5, pb = input[0] / 45;
  uint64_t size = 0;
  for (int i = 0; i < 8; i++) size |= (uint64_t)input[5 + i] << (8 * i);
  if (size > 1u << 28) __builtin_trap();
  uint8_t *out = take((size_t)size);
  size_t at = 0;

  Coder c = {input + 14, input + count, 0xFFFFFFFFu, 0};
  for (int i = 0; i < 4; i++) c.code = c.code << 8 | byte(&c);

  uint16_t *isMatch = chances(states << 4), *isRep = chances(states), *isRep0 = chances(states);
  uint16_t *isRep1 = chances(states), *isRep2 = chances(states), *isLong = chances(states << 4);
  uint16_t *literal = chances((size_t)0x300 << (lc + lp)), *slots = chances(4 << 6);
  uint16_t *special = chances(128), *align = chances(16);
  uint16_t *matchLength = chances(lengths + 16), *repLength = chances(lengths + 16);
  unsigned state = 0;
  uint32_t rep[4] = {0, 0, 0, 0};

  while (at < size) {
    unsigned position = at & ((1u << pb) - 1);
    if (!bit(&c, &isMatch[(state << 4) + position])) {
      unsigned previous = at ? out[at - 1] : 0;
      uint16_t *base =
          literal + (size_t)0x300 * (((at & ((1u << lp) - 1)) << lc) + (previous >> (8 - lc)));
      unsigned symbol = 1;
      if (state >= 7) {
        if (rep[0] >= at) __builtin_trap();
        unsigned match = out[at - rep[0] - 1];
        while (symbol < 0x100) {
          unsigned wanted = match >> 7 & 1;
          match <<= 1;
          unsigned one = bit(&c, &base[((1 + wanted) << 8) + symbol]);
          symbol = symbol << 1 | one;
          if (wanted != one) break;
        }
      }
      while (symbol < 0x100) symbol = symbol << 1 | bit(&c, &base[symbol]);
      out[at++] = (uint8_t)symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    unsigned count;
    if (bit(&c, &isRep[state])) {
      if (!bit(&c, &isRep0[state])) {
        if (!bit(&c, &isLong[(state << 4) + position])) {
          if (rep[0] >= at) __builtin_trap();
          state = state < 7 ? 9 : 11;
          out[at] = out[at - rep[0] - 1];
          at++;
          continue;
        }
      } else {
        uint32_t distance;
        if (!bit(&c, &isRep1[state])) {
          distance = rep[1];
        } else {
          if (!bit(&c, &isRep2[state])) {
            distance = rep[2];
          } else {
            distance = rep[3], rep[3] = rep[2];
          }
          rep[2] = rep[1];
        }
        rep[1] = rep[0], rep[0] = distance;
      }
      count = length(&c, repLength, position);
      state = state < 7 ? 8 : 11;
    } else {
      rep[3] = rep[2], rep[2] = rep[1], rep[1] = rep[0];
      count = length(&c, matchLength, position);
      state = state < 7 ? 7 : 10;
      unsigned slot = tree(&c, slots + ((count < 4 ? count : 3) << 6), 6);
      if (slot < 4) {
        rep[0] = slot;
      } else {
        unsigned direct = (slot >> 1) - 1;
        uint32_t distance = (2 | (slot & 1)) << direct;
        if (slot < 14) {
          distance += reverseTree(&c, special + distance - slot, direct);
        } else {
          uint32_t high = 0;
          for (unsigned i = 0; i < direct - 4; i++) {
            c.range >>= 1;
            uint32_t one = c.code >= c.range;
            if (one) c.code -= c.range;
            high = high << 1 | one;
            if (c.range < top) c.range <<= 8, c.code = c.code << 8 | byte(&c);
          }
          distance += high << 4;
          distance += reverseTree(&c, align, 4);
        }
        rep[0] = distance;
      }
    }
    if (rep[0] == 0xFFFFFFFFu) break;
    if (rep[0] >= at) __builtin_trap();
    for (count += 2; count > 0 && at < size; count--, at++) out[at] = out[at - rep[0] - 1];
  }
  outputCount = (uint32_t)at;
  return out;
}
