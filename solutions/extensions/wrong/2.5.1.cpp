// Plausible wrong answers to task 2.5.1; the tests must reject each.

// WRONG no-largest fn attention_naive: exponentials of the scores themselves overflow
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[d]) * to_float(key[d]);
    }
    scores[s] = score * scale + rows.bonus(0, s);
    most = std::max(most, scores[s]);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    scores[s] = most == -INFINITY ? 0.0f : std::exp(scores[s]);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[0]; s++) {
      sum += scores[s] * to_float(rows.value[static_cast<int64_t>(s) * rows.value_step + static_cast<int64_t>(d)]);
    }
    put(rows.out + d, total == 0 ? 0.0f : sum / total);
  }
// END WRONG

// WRONG sums-not-scaled-down fn attention_online: a larger score scales the total down, but not the values
  std::fill(sums, sums + dims, 0.0f);
  float most = -INFINITY;
  float total = 0;
  for (size_t s = 0; s < rows.visible[0]; s++) {
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    const T* value = rows.value + static_cast<int64_t>(s) * rows.value_step;
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[d]) * to_float(key[d]);
    }
    score = score * scale + rows.bonus(0, s);
    if (score == -INFINITY) {
      continue;
    }
    const float before = most;
    most = std::max(most, score);
    const float shrink = std::exp(before - most);
    const float weight = std::exp(score - most);
    total = total * shrink + weight;
    for (size_t d = 0; d < dims; d++) {
      sums[d] = sums[d] + weight * to_float(value[d]);
    }
  }
  for (size_t d = 0; d < dims; d++) {
    put(rows.out + d, total == 0 ? 0.0f : sums[d] / total);
  }
// END WRONG

// WRONG total-not-scaled-down fn attention_blocks: the total keeps the weights of the old largest score
  float most[count];
  float total[count] = {};
  std::fill(most, most + count, -INFINITY);
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  for (size_t first = 0; first < keys; first += BLOCK) {
    float weights[count][BLOCK];
    score_block<T, count>(rows, dims, queries, first, weights);
    for (size_t row = 0; row < count; row++) {
      float block = -INFINITY;
      for (size_t i = 0; i < BLOCK; i += LANES) {
        block = std::max(block, largest(load(weights[row] + i)));
      }
      const float before = most[row];
      most[row] = std::max(before, block);
      // Before the first visible key there is nothing to subtract; -inf stays a weight of 0.
      const float base = most[row] == -INFINITY ? 0.0f : most[row];
      const float shrink = std::exp(before - base);
      Floats added = {};
      for (size_t i = 0; i < BLOCK; i += LANES) {
        const Floats weight = exp(load(weights[row] + i) - base);
        store(weights[row] + i, weight);
        added += weight;
      }
      total[row] = total[row] + sum(added);
      for (size_t d = 0; d < dims; d++) {
        sums[row * dims + d] *= shrink;
      }
    }
    add_values<T, count>(rows, dims, weights, first, std::min(BLOCK, keys - first), sums);
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < dims; d++) {
      put(rows.out + row * dims + d, total[row] == 0 ? 0.0f : sums[row * dims + d] / total[row]);
    }
  }
// END WRONG

// WRONG nan-for-hidden-blocks fn attention_blocks: subtracts -inf from -inf before the first visible key
  float most[count];
  float total[count] = {};
  std::fill(most, most + count, -INFINITY);
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  for (size_t first = 0; first < keys; first += BLOCK) {
    float weights[count][BLOCK];
    score_block<T, count>(rows, dims, queries, first, weights);
    for (size_t row = 0; row < count; row++) {
      float block = -INFINITY;
      for (size_t i = 0; i < BLOCK; i += LANES) {
        block = std::max(block, largest(load(weights[row] + i)));
      }
      const float before = most[row];
      most[row] = std::max(before, block);
      // Before the first visible key there is nothing to subtract; -inf stays a weight of 0.
      const float base = most[row];
      const float shrink = std::exp(before - base);
      Floats added = {};
      for (size_t i = 0; i < BLOCK; i += LANES) {
        const Floats weight = exp(load(weights[row] + i) - base);
        store(weights[row] + i, weight);
        added += weight;
      }
      total[row] = total[row] * shrink + sum(added);
      for (size_t d = 0; d < dims; d++) {
        sums[row * dims + d] *= shrink;
      }
    }
    add_values<T, count>(rows, dims, weights, first, std::min(BLOCK, keys - first), sums);
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < dims; d++) {
      put(rows.out + row * dims + d, total[row] == 0 ? 0.0f : sums[row * dims + d] / total[row]);
    }
  }
