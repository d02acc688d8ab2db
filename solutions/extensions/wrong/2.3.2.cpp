// Plausible wrong answers to task 2.3.2; the tests must reject each.

// WRONG highest-nibble-first fn quantized_matmul: takes the codes of a word from the other end
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (7 - n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / weight.group);
        sum += x[m * weight.inputs + n] * (scale * static_cast<float>(code) + bias);
      }
      out[m * weight.outputs + k] = sum;
    }
  }
// END WRONG

// WRONG bias-inside-the-scale fn quantized_matmul: scale * (code + bias)
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / weight.group);
        sum += x[m * weight.inputs + n] * (scale * (static_cast<float>(code) + bias));
      }
      out[m * weight.outputs + k] = sum;
    }
  }
// END WRONG

// WRONG signed-codes fn quantized_matmul: codes from -8 to 7, as other formats have them
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / weight.group);
        sum += x[m * weight.inputs + n] * (scale * (static_cast<float>(code) - 8.0f) + bias);
      }
      out[m * weight.outputs + k] = sum;
    }
  }
// END WRONG

// WRONG one-group-size fn quantized_matmul: groups are always 128
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / 128 * 128 / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / 128 * 128 / weight.group);
        sum += x[m * weight.inputs + n] * (scale * static_cast<float>(code) + bias);
      }
      out[m * weight.outputs + k] = sum;
    }
  }
// END WRONG

// WRONG first-row-only fn quantized_matmul: every row of x gives the result of the first
  for (size_t m = 0; m < rows; m++) {
    for (size_t k = begin; k < end; k++) {
      const uint32_t* words = row_of(weight, k);
      float sum = 0;
      for (size_t n = 0; n < weight.inputs; n++) {
        const uint32_t code = words[n / 8] >> (4 * (n % 8)) & 15;
        const float scale = parameter(weight, weight.scales, k, n / weight.group);
        const float bias = parameter(weight, weight.biases, k, n / weight.group);
        sum += x[n] * (scale * static_cast<float>(code) + bias);
      }
      out[m * weight.outputs + k] = sum;
    }
  }
// END WRONG
