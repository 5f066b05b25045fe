//! Products, quotients and remainders: what the bounds of each say about the others.

use super::{Checked, Contradiction, Store, VarId};
use crate::ranges::{INFINITY, add};

impl Store {
    /// `x / k == y`, with `k != 0`.
    pub(super) fn revise_quotient(&mut self, x: VarId, k: i64, y: VarId) -> Checked<()> {
        let (xl, xh) = self.bounds(x);
        let divided = |it: i64| {
            if is_infinite(it) { it.signum() * k.signum() * INFINITY } else { it / k }
        };
        let (p, q) = (divided(xl), divided(xh));
        self.restrict(y, p.min(q), p.max(q))?;
        let (yl, yh) = self.bounds(y);
        let slack = k.abs() - 1;
        let (p, q) = (scale(k, yl), scale(k, yh));
        self.restrict(x, add(p.min(q), -slack), add(p.max(q), slack))
    }

    /// `x % k == y`, with `k != 0`.
    pub(super) fn revise_remainder(&mut self, x: VarId, k: i64, y: VarId) -> Checked<()> {
        let (xl, xh) = self.bounds(x);
        let most = k.abs() - 1;
        let lo = if xl >= 0 { 0 } else { -most };
        let hi = if xh <= 0 { 0 } else { most };
        self.restrict(y, lo, hi)?;
        if let Some(x) = self.value(x) {
            return self.restrict(y, x % k, x % k);
        }
        // The bounds of `x` move to the nearest numbers with that remainder.
        if let Some(rest) = self.value(y) {
            let (mut lo, mut hi) = (xl, xh);
            if !is_infinite(lo) {
                let mut n = 0;
                while lo % k != rest && n < k.abs().saturating_mul(2) {
                    (lo, n) = (lo + 1, n + 1);
                    if n > 4_096 {
                        return Ok(());
                    }
                }
            }
            if !is_infinite(hi) {
                let mut n = 0;
                while hi % k != rest && n < k.abs().saturating_mul(2) {
                    (hi, n) = (hi - 1, n + 1);
                    if n > 4_096 {
                        return Ok(());
                    }
                }
            }
            return self.restrict(x, lo, hi);
        }
        Ok(())
    }

    pub(super) fn revise_product(&mut self, x: VarId, y: VarId, z: VarId) -> Checked<()> {
        for (a, b) in [(x, y), (y, x)] {
            if let Some(k) = self.value(a) {
                if k == 0 {
                    return self.restrict(z, 0, 0);
                }
                return self.revise_scale(k, b, 0, z);
            }
        }
        let ((xl, xh), (yl, yh)) = (self.bounds(x), self.bounds(y));
        let corners = [scale(xl, yl), scale(xl, yh), scale(xh, yl), scale(xh, yh)];
        let lo = corners.iter().copied().fold(INFINITY, i64::min);
        let hi = corners.iter().copied().fold(-INFINITY, i64::max);
        self.restrict(z, lo, hi)?;
        // `|x| <= |z|` unless `z` is 0, and a square is at most what it is.
        let (zl, zh) = self.bounds(z);
        if !is_infinite(zl) && !is_infinite(zh) && (zl > 0 || zh < 0) {
            let most = zl.abs().max(zh.abs());
            self.restrict(x, -most, most)?;
            self.restrict(y, -most, most)?;
        }
        let (rx, ry) = (self.root(x), self.root(y));
        if rx == ry && !is_infinite(zh) {
            let root = if zh < 0 { return Err(Contradiction) } else { zh.isqrt() };
            self.restrict(x, -root, root)?;
        }
        self.revise_positive_product(x, y, z)
    }

    /// `x * y == z` where neither factor is negative: `z / y` is between the quotients of bounds.
    pub(super) fn revise_positive_product(
        &mut self,
        x: VarId,
        y: VarId,
        z: VarId,
    ) -> Checked<()> {
        let (rx, ry) = (self.root(x), self.root(y));
        let ((zl, zh), (xl, _), (yl, _)) = (self.bounds(z), self.bounds(x), self.bounds(y));
        if xl < 0 || yl < 0 || zl < 0 {
            return Ok(());
        }
        if rx == ry {
            let root = zl.isqrt();
            return self.restrict(x, root + i64::from(root * root < zl), INFINITY);
        }
        for (a, b) in [(x, y), (y, x)] {
            let (al, ah) = self.bounds(a);
            if al > 0 && !is_infinite(zh) {
                self.restrict(b, 0, zh / al)?;
            }
            if ah > 0 && !is_infinite(ah) && !is_infinite(zl) {
                self.restrict(b, div_ceil(zl, ah), INFINITY)?;
            }
        }
        Ok(())
    }

