//! first
use metal_host::*;
#[test]
fn axpby() {
    let t = std::time::Instant::now();
    let lib = Library::compile(&Source::file("kernels/elementwise.metal"), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    eprintln!("compiled {:?} {:?} {}", t.elapsed(), lib.names(), lib.switch_kind());
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let y = vec![2f32; 1000];
    let mut out = vec![0f32; 1000];
    let k = lib.kernel("axpby_f32").unwrap();
    for c in [Checks::none(), Checks::guarded(), Checks::all()] {
        let t = std::time::Instant::now();
        let r = k.dispatch(Grid::threads(1000), 256, &[Arg::input(&x), Arg::input(&y), Arg::output(&mut out), Arg::value(3f32), Arg::value(0.5f32), Arg::value(1000u32)], &c);
        match r { Ok(r) => eprintln!("{r:?} {:?}", t.elapsed()), Err(e) => panic!("{e}") }
        assert_eq!(out[10], 31.0);
    }
    let r = k.dispatch(Grid::groups(4), 256, &[Arg::input(&x), Arg::input(&y), Arg::output(&mut out), Arg::value(3f32), Arg::value(0.5f32), Arg::value(1001u32)], &Checks::all());
    eprintln!("{}", r.unwrap_err());
}
