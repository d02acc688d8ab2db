#[test]
fn matmul() {
    let a = mlx_rs::Array::from_slice(&[1f32, 2., 3., 4.], &[2, 2]);
    let c = a.matmul(&a).unwrap();
    c.eval().unwrap();
    assert_eq!(c.as_slice::<f32>(), [7., 10., 15., 22.]);
}
