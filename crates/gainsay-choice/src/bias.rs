//! The bias of a case: what it draws more often than other cases do.
//!
//! If all cases are drawn from one distribution, every case is an average one: some earlier values
//! come again, lists are of usual length, all constructors come up. Many bugs need something
//! lopsided instead: the same key three times, one operation over and over, a long list of small
//! numbers. So each case draws its own bias (swarm testing; Groce, Zhang, Eide, Chen and Regehr,
//! "Swarm testing", 2012). The bias is a function of the seed, and each part of it is looked up
//! where it is needed.

use crate::random::split_mix;

/// What one case draws more often than others.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Bias {
    bits: u64,
}

/// How large the numbers of a case are.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Magnitudes {
    /// All sorts.
    Mixed,
    /// Mostly below 4, so that they collide.
    Tiny,
    /// Up to the size of the case, as lists are.
    BySize,
    /// Mostly of many digits.
    Large,
}

/// On which side of their target the tiny numbers of a case are, where both are open: keys without
/// a sign collide more often than keys with one.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Signs {
    Mixed,
    Above,
    Below,
}

/// Which characters the texts of a case are made of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Letters {
    /// All sorts.
    Mixed,
    /// Two or three of them over and over.
    Few,
    /// Characters that the code under test mentions.
    Mentioned,
}

/// Of 256 draws, how many repeat an earlier value.
const REPEATS: [u8; 8] = [0, 13, 38, 38, 38, 38, 90, 160];

/// How many different values of a type a case has: in three of four, any number.
const VARIETIES: [u32; 32] = {
    const FEW: [u32; 8] = [3, 3, 4, 4, 5, 6, 7, 8];
    let mut varieties = [ANY_VARIETY; 32];
    let mut at = 0;
    while at < FEW.len() {
        varieties[varieties.len() - FEW.len() + at] = FEW[at];
        at += 1;
    }
    varieties
};

/// No limit to how many different values there are.
pub(crate) const ANY_VARIETY: u32 = u32::MAX;

/// How many times as long as usual lists are, in quarters.
const LENGTHS: [u8; 8] = [4, 4, 4, 4, 4, 1, 9, 9];

const MAGNITUDES: [Magnitudes; 8] = [
    Magnitudes::Mixed,
    Magnitudes::Mixed,
    Magnitudes::Mixed,
    Magnitudes::Mixed,
    Magnitudes::Tiny,
    Magnitudes::Tiny,
    Magnitudes::BySize,
    Magnitudes::Large,
];

const SIGNS: [Signs; 8] = [
    Signs::Mixed,
    Signs::Mixed,
    Signs::Mixed,
    Signs::Mixed,
    Signs::Above,
    Signs::Above,
    Signs::Above,
    Signs::Below,
];

const LETTERS: [Letters; 4] =
    [Letters::Mixed, Letters::Mixed, Letters::Few, Letters::Mentioned];

/// The chance of true in eighths, for truth values that are otherwise even.
const CHANCES: [u8; 8] = [4, 4, 4, 4, 4, 4, 1, 7];

/// Of 256 parts, how many are copies of earlier ones.
const COPIES: [u8; 4] = [0, 0, 24, 72];

impl Bias {
    /// No bias: runs that are not cases of a search.
    pub(crate) const NONE: Bias = Bias { bits: 0b010 };

    /// The bias that some uniform bits stand for.
    #[inline]
    pub(crate) fn of(bits: u64) -> Self {
        Bias { bits }
    }

    /// Of 256 draws, how many repeat an earlier value.
    #[inline]
    pub(crate) fn repeats(self) -> u8 {
        REPEATS[(self.bits & 7) as usize]
    }

    /// How many different values of a type there are, or [`ANY_VARIETY`]. If they are a few, a key
    /// that is referred to is likely to be there, and so is what it refers to.
    #[inline]
    pub(crate) fn variety(self) -> u32 {
        VARIETIES[(self.bits >> 20 & 31) as usize]
    }

    /// How large numbers are.
    #[inline]
    pub(crate) fn magnitudes(self) -> Magnitudes {
        MAGNITUDES[(self.bits >> 3 & 7) as usize]
    }

    /// On which side of their target tiny numbers are.
    #[inline]
    pub(crate) fn signs(self) -> Signs {
        match self.magnitudes() {
            Magnitudes::Tiny => SIGNS[(self.bits >> 17 & 7) as usize],
            Magnitudes::Mixed | Magnitudes::BySize | Magnitudes::Large => Signs::Mixed,
        }
    }

    /// How many times as long as usual lists are, in quarters.
    #[inline]
    pub(crate) fn lengths(self) -> u64 {
        u64::from(LENGTHS[(self.bits >> 6 & 7) as usize])
    }

    /// Which characters texts are made of.
    #[inline]
    pub(crate) fn letters(self) -> Letters {
        LETTERS[(self.bits >> 9 & 3) as usize]
    }

    /// The chance of a truth value that is otherwise even, of 2^32.
    #[inline]
    pub(crate) fn chance(self) -> u64 {
        u64::from(CHANCES[(self.bits >> 11 & 7) as usize]) << 29
    }

    /// Of 256 parts, how many are copies of earlier ones.
    #[inline]
    pub(crate) fn copies(self) -> u64 {
        u64::from(COPIES[(self.bits >> 14 & 3) as usize])
    }

    /// Whether some alternatives of a sum are favoured or left out.
    #[inline]
    pub(crate) fn has_favourites(self) -> bool {
        self.bits >> 16 & 1 == 1
    }

    /// By how much the weight of an alternative of a group is multiplied: 0 leaves it out.
    pub(crate) fn favour(self, group: u32, alternative: usize) -> u64 {
        let mut state = self.bits ^ (u64::from(group) << 32 | alternative as u64);
        match split_mix(&mut state) & 7 {
            0..=2 => 0,
            3..=5 => 1,
            _ => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ANY_VARIETY, Bias, Letters, Magnitudes, Signs};

    #[test]
    fn no_bias_is_as_usual() {
        let none = Bias::NONE;
        assert_eq!((none.repeats(), none.lengths(), none.copies()), (38, 4, 0));
        assert_eq!((none.magnitudes(), none.letters()), (Magnitudes::Mixed, Letters::Mixed));
        assert_eq!((none.signs(), none.variety()), (Signs::Mixed, ANY_VARIETY));
        assert_eq!((none.chance(), none.has_favourites()), (1 << 31, false));
    }

    #[test]
    fn a_quarter_of_the_cases_have_a_few_values() {
        let varieties = (0..32).map(|it| Bias::of(it << 20).variety());
        let few: Vec<u32> = varieties.filter(|it| *it != ANY_VARIETY).collect();
        assert_eq!(few, [3, 3, 4, 4, 5, 6, 7, 8]);
    }
}
