// WRONG offset-ignored fn RoPE::forward: starts every text at 0
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let nothing = vec![0; starts.len()];
        let first = Array::from_slice(&nothing, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG first-row-s-offset fn RoPE::forward: gives all rows the first offset of the list
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(&starts[..1], &[1, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG counts-heads fn RoPE::forward: takes the head for the position
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(2));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(1)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG tail-dropped fn RoPE::forward: forgets the features that do not turn
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?.split_at_indices(&[self.dims], -1)?.swap_remove(0))
// END WRONG

// WRONG tail-first fn RoPE::forward: turns the last dims features instead of the first
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let mut parts = x.split_at_indices(&[x.dim(3) - self.dims], -1)?;
        parts.reverse(); // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&parts[1], &rotated], -1)?)
// END WRONG

// WRONG negative-wraps fn RoPE::forward: lets a negative offset count from the end of the table
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| **start > last_start) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0).max(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG end-unchecked fn RoPE::forward: checks the first position and not the last
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - 1;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG list-length-unchecked fn RoPE::forward: lets a list of one offset serve every row
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize && starts.len() != 1 {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG tables-of-its-own fn RoPE::forward: makes new tables for every call
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = RotationTables { frequencies: self.tables.frequencies.clone(), made: Arc::default() }.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG traditional-fixed fn RoPE::forward: always uses the layout of halves
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, false)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG tables-for-the-first-row fn RoPE::forward: makes tables for the first row's text
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.first().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG

// WRONG whole-head-pairs fn RoPE::forward: pairs across the whole head, not across the first dims features
        use kit::{ANY, Error, check_float, check_shape};
        use mlx_rs::ops;

        check_float("rope: x", x)?;
        check_shape("rope: x", x, "(B, L, H, D)", &[ANY; 4])?;
        let (batch, length) = (x.dim(0), x.dim(1));
        if x.dim(3) < self.dims {
            let (expected, got) = (format!("(B, L, H, D) with D at least {}", self.dims), format!("{:?}", x.shape()));
            return Err(Error::Shape { op: "rope: x".into(), expected, got });
        }
        let starts = match &offset {
            Offset::None => &[0],
            Offset::One(start) => std::slice::from_ref(start),
            Offset::PerRow(starts) => *starts,
        };
        let refused = |value: String, must: String| Error::InvalidArgument { name: "offset".into(), value, must };
        if matches!(offset, Offset::PerRow(_)) && starts.len() != batch as usize {
            let value = format!("a list of {}", starts.len());
            return Err(refused(value, format!("have one entry for each of the {batch} rows")));
        }
        let last_start = MAX_POSITIONS - length;
        if let Some(start) = starts.iter().find(|start| !(0..=last_start).contains(*start)) {
            return Err(refused(start.to_string(), format!("be between 0 and {last_start} for {length} tokens")));
        }
        let (cos, sin) = self.tables.up_to(starts.iter().max().unwrap_or(&0) + length)?;
        let first = Array::from_slice(starts, &[starts.len() as i32, 1]);
        let positions = first.add(ops::arange::<_, i32>(0, length, 1)?)?; // (B or 1, L)
        let row = |table: &Array| -> Result<Array> { Ok(table.take_axis(&positions, 0)?.expand_dims(2)?) };
        let (cos, sin) = (row(&cos)?, row(&sin)?); // (B or 1, L, 1, dims/2)

        if !self.traditional && x.dim(3) % 2 == 0 {
            let (half, rest) = (x.dim(3) / 2, x.dim(3) / 2 - self.dims / 2);
            let p = x.split_at_indices(&[self.dims / 2, half, half + self.dims / 2], -1)?;
            let turned = rotate(&ops::concatenate(&[&p[0], &p[2]], -1)?, &cos, &sin, false)?.split_equal(2, -1)?;
            return Ok(if rest == 0 { ops::concatenate(&[&turned[0], &turned[1]], -1)? } else { ops::concatenate(&[&turned[0], &p[1], &turned[1], &p[3]], -1)? });
        }
        let parts = x.split_at_indices(&[self.dims], -1)?; // (B, L, H, dims) and (B, L, H, D - dims)
        let rotated = rotate(&parts[0], &cos, &sin, self.traditional)?;
        Ok(ops::concatenate(&[&rotated, &parts[1]], -1)?)
// END WRONG
