// Plausible wrong answers to task 3.4.2; the tests must reject each.

// WRONG pages-in-order fn paged_naive: takes page 0 for the first page of every text
  const size_t dims = rows.dims;
  const auto slot = [&](size_t s) {
    return (s / rows.page) * rows.page_step + s % rows.page * dims;
  };
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[row * dims + d]) * to_float(rows.keys[slot(s) + d]);
    }
    scores[s] = score * scale;
    // `most` first: a NaN then goes into every weight.
    most = std::max(scores[s], most);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    scores[s] = std::exp(scores[s] - most);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[row]; s++) {
      sum += scores[s] * to_float(rows.values[slot(s) + d]);
    }
    put(rows.out + row * dims + d, total == 0 ? 0.0f : sum / total);
  }
// END WRONG

// WRONG no-largest fn paged_naive: exponentials of the scores themselves overflow
  const size_t dims = rows.dims;
  const auto slot = [&](size_t s) {
    return static_cast<size_t>(rows.ids[s / rows.page]) * rows.page_step + s % rows.page * dims;
  };
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[row * dims + d]) * to_float(rows.keys[slot(s) + d]);
    }
    scores[s] = score * scale;
    // `most` first: a NaN then goes into every weight.
    most = std::max(scores[s], most);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    scores[s] = std::exp(scores[s]);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[row]; s++) {
      sum += scores[s] * to_float(rows.values[slot(s) + d]);
    }
    put(rows.out + row * dims + d, total == 0 ? 0.0f : sum / total);
  }
// END WRONG

// WRONG idle-divides fn paged_naive: a text without keys divides 0 by 0
  const size_t dims = rows.dims;
  const auto slot = [&](size_t s) {
    return static_cast<size_t>(rows.ids[s / rows.page]) * rows.page_step + s % rows.page * dims;
  };
  float most = -INFINITY;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    float score = 0;
    for (size_t d = 0; d < dims; d++) {
      score += to_float(rows.query[row * dims + d]) * to_float(rows.keys[slot(s) + d]);
    }
    scores[s] = score * scale;
    // `most` first: a NaN then goes into every weight.
    most = std::max(scores[s], most);
  }
  float total = 0;
  for (size_t s = 0; s < rows.visible[row]; s++) {
    scores[s] = std::exp(scores[s] - most);
    total += scores[s];
  }
  for (size_t d = 0; d < dims; d++) {
    float sum = 0;
    for (size_t s = 0; s < rows.visible[row]; s++) {
      sum += scores[s] * to_float(rows.values[slot(s) + d]);
    }
    put(rows.out + row * dims + d, sum / total);
  }
// END WRONG

// WRONG page-of-the-block fn paged_blocks: all runs of a block lie in the page of its first key
  Softmax softmax[count];
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  for (size_t first = 0; first < keys; first += PAGED_BLOCK) {
    const size_t end = std::min(keys, first + PAGED_BLOCK);
    float weights[count][PAGED_BLOCK];
    std::fill_n(weights[0], count * PAGED_BLOCK, -INFINITY);
    const auto each_run = [&](auto&& call) {
      for (size_t s = first; s < end;) {
        const size_t n = std::min(end - s, rows.page - s % rows.page);
        float* of_run[count];
        for (size_t row = 0; row < count; row++) {
          of_run[row] = weights[row] + (s - first);
        }
        call(static_cast<size_t>(rows.ids[first / rows.page]) * rows.page_step + s % rows.page * rows.dims, s, n, of_run);
        s += n;
      }
    };
    each_run([&](size_t at, size_t s, size_t n, float* const* of_run) {
      score_run<T, count>(rows, rows.keys + at, s, n, queries, of_run);
    });
    for (size_t row = 0; row < count; row++) {
      softmax[row].take(weights[row], PAGED_BLOCK, sums + row * rows.dims, rows.dims);
    }
    each_run([&](size_t at, size_t, size_t n, float* const* of_run) {
      add_run<T, count>(rows, rows.values + at, n, of_run, sums);
    });
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < rows.dims; d++) {
      put(rows.out + row * rows.dims + d, softmax[row].share(sums[row * rows.dims + d]));
    }
  }
