// WRONG layouts-swapped fn rotate: pairs neighbours where halves are meant
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if !traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG halves-always fn rotate: knows one layout
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = ([2, width / 2], -2);
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG backwards fn rotate: turns the other way
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.add(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.subtract(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG turned-twice fn rotate: computes the second member from the turned first
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(turned_a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG members-split fn rotate: puts the turned neighbours into halves
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::concatenate(&[turned_a, turned_b], -1)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG narrow-tables fn rotate: rounds cos and sin to the dtype of x
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let (cos, sin) = (&cos.as_dtype(x.dtype())?, &sin.as_dtype(x.dtype())?);
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG f32-out fn rotate: returns f32 for half-precision input
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?)
// END WRONG

// WRONG tables-unchecked fn rotate: takes tables of any shape and dtype
    use kit::{Error, check_axes, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG any-float fn rotate: takes every float dtype, f64 too
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    if !(x).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (x).dtype()));
            return Err(kit::Error::Dtype { op: "rotate: x".into(), expected, got });
        }
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG second-member-left fn rotate: turns the first member of a pair only
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, b.add(turned_b.multiply(Array::from_f32(0.0))?)?], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG extra-axes fn rotate: takes tables with more axes than x when they are 1 long
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        let flat = table.shape().iter().skip_while(|&&n| n == 1).count() as i32;
        if flat > x.ndim() as i32 || table.shape().iter().rev().zip(x.shape().iter().rev()).skip(1).any(|(a, b)| *a != 1 && a != b) || (table.ndim() > 0 && table.dim(-1) != 1 && table.dim(-1) != width / 2) {
            check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
        }
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG odd-tail-kept fn rotate: cuts an odd feature off instead of refusing it
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    let x = &if width % 2 != 0 { x.split_at_indices(&[width - 1], -1)?.swap_remove(0) } else { x.clone() };
    let width = x.dim(-1);
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], member)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG

// WRONG halves-read-neighbours-written fn rotate: reads halves and writes neighbours
    use kit::{Error, check_axes, check_broadcast, check_dtype, check_float};
    use mlx_rs::{Dtype::Float32, ops};

    check_float("rotate: x", x)?;
    check_axes("rotate: x", x, "(.., C)", 1)?;
    let (front, width) = (&x.shape()[..x.ndim() - 1], x.dim(-1));
    if width % 2 != 0 {
        let got = format!("{:?}", x.shape());
        return Err(Error::Shape { op: "rotate: x".into(), expected: "(.., C) with an even C".into(), got });
    }
    for (name, table) in [("rotate: cos", cos), ("rotate: sin", sin)] {
        check_dtype(name, table, Float32)?;
        check_broadcast(name, table, "(.., C/2)", &[front, &[width / 2]].concat())?;
    }
    // The two members of a pair lie side by side, or half the row apart.
    let (pairs, member) = if traditional { ([width / 2, 2], -1) } else { ([2, width / 2], -2) };
    let paired = x.as_dtype(Float32)?.reshape(&[front, &pairs].concat())?; // (.., C/2, 2) or (.., 2, C/2)
    let members = paired.split_equal(2, member)?;
    let (a, b) = (members[0].squeeze_axes(&[member])?, members[1].squeeze_axes(&[member])?); // (.., C/2)
    let turned_a = a.multiply(cos)?.subtract(b.multiply(sin)?)?;
    let turned_b = b.multiply(cos)?.add(a.multiply(sin)?)?;
    let turned = ops::stack(&[turned_a, turned_b], -1)?;
    Ok(turned.reshape(x.shape())?.as_dtype(x.dtype())?)
// END WRONG
