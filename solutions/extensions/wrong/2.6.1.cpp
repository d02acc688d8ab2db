// Plausible wrong answers to task 2.6.1; the tests must reject each.

// WRONG every-second-output fn unpack_panel: every second output has the codes of the one before
  for (size_t half = 0; half < 2; half++) {
    const size_t first = half * LANES;
    const uint32_t* rows[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      // A row behind the last output reads the last one's codes; its scale and bias are 0.
      rows[lane] = row_of(weight, k + std::min(first + lane, outs - 1) / 2 * 2);
    }
    for (size_t n = 0; n < depth; n += 64) {
      Floats scales = {};
      Floats biases = {};
      for (size_t lane = 0; lane < LANES && first + lane < outs; lane++) {
        scales[lane] = parameter(weight, weight.scales, k + first + lane, (from + n) / weight.group);
        biases[lane] = parameter(weight, weight.biases, k + first + lane, (from + n) / weight.group);
      }
      for (size_t word = 0; word < 8; word++) {
        Words words;
        for (size_t lane = 0; lane < LANES; lane++) {
          words[lane] = rows[lane][(from + n) / 8 + word];
        }
        for (size_t code = 0; code < 8; code++, words >>= 4) {
          const auto codes = convert<Floats>(reinterpret_cast<Ints>(words & 15));
          store(panel + (n + 8 * word + code) * TILE_OUTPUTS + first, codes * scales + biases);
        }
      }
    }
  }
// END WRONG

// WRONG scale-of-the-first-group fn unpack_panel: one scale for the whole panel
  for (size_t half = 0; half < 2; half++) {
    const size_t first = half * LANES;
    const uint32_t* rows[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      // A row behind the last output reads the last one's codes; its scale and bias are 0.
      rows[lane] = row_of(weight, k + std::min(first + lane, outs - 1));
    }
    for (size_t n = 0; n < depth; n += 64) {
      Floats scales = {};
      Floats biases = {};
      for (size_t lane = 0; lane < LANES && first + lane < outs; lane++) {
        scales[lane] = parameter(weight, weight.scales, k + first + lane, from / weight.group);
        biases[lane] = parameter(weight, weight.biases, k + first + lane, from / weight.group);
      }
      for (size_t word = 0; word < 8; word++) {
        Words words;
        for (size_t lane = 0; lane < LANES; lane++) {
          words[lane] = rows[lane][(from + n) / 8 + word];
        }
        for (size_t code = 0; code < 8; code++, words >>= 4) {
          const auto codes = convert<Floats>(reinterpret_cast<Ints>(words & 15));
          store(panel + (n + 8 * word + code) * TILE_OUTPUTS + first, codes * scales + biases);
        }
      }
    }
  }
// END WRONG

// WRONG half-a-tile fn tile_vectors: both halves take the weights of the first
  Floats totals[count][2];
  for (size_t r = 0; r < count; r++) {
    totals[r][0] = load(sums + r * stride);
    totals[r][1] = load(sums + r * stride + LANES);
  }
  for (size_t n = 0; n < depth; n++) {
    const Floats left = load(panel + n * TILE_OUTPUTS);
    const Floats right = load(panel + n * TILE_OUTPUTS);
#pragma GCC unroll 6
    for (size_t r = 0; r < count; r++) {
      totals[r][0] += left * x[n * TILE_ROWS + r];
      totals[r][1] += right * x[n * TILE_ROWS + r];
    }
  }
  for (size_t r = 0; r < count; r++) {
    store(sums + r * stride, totals[r][0]);
    store(sums + r * stride + LANES, totals[r][1]);
  }
// END WRONG

// WRONG rows-side-by-side fn tile_vectors: takes a row of sums to be as long as a tile
  Floats totals[count][2];
  for (size_t r = 0; r < count; r++) {
    totals[r][0] = load(sums + r * TILE_OUTPUTS);
    totals[r][1] = load(sums + r * TILE_OUTPUTS + LANES);
  }
  for (size_t n = 0; n < depth; n++) {
    const Floats left = load(panel + n * TILE_OUTPUTS);
    const Floats right = load(panel + n * TILE_OUTPUTS + LANES);
#pragma GCC unroll 6
    for (size_t r = 0; r < count; r++) {
      totals[r][0] += left * x[n * TILE_ROWS + r];
      totals[r][1] += right * x[n * TILE_ROWS + r];
    }
  }
  for (size_t r = 0; r < count; r++) {
    store(sums + r * TILE_OUTPUTS, totals[r][0]);
    store(sums + r * TILE_OUTPUTS + LANES, totals[r][1]);
  }
// END WRONG

// WRONG panel-not-added fn tiled_matmul: each block of inputs overwrites the one before
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
    const size_t outs = std::min(TILE_OUTPUTS, end - k);
    for (size_t n = from; n < to; n += DEPTH) {
      const size_t depth = std::min(DEPTH, to - n);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, true, out + k, weight.outputs, outs, version);
    }
  }
// END WRONG

// WRONG whole-blocks-only fn tiled_matmul: what is behind the last whole block of inputs is left out
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t n = from; n < to && (n == from || n + DEPTH <= to); n += DEPTH) {
    const size_t depth = std::min(DEPTH, to - n);
    for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
      const size_t outs = std::min(TILE_OUTPUTS, end - k);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, n == from, out + k, weight.outputs, outs, version);
    }
  }
// END WRONG

// WRONG sum-overwritten fn tile_naive: forgets what the tile held
  for (size_t r = 0; r < TILE_ROWS; r++) {
    for (size_t o = 0; o < TILE_OUTPUTS; o++) {
      float sum = 0;
      for (size_t n = 0; n < depth; n++) {
        sum += x[n * TILE_ROWS + r] * panel[n * TILE_OUTPUTS + o];
      }
      sums[r * stride + o] = sum;
    }
  }
// END WRONG

// WRONG ignores-from fn tiled_matmul: sums from the first input on, whatever `from` is
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t n = 0; n < to; n += DEPTH) {
    const size_t depth = std::min(DEPTH, to - n);
    for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
      const size_t outs = std::min(TILE_OUTPUTS, end - k);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, n == 0, out + k, weight.outputs, outs, version);
    }
  }
// END WRONG

// WRONG ignores-to fn tiled_matmul: sums to the end of the row, whatever `to` is
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t n = from; n < weight.inputs; n += DEPTH) {
    const size_t depth = std::min(DEPTH, weight.inputs - n);
    for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
      const size_t outs = std::min(TILE_OUTPUTS, end - k);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, n == from, out + k, weight.outputs, outs, version);
    }
  }
// END WRONG

// WRONG adds-unless-from-zero fn tiled_matmul: takes the first depth of a later stretch for one that adds
  alignas(64) float panel[DEPTH * TILE_OUTPUTS];
  for (size_t k = begin; k < end; k += TILE_OUTPUTS) {
    const size_t outs = std::min(TILE_OUTPUTS, end - k);
    for (size_t n = from; n < to; n += DEPTH) {
      const size_t depth = std::min(DEPTH, to - n);
      unpack_panel(weight, k, outs, n, depth, panel);
      panel_times_rows(
          packed, panel, rows, weight.inputs, n, depth, n == 0, out + k, weight.outputs, outs, version);
    }
  }
// END WRONG
