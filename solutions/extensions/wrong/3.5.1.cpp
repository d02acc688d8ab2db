// Plausible wrong answers to task 3.5.1; the tests must reject each.

// WRONG no-skipping fn keys_of_tile: visits every key of the text
  return static_cast<size_t>(attention.contexts[tile.batch]);
// END WRONG

// WRONG first-row fn keys_of_tile: stops where the first row of the tile does
  return memory.visible[0];
// END WRONG

// WRONG no-mask fn flash_tile: the tile on the diagonal shows later tokens
  const size_t wide = padded(dims);
  const auto score = version == 1 ? score_naive : score_vectors;
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t k = 0; k < TILE_KEYS; k += FLASH_KEYS) {
      score(memory.queries + row * dims, memory.keys + k * dims, dims, memory.scores + row * TILE_KEYS + k);
    }
  }
  for (size_t row = 0; row < tile.count; row++) {
    float* scores = memory.scores + row * TILE_KEYS;
    const size_t visible = memory.visible[row] > first ? memory.visible[row] - first : 0;
    if (visible == 0) {
      std::fill(scores + visible, scores + TILE_KEYS, -INFINITY);
    }
    memory.softmax[row].take(scores, TILE_KEYS, memory.sums + row * wide, dims);
  }
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t o = 0; o < wide; o += FLASH_OUTPUTS) {
      add_values(memory.scores + row * TILE_KEYS, memory.values + o, wide, memory.sums + row * wide + o);
    }
  }
// END WRONG

// WRONG place-in-the-tile fn flash_tile: counts the keys of every tile from the first key of the text
  const size_t wide = padded(dims);
  const auto score = version == 1 ? score_naive : score_vectors;
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t k = 0; k < TILE_KEYS; k += FLASH_KEYS) {
      score(memory.queries + row * dims, memory.keys + k * dims, dims, memory.scores + row * TILE_KEYS + k);
    }
  }
  for (size_t row = 0; row < tile.count; row++) {
    float* scores = memory.scores + row * TILE_KEYS;
    const size_t visible = memory.visible[row];
    if (visible < TILE_KEYS) {
      std::fill(scores + visible, scores + TILE_KEYS, -INFINITY);
    }
    memory.softmax[row].take(scores, TILE_KEYS, memory.sums + row * wide, dims);
  }
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t o = 0; o < wide; o += FLASH_OUTPUTS) {
      add_values(memory.scores + row * TILE_KEYS, memory.values + o, wide, memory.sums + row * wide + o);
    }
  }
// END WRONG

// WRONG sums-not-scaled-down fn flash_tile: a larger score scales the total down, but not the sums
  const size_t wide = padded(dims);
  const auto score = version == 1 ? score_naive : score_vectors;
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t k = 0; k < TILE_KEYS; k += FLASH_KEYS) {
      score(memory.queries + row * dims, memory.keys + k * dims, dims, memory.scores + row * TILE_KEYS + k);
    }
  }
  for (size_t row = 0; row < tile.count; row++) {
    float* scores = memory.scores + row * TILE_KEYS;
    const size_t visible = memory.visible[row] > first ? memory.visible[row] - first : 0;
    if (visible < TILE_KEYS) {
      std::fill(scores + visible, scores + TILE_KEYS, -INFINITY);
    }
    memory.softmax[row].take(scores, TILE_KEYS, memory.sums + row * wide, 0);
  }
  for (size_t row = 0; row < rows; row += FLASH_ROWS) {
    for (size_t o = 0; o < wide; o += FLASH_OUTPUTS) {
      add_values(memory.scores + row * TILE_KEYS, memory.values + o, wide, memory.sums + row * wide + o);
    }
  }
// END WRONG

// WRONG tail-of-the-head fn score_vectors: the elements behind the last whole vector are not in the score
  Floats products[FLASH_ROWS][FLASH_KEYS] = {};
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    const Floats left = load(keys + d);
    const Floats right = load(keys + dims + d);
#pragma GCC unroll 6
    for (size_t r = 0; r < FLASH_ROWS; r++) {
      const Floats query = load(queries + r * dims + d);
      products[r][0] += query * left;
      products[r][1] += query * right;
    }
  }
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    for (size_t k = 0; k < FLASH_KEYS; k++) {
      float score = sum(products[r][k]);
      for (size_t tail = d; tail < dims; tail++) {
        score += 0.0f * keys[k * dims + tail];
      }
      scores[r * TILE_KEYS + k] = score;
    }
  }
// END WRONG

// WRONG half-a-block fn add_values: the second vector of outputs gets the first
  Floats totals[FLASH_ROWS][2];
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    totals[r][0] = load(sums + r * wide);
    totals[r][1] = load(sums + r * wide + LANES);
  }
  for (size_t k = 0; k < TILE_KEYS; k++) {
    const Floats left = load(values + k * wide);
    const Floats right = load(values + k * wide + LANES);
#pragma GCC unroll 6
    for (size_t r = 0; r < FLASH_ROWS; r++) {
      totals[r][0] += weights[r * TILE_KEYS + k] * left;
      totals[r][1] += weights[r * TILE_KEYS + k] * right;
    }
  }
  for (size_t r = 0; r < FLASH_ROWS; r++) {
    store(sums + r * wide, totals[r][0]);
    store(sums + r * wide + LANES, totals[r][0]);
  }
// END WRONG
