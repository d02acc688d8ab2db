//! The law of every row of a batch: rows that ask for the same kind of filter are computed together.

use kit::law::SparseDistribution;
use kit::{Error, Result};
use mlx_rs::{Array, ops, transforms::eval};

use super::Row;
use super::draw::{check_keys, drawn};
use super::mass::Scores;
use super::penalties::{amounts, subtracted};
use super::rows::{check_batch, chosen, refuse_rows, single};
use super::support::{Survivors, Tempered};

/// The laws of B rows over the ids 0..V, on the device.
pub struct BatchedLaw {
    groups: Vec<Group>,
    rows: usize,
    vocabulary: i32,
}

/// Rows that were computed together.
struct Group {
    /// Their places in the batch, ascending.
    places: Vec<usize>,
    survivors: Survivors,
}

/// The law of the next token for every row: [`kit::law`]'s, in f32.
///
/// `logits` (B, V) in f32, f16 or bf16, left unchanged; `rows` B settings with their histories.
/// Errors: `Shape`, `Dtype`; `InvalidArgument` as [`apply_penalties_mlx`](super::apply_penalties_mlx); `NonFinite` with
/// the first row that has NaN or +inf or no finite entry, at any temperature, and for -inf at temperature +inf.
pub fn mlx_distribution_from_logits(logits: &Array, rows: &[Row<'_>]) -> Result<BatchedLaw> {
    check_batch(logits, rows.len())?;
    let vocabulary = logits.dim(1);
    let mut scores = Scores { raw: single(logits)?, amounts: amounts(rows, vocabulary)? };
    let mut penalised = subtracted(&scores.raw, scores.amounts.as_ref())?;
    let uniform: Vec<bool> = rows.iter().map(Row::is_uniform).collect();
    refuse_rows(&penalised, &uniform)?;
    if uniform.contains(&true) {
        let is_uniform = Array::from_slice(&uniform, &[rows.len() as i32, 1]);
        let flat = |part: &Array| Ok(ops::select(&is_uniform, Array::from_f32(0.0), part)?);
        scores = scores.map(flat)?;
        penalised = flat(&penalised)?;
    }
    let mut groups = Vec::new();
    for kind in [Kind::Bounded, Kind::Unbounded, Kind::All] {
        let is_kind = |place: &usize| Kind::of(&rows[*place], vocabulary as usize) == kind;
        let places: Vec<usize> = (0..rows.len()).filter(is_kind).collect();
        if places.is_empty() {
            continue;
        }
        let asked: Vec<Row<'_>> = places.iter().map(|&place| rows[place]).collect();
        let scores = scores.map(|part| chosen(part, &places))?;
        let tempered = Tempered::new(&asked, scores, chosen(&penalised, &places)?)?;
        let survivors = match kind {
            Kind::Bounded => tempered.bounded()?,
            Kind::Unbounded => tempered.unbounded()?,
            Kind::All => tempered.all()?,
        };
        groups.push(Group { places, survivors });
    }
    Ok(BatchedLaw { groups, rows: rows.len(), vocabulary })
}

/// One token for every row, from its own key.
///
/// `logits` (B, V) in f32, f16 or bf16, left unchanged; `rows` B; `keys` B, each (2,) u32, such as
/// [`row_keys`](super::row_keys) makes, and spent afterwards. Returns ids (B,) u32. A row's token depends on its own
/// logits, settings, history and key, not on its neighbours; a greedy row's not on its key either.
/// Errors: as [`mlx_distribution_from_logits`]; `InvalidArgument` unless there are B keys, `Shape` and `Dtype` for a key.
pub fn sample_token_ids_from_mlx_logits(logits: &Array, rows: &[Row<'_>], keys: &[Array]) -> Result<Array> {
    check_batch(logits, rows.len())?;
    check_keys(keys, rows.len())?;
    mlx_distribution_from_logits(logits, rows)?.sample(keys)
}

/// The law of every row, brought to the host: ids with their probabilities, most likely first where a filter ranks them,
/// else by id. -inf is not listed.
///
/// Arguments and errors: as [`mlx_distribution_from_logits`].
pub fn host_sparse_distribution(logits: &Array, rows: &[Row<'_>]) -> Result<Vec<SparseDistribution>> {
    mlx_distribution_from_logits(logits, rows)?.to_host()
}

impl BatchedLaw {
    /// One token for every row, (B,) u32. Errors: `InvalidArgument` unless there are B `keys`, `Shape`, `Dtype`.
    pub fn sample(&self, keys: &[Array]) -> Result<Array> {
        check_keys(keys, self.rows)?;
        self.in_order(|group| {
            let keys: Vec<&Array> = group.places.iter().map(|&place| &keys[place]).collect();
            drawn(&group.survivors, &keys)
        })
    }

    /// Probabilities (B, V) f32.
    pub fn to_dense(&self) -> Result<Array> {
        self.in_order(|group| group.survivors.to_dense(self.vocabulary))
    }

    /// The survivors of every row with their probabilities, divided by their sum once more in f64. Waits for the device.
    pub fn to_host(&self) -> Result<Vec<SparseDistribution>> {
        let mut laws: Vec<Option<SparseDistribution>> = (0..self.rows).map(|_| None).collect();
        for Group { places, survivors } in &self.groups {
            let Survivors { ids, kept, probabilities } = survivors;
            eval([kept, probabilities].into_iter().chain(ids))?;
            let width = kept.dim(1) as usize;
            let (kept, probabilities) = (kept.as_slice::<bool>(), probabilities.as_slice::<f32>());
            let ids = ids.as_ref().map(|ids| ids.as_slice::<u32>());
            for (index, &place) in places.iter().enumerate() {
                let row = index * width..(index + 1) * width;
                let id = |at: usize| ids.map_or(at - row.start, |ids| ids[at] as usize);
                let listed = row.clone().filter(|&at| kept[at]).map(|at| (id(at), f64::from(probabilities[at])));
                let (ids, weights) = listed.unzip();
                laws[place] = Some(SparseDistribution::new(ids, weights, self.vocabulary as usize)?);
            }
        }
        let missing = || Error::Other("a row of the batch belongs to no group".into());
        laws.into_iter().map(|law| law.ok_or_else(missing)).collect()
    }

    /// What `each` gives for every group, (b, ..), put together in the order of the batch.
    fn in_order(&self, each: impl Fn(&Group) -> Result<Array>) -> Result<Array> {
        let parts = self.groups.iter().map(each).collect::<Result<Vec<_>>>()?;
        if let [only] = parts.as_slice() {
            return Ok(only.clone());
        }
        let mut place_of_row = vec![0_u32; self.rows];
        let order = self.groups.iter().flat_map(|group| &group.places);
        order.enumerate().for_each(|(place, &row)| place_of_row[row] = place as u32);
        let order = Array::from_slice(&place_of_row, &[self.rows as i32]);
        Ok(ops::concatenate(&parts, 0)?.take_axis(order, 0)?)
    }
}

/// What a row needs to have looked at.
#[derive(PartialEq)]
enum Kind {
    /// The first k of the ranking.
    Bounded,
    /// As much of the ranking as the nucleus is long.
    Unbounded,
    /// Everything, in no order.
    All,
}

impl Kind {
    fn of(row: &Row<'_>, vocabulary: usize) -> Self {
        match (row.top_k(vocabulary), row.top_p()) {
            (Some(_), _) => Self::Bounded,
            (None, Some(_)) => Self::Unbounded,
            (None, None) => Self::All,
        }
    }
}