// END WRONG

// WRONG mask-multiplied fn score_block: the mask is a factor
  for (size_t i = 0; i < BLOCK; i++) {
    const size_t s = first + i;
    if (s >= *std::max_element(rows.visible, rows.visible + count)) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] = -INFINITY;
      }
      continue;
    }
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    // The values of this block are needed right after its scores, the keys of the next one after them.
    expect(rows.value + static_cast<int64_t>(s) * rows.value_step, dims * sizeof(T));
    expect(key + static_cast<int64_t>(BLOCK) * rows.key_step, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(key + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    for (size_t row = 0; row < count; row++) {
      float score = sum(products[row]);
      for (size_t tail = d; tail < dims; tail++) {
        score += queries[row * dims + tail] * to_float(key[tail]);
      }
      weights[row][i] = s < rows.visible[row] ? score * (1.0f + rows.bonus(row, s)) : -INFINITY;
    }
  }
// END WRONG

// WRONG no-causal-rule fn score_block: every row sees what the last one sees
  for (size_t i = 0; i < BLOCK; i++) {
    const size_t s = first + i;
    if (s >= *std::max_element(rows.visible, rows.visible + count)) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] = -INFINITY;
      }
      continue;
    }
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    // The values of this block are needed right after its scores, the keys of the next one after them.
    expect(rows.value + static_cast<int64_t>(s) * rows.value_step, dims * sizeof(T));
    expect(key + static_cast<int64_t>(BLOCK) * rows.key_step, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(key + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    for (size_t row = 0; row < count; row++) {
      float score = sum(products[row]);
      for (size_t tail = d; tail < dims; tail++) {
        score += queries[row * dims + tail] * to_float(key[tail]);
      }
      weights[row][i] = s < rows.visible[count - 1] ? score + rows.bonus(row, s) : -INFINITY;
    }
  }
// END WRONG

// WRONG tail-of-the-head fn score_block: the elements behind the last whole vector are not in the score
  for (size_t i = 0; i < BLOCK; i++) {
    const size_t s = first + i;
    if (s >= *std::max_element(rows.visible, rows.visible + count)) {
      for (size_t row = 0; row < count; row++) {
        weights[row][i] = -INFINITY;
      }
      continue;
    }
    const T* key = rows.key + static_cast<int64_t>(s) * rows.key_step;
    // The values of this block are needed right after its scores, the keys of the next one after them.
    expect(rows.value + static_cast<int64_t>(s) * rows.value_step, dims * sizeof(T));
    expect(key + static_cast<int64_t>(BLOCK) * rows.key_step, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(key + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    for (size_t row = 0; row < count; row++) {
      float score = sum(products[row]);
      for (size_t tail = d; tail < dims; tail++) {
        score += 0.0f * to_float(key[tail]);
      }
      weights[row][i] = s < rows.visible[row] ? score + rows.bonus(row, s) : -INFINITY;
    }
  }
// END WRONG

// WRONG one-row fn add_values: all rows take the weights of the first
  const T* values = rows.value + static_cast<int64_t>(first) * rows.value_step;
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    Floats parts[count];
    for (size_t row = 0; row < count; row++) {
      parts[row] = load(sums + row * dims + d);
    }
    for (size_t i = 0; i < n; i++) {
      const Floats value = load(values + static_cast<int64_t>(i) * rows.value_step + d);
      for (size_t row = 0; row < count; row++) {
        parts[row] += weights[0][i] * value;
      }
    }
    for (size_t row = 0; row < count; row++) {
      store(sums + row * dims + d, parts[row]);
    }
  }
  for (; d < dims; d++) {
    for (size_t i = 0; i < n; i++) {
      const float value = to_float(values[static_cast<int64_t>(i) * rows.value_step + static_cast<int64_t>(d)]);
      for (size_t row = 0; row < count; row++) {
        sums[row * dims + d] += weights[0][i] * value;
      }
    }
  }
// END WRONG