// END WRONG

// WRONG block-of-a-page fn paged_blocks: a block ends where its page does, so the order of sums is the page's
  Softmax softmax[count];
  const size_t keys = *std::max_element(rows.visible, rows.visible + count);
  size_t end = 0;
  for (size_t first = 0; first < keys; first = end) {
    end = std::min({keys, first + PAGED_BLOCK, (first / rows.page + 1) * rows.page});
    float weights[count][PAGED_BLOCK];
    std::fill_n(weights[0], count * PAGED_BLOCK, -INFINITY);
    const auto each_run = [&](auto&& call) {
      for (size_t s = first; s < end;) {
        const size_t n = std::min(end - s, rows.page - s % rows.page);
        float* of_run[count];
        for (size_t row = 0; row < count; row++) {
          of_run[row] = weights[row] + (s - first);
        }
        call(static_cast<size_t>(rows.ids[s / rows.page]) * rows.page_step + s % rows.page * rows.dims, s, n, of_run);
        s += n;
      }
    };
    each_run([&](size_t at, size_t s, size_t n, float* const* of_run) {
      score_run<T, count>(rows, rows.keys + at, s, n, queries, of_run);
    });
    for (size_t row = 0; row < count; row++) {
      softmax[row].take(weights[row], PAGED_BLOCK, sums + row * rows.dims, rows.dims);
    }
    each_run([&](size_t at, size_t, size_t n, float* const* of_run) {
      add_run<T, count>(rows, rows.values + at, n, of_run, sums);
    });
  }
  for (size_t row = 0; row < count; row++) {
    for (size_t d = 0; d < rows.dims; d++) {
      put(rows.out + row * rows.dims + d, softmax[row].share(sums[row * rows.dims + d]));
    }
  }
// END WRONG

// WRONG no-causal-rule fn score_run: every row sees what the last one sees
  const size_t dims = rows.dims;
  for (size_t i = 0; i < n; i++, keys += dims) {
    expect(keys + 32 * dims, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(keys + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    for (size_t row = 0; row < count; row++) {
      float score = sum(products[row]);
      for (size_t tail = d; tail < dims; tail++) {
        score += queries[row * dims + tail] * to_float(keys[tail]);
      }
      weights[row][i] = first + i < rows.visible[count - 1] ? score : -INFINITY;
    }
  }
// END WRONG

// WRONG tail-of-the-head fn score_run: the elements behind the last whole vector are not in the score
  const size_t dims = rows.dims;
  for (size_t i = 0; i < n; i++, keys += dims) {
    expect(keys + 32 * dims, dims * sizeof(T));
    Floats products[count] = {};
    size_t d = 0;
    for (; d + LANES <= dims; d += LANES) {
      const Floats part = load(keys + d);
      for (size_t row = 0; row < count; row++) {
        products[row] += load(queries + row * dims + d) * part;
      }
    }
    for (size_t row = 0; row < count; row++) {
      float score = sum(products[row]);
      for (size_t tail = d; tail < dims; tail++) {
        score += 0.0f * to_float(keys[tail]);
      }
      weights[row][i] = first + i < rows.visible[row] ? score : -INFINITY;
    }
  }
// END WRONG

// WRONG one-row fn add_run: all rows take the weights of the first
  const size_t dims = rows.dims;
  size_t d = 0;
  for (; d + LANES <= dims; d += LANES) {
    Floats parts[count];
    for (size_t row = 0; row < count; row++) {
      parts[row] = load(sums + row * dims + d);
    }
    for (size_t i = 0; i < n; i++) {
      const Floats value = load(values + i * dims + d);
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
      for (size_t row = 0; row < count; row++) {
        sums[row * dims + d] += weights[0][i] * to_float(values[i * dims + d]);
      }
    }
  }
// END WRONG
