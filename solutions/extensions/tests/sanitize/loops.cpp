// Every loop with every step of its ladder on random sizes, in buffers of exactly the size that the contract names.
//
// Built with the sanitizers by tests/sanitize.rs. Each step must give what the first one gives.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "ext/attention_rows.h"
#include "ext/flash_tiles.h"
#include "ext/loops.h"
#include "ext/paged_rows.h"

using namespace EXT_NS;

static std::mt19937 source(1);

static size_t any(size_t from, size_t to) {
  return from + source() % (to - from + 1);
}

static std::vector<float> normal(size_t n, float by = 1.0f) {
  std::normal_distribution<float> law;
  std::vector<float> values(n);
  for (auto& value : values) {
    value = by * law(source);
  }
  return values;
}

static void same(const char* what, const std::vector<float>& got, const std::vector<float>& want, float bound) {
  for (size_t i = 0; i < want.size(); i++) {
    if (!(std::fabs(got[i] - want[i]) <= bound * (1 + std::fabs(want[i])))) {
      std::printf("%s: element %zu of %zu is %g instead of %g\n", what, i, want.size(), got[i], want[i]);
      std::exit(1);
    }
  }
}

/// The rows and the words of a packed weight, and products with it by every path.
static void products(Instructions set) {
  const size_t group = any(0, 1) == 0 ? 64 : 128;
  const size_t outputs = any(1, 40), groups = any(1, 5), rows = any(1, 14), inputs = group * groups;
  std::vector<uint32_t> words(outputs * inputs / 8);
  for (auto& word : words) {
    word = static_cast<uint32_t>(source());
  }
  const auto scales = normal(outputs * groups, 0.02f), biases = normal(outputs * groups, 0.1f);
  const auto x = normal(rows * inputs);
  const Packed weight{words.data(), scales.data(), biases.data(), Element::Float32, outputs, inputs, group};
  std::vector<float> want(rows * outputs), got(rows * outputs);
  EXT_LOOP(set, quantized_matmul)(weight, x.data(), rows, want.data(), 0, outputs);

  std::vector<float> arranged(rows * inputs), sums(rows * groups);
  for (size_t row = 0; row < rows; row++) {
    EXT_LOOP(set, arrange)(weight, &x[row * inputs], &arranged[row * inputs], &sums[row * groups]);
  }
  for (int version = 1; version <= 3; version++) {
    EXT_LOOP(set, quantized_matvec)(
        weight, x.data(), arranged.data(), sums.data(), rows, got.data(), 0, outputs, version);
    same("quantized_matvec", got, want, 2e-4f);
  }
  std::vector<int16_t> whole(rows * inputs), in_halves(rows * inputs);
  std::vector<float> x_scales(rows * inputs / 8);
  for (size_t row = 0; row < rows; row++) {
    EXT_LOOP(set, round_row)(
        weight, &x[row * inputs], &whole[row * inputs], &in_halves[row * inputs], &x_scales[row * inputs / 8],
        &sums[row * groups]);
  }
  for (int version = 1; version <= 2; version++) {
    EXT_LOOP(set, int16_matvec)(
        weight, whole.data(), in_halves.data(), x_scales.data(), sums.data(), rows, got.data(), 0, outputs, version);
    same("int16_matvec", got, want, 2e-3f);
  }
  const size_t tile = EXT_LOOP(set, tile_rows)(), blocks = (rows + tile - 1) / tile;
  std::vector<float> packed(blocks * tile * inputs);
  EXT_LOOP(set, pack_rows)(x.data(), rows, inputs, packed.data(), 0, blocks);
  for (int version = 1; version <= 2; version++) {
    EXT_LOOP(set, tiled_matmul)(weight, packed.data(), rows, got.data(), 0, outputs, 0, inputs, version);
    same("tiled_matmul", got, want, 2e-4f);
  }
  const size_t splits = any(1, groups), wide = EXT_LOOP(set, tile_outputs)();
  std::vector<float> parts(splits * rows * outputs);
  for (size_t part = 0; part < splits; part++) {
    for (size_t k = 0; k < outputs; k += wide) {
      EXT_LOOP(set, split_k_part)(
          weight, packed.data(), rows, parts.data(), splits, part, k, std::min(outputs, k + wide));
    }
  }
  EXT_LOOP(set, add_parts)(parts.data(), splits, got.size(), got.data(), 0, got.size());
  same("split_k_part and add_parts", got, want, 2e-4f);

  std::vector<float> row(inputs), of_vectors(inputs);
  EXT_LOOP(set, quantized_embedding)(weight, outputs - 1, row.data());
  EXT_LOOP(set, quantized_embedding_vectors)(weight, outputs - 1, of_vectors.data());
  same("quantized_embedding", of_vectors, row, 1e-6f);

  // The rows as those of two experts that have the same weight.
  std::vector<uint32_t> ids(rows);
  for (auto& id : ids) {
    id = static_cast<uint32_t>(any(0, 1));
  }
  std::vector<size_t> begins(3), order(rows);
  EXT_LOOP(set, group_rows)(ids.data(), rows, 2, begins.data(), order.data());
  for (int version = 1; version <= 2; version++) {
    std::fill(got.begin(), got.end(), 0.0f);
    for (size_t expert = 0; expert < 2; expert++) {
      const size_t count = begins[expert + 1] - begins[expert];
      EXT_LOOP(set, expert_rows)(weight, x.data(), &order[begins[expert]], count, got.data(), outputs, version);
    }
    same("expert_rows", got, want, 2e-4f);
  }
}

