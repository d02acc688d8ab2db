// WRONG drops-the-tail fn sum_words: gives every thread the same share and leaves the rest unread
    use kit::Error;
    use std::thread;

    if threads == 0 {
        let must = "be at least 1".into();
        return Err(Error::InvalidArgument { name: "threads".into(), value: threads.to_string(), must });
    }
    let share = (words.len() / threads).max(1);
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || sum_of(share));
        let started: Vec<_> = words.chunks_exact(share).map(start).collect();
        started.into_iter().try_fold(0_u64, |sum, thread| {
            let thread = thread.map_err(|e| Error::Other(format!("a thread cannot be started: {e}")))?;
            let part = thread.join().map_err(|_| Error::Other("a thread has died".into()))?;
            Ok(sum.wrapping_add(part))
        })
    })
// END WRONG

// WRONG first-share fn sum_words: lets every thread read the first share
    use kit::Error;
    use std::thread;

    if threads == 0 {
        let must = "be at least 1".into();
        return Err(Error::InvalidArgument { name: "threads".into(), value: threads.to_string(), must });
    }
    let share = words.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || sum_of(share));
        let started: Vec<_> = words.chunks(share).map(|_| start(&words[..share.min(words.len())])).collect();
        started.into_iter().try_fold(0_u64, |sum, thread| {
            let thread = thread.map_err(|e| Error::Other(format!("a thread cannot be started: {e}")))?;
            let part = thread.join().map_err(|_| Error::Other("a thread has died".into()))?;
            Ok(sum.wrapping_add(part))
        })
    })
// END WRONG

// WRONG overflows fn sum_words: adds the parts with a check, which fails on large sums
    use kit::Error;
    use std::thread;

    if threads == 0 {
        let must = "be at least 1".into();
        return Err(Error::InvalidArgument { name: "threads".into(), value: threads.to_string(), must });
    }
    let share = words.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || sum_of(share));
        let started: Vec<_> = words.chunks(share).map(start).collect();
        started.into_iter().try_fold(0_u64, |sum, thread| {
            let thread = thread.map_err(|e| Error::Other(format!("a thread cannot be started: {e}")))?;
            let part = thread.join().map_err(|_| Error::Other("a thread has died".into()))?;
            Ok(sum.saturating_add(part))
        })
    })
// END WRONG

// WRONG no-threads-is-one fn sum_words: takes no threads for one
    use kit::Error;
    use std::thread;

    let threads = threads.max(1);
    let share = words.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || sum_of(share));
        let started: Vec<_> = words.chunks(share).map(start).collect();
        started.into_iter().try_fold(0_u64, |sum, thread| {
            let thread = thread.map_err(|e| Error::Other(format!("a thread cannot be started: {e}")))?;
            let part = thread.join().map_err(|_| Error::Other("a thread has died".into()))?;
            Ok(sum.wrapping_add(part))
        })
    })
// END WRONG

// WRONG words-a-second fn read_bandwidth: counts words instead of bytes
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(words.len() as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG times-the-memory fn read_bandwidth: makes the memory inside the first trial
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let early = now();
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = if speeds.is_empty() { early } else { now() };
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG warm-up-counts fn read_bandwidth: takes the warm-up as a trial
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..=trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG one-clock fn read_bandwidth: starts the clock once, so that every trial holds those before it
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    let start = now();
    for _ in 0..trials {
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG threads-add-up fn read_bandwidth: counts the bytes once a thread
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push((bytes * threads) as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG seconds-a-byte fn read_bandwidth: gives the time instead of the speed
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(seconds / bytes as f64);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG rounds-down fn read_bandwidth: reads fewer bytes where they are no whole number of words
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes < 8 {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds <= 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG

// WRONG infinite-speed fn read_bandwidth: lets a clock that stands still give an infinite speed
    use kit::Error;
    use std::hint::black_box;

    let mut now = now;
    let refused = |name: &str, value: usize, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if bytes == 0 || !bytes.is_multiple_of(8) {
        return refused("bytes", bytes, "be a positive multiple of 8");
    }
    if trials == 0 {
        return refused("trials", trials, "be at least 1");
    }
    // Ones, not zeros: pages of zeros that nobody has written to may all be the same page.
    let words = vec![1_u64; bytes / 8];
    black_box(sum_words(&words, threads)?);
    let mut speeds = Vec::with_capacity(trials);
    for _ in 0..trials {
        let start = now();
        black_box(sum_words(black_box(&words), threads)?);
        let seconds = now() - start;
        if seconds < 0.0 {
            return Err(Error::Other(format!("reading {bytes} bytes took {seconds} s by this clock; read more")));
        }
        speeds.push(bytes as f64 / seconds);
    }
    Samples::new(&speeds)
// END WRONG