    /// `x / y == z`, rounded toward zero.
    pub(super) fn revise_division(&mut self, x: VarId, y: VarId, z: VarId) -> Checked<()> {
        if let Some(k) = self.value(y) {
            return self.revise_quotient(x, k, z);
        }
        let (x_least, x_most) = self.magnitudes(x);
        let (y_least, y_most) = self.magnitudes(y);
        let y_least = y_least.max(1);
        self.restrict_magnitude(z, x_most / y_least)?;
        let (z_least, _) = self.magnitudes(z);
        if z_least > 0 {
            // |y| * |z| <= |x|
            self.restrict_magnitude(y, x_most / z_least)?;
            self.exclude_small(x, scale(y_least, z_least))?;
        }
        // |x| < |y| * (|z| + 1)
        let (_, z_most) = self.magnitudes(z);
        self.restrict_magnitude(x, add(scale(y_most, add(z_most, 1)), -1))?;
        if x_least > 0 && !is_infinite(z_most) {
            self.exclude_small(y, x_least / add(z_most, 1) + 1)?;
        }
        match (self.sign(x), self.sign(y)) {
            (Some(a), Some(b)) if a == b => self.restrict(z, 0, INFINITY),
            (Some(_), Some(_)) => self.restrict(z, -INFINITY, 0),
            _ => Ok(()),
        }
    }

    /// `x % y == z`, with the sign of `x`.
    pub(super) fn revise_modulus(&mut self, x: VarId, y: VarId, z: VarId) -> Checked<()> {
        if let Some(k) = self.value(y) {
            return self.revise_remainder(x, k, z);
        }
        let (_, x_most) = self.magnitudes(x);
        let (_, y_most) = self.magnitudes(y);
        self.restrict_magnitude(z, x_most.min(add(y_most, -1)))?;
        let (z_least, _) = self.magnitudes(z);
        self.exclude_small(y, add(z_least, 1))?;
        self.exclude_small(x, z_least)?;
        match self.sign(x) {
            Some(1) => self.restrict(z, 0, INFINITY),
            Some(_) => self.restrict(z, -INFINITY, 0),
            None => Ok(()),
        }
    }

    /// The least and the largest absolute value.
    fn magnitudes(&self, var: VarId) -> (i64, i64) {
        let (lo, hi) = self.bounds(var);
        let most = lo.unsigned_abs().max(hi.unsigned_abs());
        let most = i64::try_from(most).unwrap_or(INFINITY).min(INFINITY);
        let least = if lo > 0 {
            lo
        } else if hi < 0 {
            -hi
        } else {
            i64::from(self.is_hole(var, 0))
        };
        (least, most)
    }

    fn sign(&self, var: VarId) -> Option<i64> {
        let (lo, hi) = self.bounds(var);
        if lo >= 0 {
            Some(1)
        } else if hi <= 0 {
            Some(-1)
        } else {
            None
        }
    }

    /// The absolute value is at most this.
    fn restrict_magnitude(&mut self, var: VarId, most: i64) -> Checked<()> {
        if is_infinite(most) { Ok(()) } else { self.restrict(var, -most, most) }
    }

    /// The absolute value is at least this, as far as bounds can say it.
    fn exclude_small(&mut self, var: VarId, least: i64) -> Checked<()> {
        let (lo, hi) = self.bounds(var);
        if lo > -least {
            self.restrict(var, least, INFINITY)
        } else if hi < least {
            self.restrict(var, -INFINITY, -least)
        } else {
            Ok(())
        }
    }
}

pub(super) fn is_infinite(bound: i64) -> bool {
    bound <= -INFINITY || bound >= INFINITY
}

/// The product of two bounds; an infinite one stays infinite.
pub(super) fn scale(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if is_infinite(a) || is_infinite(b) {
        return a.signum() * b.signum() * INFINITY;
    }
    let product = i128::from(a) * i128::from(b);
    product.clamp(i128::from(-INFINITY), i128::from(INFINITY)) as i64
}

pub(super) fn div_floor(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

pub(super) fn div_ceil(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient }
}