/// Texts whose keys and values go into pages, and attention over them by both paths.
static void pages(Instructions set) {
  const size_t batch = any(1, 2), heads = any(1, 2), group = any(1, 3), length = any(1, 40), page = any(1, 20);
  const size_t dims = any(1, 40), keys = length + any(0, 100), columns = (keys + page - 1) / page;
  const bool causal = any(0, 1) == 0;
  std::vector<float> key_pages(batch * columns * heads * page * dims), value_pages(key_pages.size());
  std::vector<int32_t> table(batch * columns), contexts(batch, static_cast<int32_t>(keys));
  for (size_t i = 0; i < table.size(); i++) {
    table[i] = static_cast<int32_t>(i);
  }
  std::shuffle(table.begin(), table.end(), source);
  const auto key = normal(batch * heads * keys * dims), value = normal(key.size());
  const auto head_step = static_cast<int64_t>(keys * dims), batch_step = head_step * static_cast<int64_t>(heads);
  for (size_t b = 0; b < batch; b++) {
    for (const bool of_keys : {true, false}) {
      const Heads from{(of_keys ? key : value).data() + b * heads * keys * dims, 0, head_step, static_cast<int64_t>(dims)};
      float* to = (of_keys ? key_pages : value_pages).data();
      const PagedWrite write{
          Element::Float32, from, to, &table[b * columns], 0, heads, keys, page, dims};
      EXT_LOOP(set, paged_cache_update)(write, 0, heads, static_cast<int>(any(1, 2)));
    }
  }
  const auto query = normal(batch * heads * group * length * dims);
  std::vector<float> want(query.size()), got(query.size()), naive(query.size());
  const Attention dense{
      Element::Float32, query.data(), {key.data(), batch_step, head_step, static_cast<int64_t>(dims)},
      {value.data(), batch_step, head_step, static_cast<int64_t>(dims)}, want.data(), batch, heads * group, heads, length,
      keys, dims, 0.3f, causal, nullptr, {}};
  EXT_LOOP(set, decode_attention)(dense, 0, batch * heads * parts_of_head(dense), 1);
  PagedAttention paged{
      Element::Float32, query.data(), key_pages.data(), value_pages.data(), naive.data(), table.data(), columns,
      contexts.data(), batch, heads * group, heads, length, page, dims, 0.3f, causal};
  EXT_LOOP(set, paged_attention)(paged, 0, batch * heads * parts_of_head(paged), 1);
  same("paged_attention, naive", naive, want, 2e-5f);
  paged.out = got.data();
  EXT_LOOP(set, paged_attention)(paged, 0, batch * heads * parts_of_head(paged), 2);
  same("paged_attention", got, want, 2e-5f);
  paged.out = naive.data();
  EXT_LOOP(set, flash_attention)(paged, 0, batch * heads * tiles_of_head(paged), 1);
  same("flash_attention, naive", naive, want, 2e-5f);
  EXT_LOOP(set, flash_attention)(paged, 0, batch * heads * tiles_of_head(paged), 2);
  // Where a head is whole vectors the two paths give the same bits.
  same("flash_attention", naive, got, dims % 16 == 0 ? 0.0f : 2e-5f);
}

