// Plausible wrong answers to task 3.6.1; the tests must reject each.

// WRONG not-sorted fn group_rows: counts the rows of each expert, and leaves them in their order
  // How many each expert has, one place further on; then where each begins.
  std::fill_n(begins, experts + 1, 0);
  for (size_t row = 0; row < rows; row++) {
    begins[ids[row] + 1]++;
  }
  for (size_t expert = 0; expert < experts; expert++) {
    begins[expert + 1] += begins[expert];
  }
  const std::unique_ptr<size_t[]> next(new size_t[experts]);
  std::copy_n(begins, experts, next.get());
  for (size_t row = 0; row < rows; row++) {
    order[row] = row;
  }
// END WRONG

// WRONG x-in-order fn rows_together: takes the first rows of x for every expert
  const size_t inputs = weight.inputs, outputs = weight.outputs, groups = groups_of(weight);
  const std::unique_ptr<float[]> arranged(new float[rows * inputs]);
  const std::unique_ptr<float[]> sums(new float[rows * groups]);
  const std::unique_ptr<float[]> results(new float[rows * outputs]);
  for (size_t i = 0; i < rows; i++) {
    arrange(weight, x + i * inputs, arranged.get() + i * inputs, sums.get() + i * groups);
  }
  quantized_matvec(weight, x, arranged.get(), sums.get(), rows, results.get(), 0, outputs, 0);
  for (size_t i = 0; i < rows; i++) {
    std::copy_n(results.get() + i * outputs, outputs, out + order[i] * step);
  }
// END WRONG

// WRONG out-in-order fn rows_together: leaves the results in the order of the experts
  const size_t inputs = weight.inputs, outputs = weight.outputs, groups = groups_of(weight);
  const std::unique_ptr<float[]> arranged(new float[rows * inputs]);
  const std::unique_ptr<float[]> sums(new float[rows * groups]);
  const std::unique_ptr<float[]> results(new float[rows * outputs]);
  for (size_t i = 0; i < rows; i++) {
    arrange(weight, x + order[i] * inputs, arranged.get() + i * inputs, sums.get() + i * groups);
  }
  quantized_matvec(weight, x, arranged.get(), sums.get(), rows, results.get(), 0, outputs, 0);
  for (size_t i = 0; i < rows; i++) {
    std::copy_n(results.get() + i * outputs, outputs, out + i * step);
  }
// END WRONG

// WRONG part-is-all fn rows_alone: takes a part of the outputs for all of them
  for (size_t i = 0; i < rows; i++) {
    quantized_matmul(weight, x + order[i] * weight.inputs, 1, out + order[i] * weight.outputs, 0, weight.outputs);
  }
// END WRONG
