// Plausible wrong answers to task 3.3.1; the tests must reject each.

// WRONG always-in-place fn take_over: writes into memory that others still read
  out.copy_shared_buffer(pages);
  return true;
// END WRONG

// WRONG never-copied fn take_over: new memory is said to hold the pages already
  allocate(out);
  return true;
// END WRONG

// WRONG always-copied fn take_over: all pages are copied for every token
  allocate(out);
  return false;
// END WRONG

// WRONG start-forgotten fn write_runs: the first new token goes to slot 0
  for (size_t t = 0, run = 0; t < write.length; t += run) {
    const size_t at = t, slot = at % write.page;
    run = std::min(write.length - t, write.page - slot);
    const auto id = static_cast<size_t>(write.ids[at / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + slot) * write.dims;
    for (size_t i = 0; i < run; i++) {
      std::copy_n(values + static_cast<int64_t>(t + i) * write.values.token_step, write.dims, to + i * write.dims);
    }
  }
// END WRONG

// WRONG pages-from-the-new fn write_runs: pages are counted from the first new token
  for (size_t t = 0, run = 0; t < write.length; t += run) {
    const size_t at = write.start + t, slot = at % write.page;
    run = std::min(write.length - t, write.page - slot);
    const auto id = static_cast<size_t>(write.ids[t / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + slot) * write.dims;
    for (size_t i = 0; i < run; i++) {
      std::copy_n(values + static_cast<int64_t>(t + i) * write.values.token_step, write.dims, to + i * write.dims);
    }
  }
// END WRONG

// WRONG tokens-first fn write_runs: the tokens of a page before its heads
  for (size_t t = 0, run = 0; t < write.length; t += run) {
    const size_t at = write.start + t, slot = at % write.page;
    run = std::min(write.length - t, write.page - slot);
    const auto id = static_cast<size_t>(write.ids[at / write.page]);
    T* to = pages + ((id * write.page + slot) * write.heads + head) * write.dims;
    for (size_t i = 0; i < run; i++) {
      std::copy_n(values + static_cast<int64_t>(t + i) * write.values.token_step, write.dims, to + i * write.heads * write.dims);
    }
  }
// END WRONG

// WRONG rows-of-new fn write_runs: takes the new tokens as lying in a row
  for (size_t t = 0, run = 0; t < write.length; t += run) {
    const size_t at = write.start + t, slot = at % write.page;
    run = std::min(write.length - t, write.page - slot);
    const auto id = static_cast<size_t>(write.ids[at / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + slot) * write.dims;
    for (size_t i = 0; i < run; i++) {
      std::copy_n(values + static_cast<int64_t>((t + i) * write.dims), write.dims, to + i * write.dims);
    }
  }
// END WRONG
