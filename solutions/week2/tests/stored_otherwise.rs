//! Checkpoints that the kernels do not read, of eight bits or not packed at all: every rung unpacks them and answers alike.

use kit::testing::{Random, Tolerance, assert_close_within, golden};
use kit::{Checkpoint, Result};
use solution_week2::{
    model::{CachedLm, Qwen3Model, Rows},
    operators::{Embedding, Linear},
    rung::Rung,
};

#[test]
fn what_the_kernels_do_not_read_is_unpacked_and_works_on_every_rung() -> Result<()> {
    for name in ["week1/packed_tied", "week1/untied_mqa"] {
        let checkpoint = Checkpoint::open(golden(name))?;
        let tokens = Random::new(62).ids(checkpoint.config().vocab_size as u32, &[2, 9]);
        let logits = |rung| -> Result<_> {
            let model = Qwen3Model::load(&checkpoint, rung)?;
            assert!(matches!(model.embed_tokens, Embedding::Dense(_)), "{name} on {rung:?}: the table stayed packed");
            let dense = |layer: &Linear| matches!(layer, Linear::Dense(_));
            assert!(
                model.layers.iter().all(|layer| dense(&layer.mlp.down_proj)),
                "{name} on {rung:?}: a layer is packed"
            );
            model.forward(&tokens, 0, &mut model.caches()?, Rows::All)
        };
        let expected = logits(Rung::KvCache)?;
        for (rung, rung_name) in Rung::ALL {
            let within = Tolerance { abs: 1e-3, rel: 0.0 };
            assert_close_within(&format!("{name} on {rung_name}"), &logits(rung)?, &expected, within)?;
        }
    }
    Ok(())
}
