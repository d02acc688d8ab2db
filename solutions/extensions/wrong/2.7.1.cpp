// Plausible wrong answers to task 2.7.1; the tests must reject each.

// WRONG groups-left-over fn split_k_part: equal parts; what does not divide is left out
  const size_t groups = groups_of(weight);
  const size_t from = groups / splits * part * weight.group;
  const size_t to = groups / splits * (part + 1) * weight.group;
  float* out = parts + part * rows * weight.outputs;
  tiled_matmul(weight, packed, rows, out, begin, end, from, to, 0);
// END WRONG

// WRONG one-matrix fn split_k_part: every part writes into the first matrix
  const size_t groups = groups_of(weight);
  const size_t from = groups * part / splits * weight.group;
  const size_t to = groups * (part + 1) / splits * weight.group;
  float* out = parts + 0 * part * rows * weight.outputs;
  tiled_matmul(weight, packed, rows, out, begin, end, from, to, 0);
// END WRONG

// WRONG overlapping-parts fn split_k_part: each part begins a group early
  const size_t groups = groups_of(weight);
  const size_t from = (groups * part / splits - (part > 0 ? 1 : 0)) * weight.group;
  const size_t to = groups * (part + 1) / splits * weight.group;
  float* out = parts + part * rows * weight.outputs;
  tiled_matmul(weight, packed, rows, out, begin, end, from, to, 0);
// END WRONG

// WRONG first-part-twice fn add_parts: counts the first part again
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    Floats sum = load(parts + i);
    for (size_t part = 0; part < splits; part++) {
      sum += load(parts + part * size + i);
    }
    store(out + i, sum);
  }
  for (; i < end; i++) {
    out[i] = parts[i];
    for (size_t part = 1; part < splits; part++) {
      out[i] += parts[part * size + i];
    }
  }
// END WRONG

// WRONG no-tail fn add_parts: the last elements are the first part alone
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    Floats sum = load(parts + i);
    for (size_t part = 1; part < splits; part++) {
      sum += load(parts + part * size + i);
    }
    store(out + i, sum);
  }
  for (; i < end; i++) {
    out[i] = parts[i];
  }
// END WRONG

// WRONG last-takes-rest fn split_k_part: equal parts, and the last takes all that is left
  const size_t groups = groups_of(weight);
  const size_t from = groups / splits * part * weight.group;
  const size_t to = (part + 1 == splits ? groups : groups / splits * (part + 1)) * weight.group;
  float* out = parts + part * rows * weight.outputs;
  tiled_matmul(weight, packed, rows, out, begin, end, from, to, 0);
// END WRONG

// WRONG all-in-first fn split_k_part: the first part sums all groups, the others clear their matrices
  float* out = parts + part * rows * weight.outputs;
  if (part == 0) {
    tiled_matmul(weight, packed, rows, out, begin, end, 0, weight.inputs, 0);
  }
  for (size_t m = 0; part > 0 && m < rows; m++) {
    std::fill(out + m * weight.outputs + begin, out + m * weight.outputs + end, 0.0f);
  }
// END WRONG