static void attention(Instructions set) {
  const size_t batch = any(1, 2), heads = any(1, 3), group = any(1, 4), length = any(1, 6), keys = any(0, 90);
  const size_t dims = any(1, 70), mask_kind = any(0, 2);
  const auto query = normal(batch * heads * group * length * dims);
  const auto key = normal(batch * heads * keys * dims), value = normal(batch * heads * keys * dims);
  auto mask = normal(keys);
  for (auto& entry : mask) {
    entry = source() % 3 == 0 ? -INFINITY : entry;
  }
  std::vector<float> want(query.size()), got(query.size());
  const auto head_step = static_cast<int64_t>(keys * dims), token_step = static_cast<int64_t>(dims);
  const int64_t batch_step = head_step * static_cast<int64_t>(heads);
  Attention attention{
      Element::Float32, query.data(), {key.data(), batch_step, head_step, token_step},
      {value.data(), batch_step, head_step, token_step}, want.data(), batch, heads * group, heads, length, keys, dims,
      0.3f, mask_kind == 1, mask_kind == 2 ? mask.data() : nullptr, {0, 0, 0, 1}};
  const size_t units = batch * heads * parts_of_head(attention);
  EXT_LOOP(set, decode_attention)(attention, 0, units, 1);
  attention.out = got.data();
  for (int version = 2; version <= 3; version++) {
    EXT_LOOP(set, decode_attention)(attention, 0, units, version);
    same("decode_attention", got, want, 2e-5f);
  }
}

static void fused(Instructions set) {
  const size_t rows = any(1, 4), width = any(1, 90), size = rows * width;
  const auto x = normal(size, 3), up = normal(size), weight = normal(width);
  std::vector<float> want(size), got(size);
  EXT_LOOP(set, rms_norm)(Element::Float32, x.data(), weight.data(), want.data(), rows, width, 1e-6f, 1);
  EXT_LOOP(set, rms_norm)(Element::Float32, x.data(), weight.data(), got.data(), rows, width, 1e-6f, 2);
  same("rms_norm", got, want, 1e-5f);
  EXT_LOOP(set, swiglu)(Element::Float32, x.data(), up.data(), want.data(), size, 1);
  EXT_LOOP(set, swiglu)(Element::Float32, x.data(), up.data(), got.data(), size, 2);
  same("swiglu", got, want, 1e-5f);

  const size_t batch = any(1, 3), length = any(1, 5), heads = any(1, 3), wide = any(2, 41), dims = 2 * any(1, wide / 2);
  const auto tokens = normal(batch * length * heads * wide);
  std::vector<int32_t> offsets(batch);
  std::vector<double> frequencies(dims / 2);
  for (auto& offset : offsets) {
    offset = static_cast<int32_t>(source() % 300);
  }
  for (size_t i = 0; i < frequencies.size(); i++) {
    frequencies[i] = std::pow(1e4, -2.0 * static_cast<double>(i) / static_cast<double>(dims));
  }
  std::vector<float> first(tokens.size()), other(tokens.size());
  Rotation rotation{
      Element::Float32, tokens.data(), first.data(), offsets.data(), frequencies.data(), length, heads, wide, dims,
      any(0, 1) == 0};
  EXT_LOOP(set, rope)(rotation, 0, batch * length, 1);
  rotation.out = other.data();
  for (int version = 2; version <= 3; version++) {
    EXT_LOOP(set, rope)(rotation, 0, batch * length, version);
    same("rope", other, first, 1e-5f);
  }
  for (auto element : {Element::Float16, Element::Bfloat16}) {
    std::vector<uint16_t> halves(size);
    EXT_LOOP(set, from_floats)(element, x.data(), halves.data(), size);
    EXT_LOOP(set, to_floats)(element, halves.data(), got.data(), size);
    same("to_floats", got, x, element == Element::Float16 ? 5e-4f : 4e-3f);
  }
}

int main(int count, char** arguments) {
  const auto set = static_cast<Instructions>(count > 1 ? std::atoi(arguments[1]) : 0);
  for (int round = 0; round < 300; round++) {
    products(set);
    attention(set);
    pages(set);
    fused(set);
  }
  std::printf("300 rounds\n");
}
