// Plausible wrong answers to task 2.4.2; the tests must reject each.

// WRONG other-way-round fn rope_from_table: turns clockwise
  const size_t half = rotation.dims / 2;
  size_t i = 0;
  if (vectors && !rotation.traditional) {
    for (; i + LANES <= half; i += LANES) {
      const Floats a = load(x + i);
      const Floats b = load(x + half + i);
      const Floats cosine = load(cosines + i);
      const Floats sine = load(sines + i);
      store(out + i, a * cosine + b * sine);
      store(out + half + i, b * cosine - a * sine);
    }
  }
  for (; i < half; i++) {
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosines[i] + b * sines[i]);
    put(out + second, b * cosines[i] - a * sines[i]);
  }
  for (i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
// END WRONG

// WRONG halves-of-the-head fn rope_from_table: pairs the halves of D instead of the halves of dims
  const size_t half = rotation.width / 2;
  size_t i = 0;
  if (vectors && !rotation.traditional) {
    for (; i + LANES <= rotation.dims / 2; i += LANES) {
      const Floats a = load(x + i);
      const Floats b = load(x + half + i);
      const Floats cosine = load(cosines + i);
      const Floats sine = load(sines + i);
      store(out + i, a * cosine - b * sine);
      store(out + half + i, a * sine + b * cosine);
    }
  }
  for (; i < rotation.dims / 2; i++) {
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosines[i] - b * sines[i]);
    put(out + second, a * sines[i] + b * cosines[i]);
  }
  for (i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
// END WRONG

// WRONG layouts-swapped fn rope_naive: neighbours where halves are asked for, and the other way round
  const size_t half = rotation.dims / 2;
  for (size_t i = 0; i < half; i++) {
    float cosine, sine;
    angle(position, rotation.frequencies[i], &cosine, &sine);
    const size_t first = !rotation.traditional ? 2 * i : i;
    const size_t second = !rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosine - b * sine);
    put(out + second, a * sine + b * cosine);
  }
  for (size_t i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
// END WRONG

// WRONG tail-left-out fn rope_from_table: what is behind dims is set to 0
  const size_t half = rotation.dims / 2;
  size_t i = 0;
  if (vectors && !rotation.traditional) {
    for (; i + LANES <= half; i += LANES) {
      const Floats a = load(x + i);
      const Floats b = load(x + half + i);
      const Floats cosine = load(cosines + i);
      const Floats sine = load(sines + i);
      store(out + i, a * cosine - b * sine);
      store(out + half + i, a * sine + b * cosine);
    }
  }
  for (; i < half; i++) {
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosines[i] - b * sines[i]);
    put(out + second, a * sines[i] + b * cosines[i]);
  }
  for (i = rotation.dims; i < rotation.width; i++) {
    put(out + i, 0.0f);
  }
// END WRONG

// WRONG rounds-between fn rope_from_table: writes the first of a pair before it reads it for the second
  const size_t half = rotation.dims / 2;
  size_t i = 0;
  if (vectors && !rotation.traditional) {
    for (; i + LANES <= half; i += LANES) {
      const Floats a = load(x + i);
      const Floats b = load(x + half + i);
      const Floats cosine = load(cosines + i);
      const Floats sine = load(sines + i);
      store(out + i, a * cosine - b * sine);
      store(out + half + i, a * sine + b * cosine);
    }
  }
  for (; i < half; i++) {
    const size_t first = rotation.traditional ? 2 * i : i;
    const size_t second = rotation.traditional ? 2 * i + 1 : i + half;
    const float a = to_float(x[first]);
    const float b = to_float(x[second]);
    put(out + first, a * cosines[i] - b * sines[i]);
    put(out + second, to_float(out[first]) * sines[i] + b * cosines[i]);
  }
  for (i = rotation.dims; i < rotation.width; i++) {
    out[i] = x[i];
  }
// END WRONG
