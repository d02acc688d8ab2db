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
  const auto step = static_cast<size_t>(write.values.token_step);
  for (size_t t = 0; t < write.length;) {
    const size_t at = t;
    const size_t run = std::min(write.length - t, write.page - at % write.page);
    const auto id = static_cast<size_t>(write.ids[at / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + at % write.page) * write.dims;
    const T* from = values + t * step;
    if (step == write.dims) {
      std::copy_n(from, run * write.dims, to);
    } else {
      for (size_t i = 0; i < run; i++) {
        std::copy_n(from + i * step, write.dims, to + i * write.dims);
      }
    }
    t += run;
  }
// END WRONG

// WRONG pages-from-the-new fn write_runs: pages are counted from the first new token
  const auto step = static_cast<size_t>(write.values.token_step);
  for (size_t t = 0; t < write.length;) {
    const size_t at = write.start + t;
    const size_t run = std::min(write.length - t, write.page - at % write.page);
    const auto id = static_cast<size_t>(write.ids[t / write.page]);
    T* to = pages + ((id * write.heads + head) * write.page + at % write.page) * write.dims;
    const T* from = values + t * step;
    if (step == write.dims) {
      std::copy_n(from, run * write.dims, to);
    } else {
      for (size_t i = 0; i < run; i++) {
        std::copy_n(from + i * step, write.dims, to + i * write.dims);
      }
    }
    t += run;
  }
// END WRONG

// WRONG tokens-first fn write_elements: the tokens of a page before its heads
  for (size_t t = 0; t < write.length; t++) {
    for (size_t d = 0; d < write.dims; d++) {
      const size_t at = write.start + t;
      const auto id = static_cast<size_t>(write.ids[at / write.page]);
      const size_t slot = (id * write.page + at % write.page) * write.heads + head;
      pages[slot * write.dims + d] = values[static_cast<int64_t>(t) * write.values.token_step + static_cast<int64_t>(d)];
    }
  }
// END WRONG

// WRONG rows-of-new fn write_elements: takes the new tokens as lying in a row
  for (size_t t = 0; t < write.length; t++) {
    for (size_t d = 0; d < write.dims; d++) {
      const size_t at = write.start + t;
      const auto id = static_cast<size_t>(write.ids[at / write.page]);
      const size_t slot = (id * write.heads + head) * write.page + at % write.page;
      pages[slot * write.dims + d] = values[static_cast<int64_t>(t * write.dims) + static_cast<int64_t>(d)];
    }
  }
// END WRONG
