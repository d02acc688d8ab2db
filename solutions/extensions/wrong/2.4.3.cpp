// Plausible wrong answers to task 2.4.3; the tests must reject each.

// WRONG sigmoid-alone fn swiglu_vectors: the gate itself is missing
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const Floats value = load(gate + i);
    store(out + i, 1.0f / (1.0f + exp(-value)) * load(up + i));
  }
  for (; i < n; i++) {
    const float value = to_float(gate[i]);
    put(out + i, 1.0f / (1.0f + std::exp(-value)) * to_float(up[i]));
  }
// END WRONG

// WRONG sides-swapped fn swiglu_vectors: silu(up) * gate
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const Floats value = load(up + i);
    store(out + i, value / (1.0f + exp(-value)) * load(gate + i));
  }
  for (; i < n; i++) {
    const float value = to_float(up[i]);
    put(out + i, value / (1.0f + std::exp(-value)) * to_float(gate[i]));
  }
// END WRONG

// WRONG no-tail fn swiglu_vectors: what is behind the last whole vector is 0
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const Floats value = load(gate + i);
    store(out + i, value / (1.0f + exp(-value)) * load(up + i));
  }
  for (; i < n; i++) {
    const float value = to_float(gate[i]);
    put(out + i, 0.0f * value);
  }
// END WRONG

// WRONG gelu fn swiglu_naive: x * sigmoid(1.702 x), the other smooth gate
  for (size_t i = 0; i < n; i++) {
    const float value = to_float(gate[i]);
    put(out + i, value / (1.0f + std::exp(-1.702f * value)) * to_float(up[i]));
  }
// END WRONG
