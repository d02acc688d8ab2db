// WRONG odd-dims fn RotationTables::new: lets an odd number of features through
        use kit::Error;

        if dims < 2 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        if !(base > 0.0 && base.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "base".into(), value: base.to_string(), must });
        }
        let exponent = |i: i32| -2.0 * f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
// END WRONG

// WRONG frequency-of-i fn RotationTables::new: uses base^(-i/dims): half the exponent
        use kit::Error;

        if dims < 2 || dims % 2 != 0 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        if !(base > 0.0 && base.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "base".into(), value: base.to_string(), must });
        }
        let exponent = |i: i32| -f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
// END WRONG

// WRONG frequency-up fn RotationTables::new: lets frequencies grow with i
        use kit::Error;

        if dims < 2 || dims % 2 != 0 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        if !(base > 0.0 && base.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "base".into(), value: base.to_string(), must });
        }
        let exponent = |i: i32| 2.0 * f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
// END WRONG

// WRONG base-unchecked fn RotationTables::new: takes any base
        use kit::Error;

        if dims < 2 || dims % 2 != 0 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        let exponent = |i: i32| -2.0 * f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
// END WRONG

// WRONG grows-by-one fn RotationTables::up_to: makes exactly what is asked for, at every token anew
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = positions; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG never-kept fn RotationTables::up_to: computes the tables at every call
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG never-grows fn RotationTables::up_to: returns what is there, however short
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG one-off fn RotationTables::up_to: starts counting at position 1
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(1, length + 1, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG half-positions fn RotationTables::up_to: counts positions in bf16
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.as_dtype(mlx_rs::Dtype::Bfloat16)?.as_dtype(mlx_rs::Dtype::Float32)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG all-at-once fn RotationTables::up_to: makes a table for every position there is, at the first call
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = MAX_POSITIONS; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG bounds-unchecked fn RotationTables::up_to: does not look at the bounds
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        let positions = positions.clamp(0, MAX_POSITIONS);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG base-above-one fn RotationTables::new: refuses a base of one and below
        use kit::Error;

        if dims < 2 || dims % 2 != 0 {
            let must = "be even and at least 2".to_string();
            return Err(Error::InvalidArgument { name: "dims".into(), value: dims.to_string(), must });
        }
        if !(base > 1.0 && base.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "base".into(), value: base.to_string(), must });
        }
        let exponent = |i: i32| -2.0 * f64::from(i) / f64::from(dims);
        let frequencies = (0..dims / 2).map(|i| f64::from(base).powf(exponent(i)) as f32).collect();
        Ok(Self { frequencies, made: Arc::default() })
// END WRONG

// WRONG doubles-what-it-has fn RotationTables::up_to: makes what is asked for and then doubles that, so that P is not a power of two
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = positions.max(2 * made.as_ref().map_or(0, |(cos, _)| cos.dim(0))).min(MAX_POSITIONS); // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG growth-restarts fn RotationTables::up_to: appends new rows that count from 0 again
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = match made.as_ref() {
                    Some((cos, sin)) => {
                        let more = angle.take_axis(ops::arange::<_, i32>(0, length - cos.dim(0), 1)?, 0)?;
                        (ops::concatenate(&[cos, &more.cos()?], 0)?, ops::concatenate(&[sin, &more.sin()?], 0)?)
                    }
                    None => (angle.cos()?, angle.sin()?),
                };
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG growth-one-off fn RotationTables::up_to: appends rows that begin one position late
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = match made.as_ref() {
                    Some((cos, sin)) => {
                        let more = angle.take_axis(ops::arange::<_, i32>(cos.dim(0), length, 1)?, 0)?.add(Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]))?;
                        (ops::concatenate(&[cos, &more.cos()?], 0)?, ops::concatenate(&[sin, &more.sin()?], 0)?)
                    }
                    None => (angle.cos()?, angle.sin()?),
                };
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG sine-first fn RotationTables::up_to: gives the sines where the cosines are due
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(frequency)?; // (P, dims/2)
                let (cos, sin) = (angle.sin()?, angle.cos()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG

// WRONG two-halves fn RotationTables::up_to: repeats the tables for both halves, (P, dims)
        use kit::Error;
        use mlx_rs::{ops, transforms};
        use std::sync::PoisonError;

        if !(0..=MAX_POSITIONS).contains(&positions) {
            let must = format!("be between 0 and {MAX_POSITIONS}");
            return Err(Error::InvalidArgument { name: "positions".into(), value: positions.to_string(), must });
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((cos, sin)) if cos.dim(0) >= positions => Ok((cos.clone(), sin.clone())),
            _ => {
                let length = (positions as u32).next_power_of_two() as i32; // P
                let position = ops::arange::<_, f32>(0, length, 1)?.expand_dims(1)?; // (P, 1)
                let frequency = Array::from_slice(&self.frequencies, &[1, self.frequencies.len() as i32]);
                let angle = position.multiply(ops::concatenate(&[&frequency, &frequency], 1)?)?; // (P, dims/2)
                let (cos, sin) = (angle.cos()?, angle.sin()?);
                transforms::eval([&cos, &sin])?;
                *made = Some((cos.clone(), sin.clone()));
                Ok((cos, sin))
            }
        }
// END WRONG
