// Plausible wrong answers to task 2.4.1; the tests must reject each.

// WRONG eps-outside-the-root fn rms_norm_vectors: adds eps to the root
  Floats sums[4] = {};
  size_t i = 0;
  for (; i + 4 * LANES <= width; i += 4 * LANES) {
    for (int part = 0; part < 4; part++) {
      const Floats value = load(x + i + part * LANES);
      sums[part] += value * value;
    }
  }
  float squares = sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / (std::sqrt(squares / static_cast<float>(width)) + eps);
  for (i = 0; i + LANES <= width; i += LANES) {
    store(out + i, load(x + i) * factor * load(weight + i));
  }
  for (; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
// END WRONG

// WRONG sum-not-mean fn rms_norm_naive: the root of the sum of the squares
  float squares = 0;
  for (size_t i = 0; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / std::sqrt(squares + eps);
  for (size_t i = 0; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
// END WRONG

// WRONG tail-without-squares fn rms_norm_vectors: the elements behind the last whole block are not in the sum
  Floats sums[4] = {};
  size_t i = 0;
  for (; i + 4 * LANES <= width; i += 4 * LANES) {
    for (int part = 0; part < 4; part++) {
      const Floats value = load(x + i + part * LANES);
      sums[part] += value * value;
    }
  }
  float squares = sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  const float factor = 1.0f / std::sqrt(squares / static_cast<float>(width) + eps);
  for (i = 0; i + LANES <= width; i += LANES) {
    store(out + i, load(x + i) * factor * load(weight + i));
  }
  for (; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
// END WRONG

// WRONG rounds-twice fn rms_norm_vectors: rounds to T before the weight
  Floats sums[4] = {};
  size_t i = 0;
  for (; i + 4 * LANES <= width; i += 4 * LANES) {
    for (int part = 0; part < 4; part++) {
      const Floats value = load(x + i + part * LANES);
      sums[part] += value * value;
    }
  }
  float squares = sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / std::sqrt(squares / static_cast<float>(width) + eps);
  for (i = 0; i + LANES <= width; i += LANES) {
    store(out + i, load(x + i) * factor);
    store(out + i, load(out + i) * load(weight + i));
  }
  for (; i < width; i++) {
    put(out + i, to_float(x[i]) * factor * to_float(weight[i]));
  }
// END WRONG

// WRONG no-weight-in-the-tail fn rms_norm_vectors: the last elements are not multiplied by their weight
  Floats sums[4] = {};
  size_t i = 0;
  for (; i + 4 * LANES <= width; i += 4 * LANES) {
    for (int part = 0; part < 4; part++) {
      const Floats value = load(x + i + part * LANES);
      sums[part] += value * value;
    }
  }
  float squares = sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < width; i++) {
    squares += to_float(x[i]) * to_float(x[i]);
  }
  const float factor = 1.0f / std::sqrt(squares / static_cast<float>(width) + eps);
  for (i = 0; i + LANES <= width; i += LANES) {
    store(out + i, load(x + i) * factor * load(weight + i));
  }
  for (; i < width; i++) {
    put(out + i, to_float(x[i]) * factor);
  }
// END WRONG
