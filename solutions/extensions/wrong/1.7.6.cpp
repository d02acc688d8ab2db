// Plausible wrong answers to task 1.7.6; the tests must reject each.

// WRONG stops-one-short fn exp_elements: the loop ends before the last element
  for (size_t i = 0; i + 1 < n; i++) {
    out[i] = static_cast<T>(std::exp(static_cast<float>(x[i])));
  }
  if (n > 0) {
    out[n - 1] = static_cast<T>(0.0f);
  }
// END WRONG

// WRONG blocks-without-a-tail fn exp_elements: blocks of four, and what is left over is never written
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(0.0f);
  }
  for (size_t i = 0; i + 4 <= n; i += 4) {
    for (size_t j = i; j < i + 4; j++) {
      out[j] = static_cast<T>(std::exp(static_cast<float>(x[j])));
    }
  }
// END WRONG

// WRONG power-of-two fn exp_elements: exp2 without the factor log2(e)
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::exp2(static_cast<float>(x[i])));
  }
// END WRONG

// WRONG series-in-the-type fn exp_elements: a Taylor series summed in T, so the half types round at every step
  for (size_t i = 0; i < n; i++) {
    T sum = static_cast<T>(1.0f);
    T term = static_cast<T>(1.0f);
    for (int k = 1; k < 40; k++) {
      term = static_cast<T>(static_cast<float>(term) * static_cast<float>(x[i]) / static_cast<float>(k));
      sum = static_cast<T>(static_cast<float>(sum) + static_cast<float>(term));
    }
    out[i] = sum;
  }
// END WRONG

// WRONG overflow-clamped fn exp_elements: large arguments are cut off, so infinity never appears
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::exp(std::fmin(static_cast<float>(x[i]), 80.0f)));
  }
// END WRONG

// WRONG degrees fn sin_elements: takes the angle for degrees
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::sin(static_cast<float>(x[i]) * 0.017453292f));
  }
// END WRONG

// WRONG one-period-series fn sin_elements: a polynomial that is only right near zero
  for (size_t i = 0; i < n; i++) {
    const float angle = static_cast<float>(x[i]);
    const float square = angle * angle;
    out[i] = static_cast<T>(angle * (1.0f - square / 6.0f * (1.0f - square / 20.0f * (1.0f - square / 42.0f))));
  }
// END WRONG

// WRONG result-through-half fn sin_elements: rounds to f16 on the way, whatever T is
  for (size_t i = 0; i < n; i++) {
    const auto half = static_cast<mx::float16_t>(std::sin(static_cast<float>(x[i])));
    out[i] = static_cast<T>(static_cast<float>(half));
  }
// END WRONG

// WRONG the-other-function fn cos_elements: copied from sin and not changed
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::sin(static_cast<float>(x[i])));
  }
// END WRONG

// WRONG square-root-of-one-minus-sine fn cos_elements: loses the sign in half of the circle
  for (size_t i = 0; i < n; i++) {
    const float sine = std::sin(static_cast<float>(x[i]));
    out[i] = static_cast<T>(std::sqrt(1.0f - sine * sine));
  }
// END WRONG

// WRONG nan-to-one fn exp_elements: turns NaN into a number
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::exp(std::fmax(static_cast<float>(x[i]), -1e30f)));
  }
// END WRONG

// WRONG float-period fn sin_elements: brings the angle into one turn with an f32 2π
  for (size_t i = 0; i < n; i++) {
    out[i] = static_cast<T>(std::sin(std::fmod(static_cast<float>(x[i]), 6.2831855f)));
  }
// END WRONG
