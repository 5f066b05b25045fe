//! Base 32 in an alphabet that survives being read aloud (after Crockford): without i, l, o and u,
//! and case-insensitive.

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Encodes five bits per character, the highest first.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut n_bits) = (0u32, 0);
    for byte in bytes {
        // Bits that were written already are shifted out at the top.
        bits = bits << 8 | u32::from(*byte);
        n_bits += 8;
        while n_bits >= 5 {
            n_bits -= 5;
            text.push(DIGITS[(bits >> n_bits & 31) as usize] as char);
        }
    }
    if n_bits > 0 {
        text.push(DIGITS[(bits << (5 - n_bits) & 31) as usize] as char);
    }
    text
}

/// The bytes, or the position of the first invalid character and the character.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, (usize, char)> {
    let mut bytes = Vec::new();
    let (mut bits, mut n_bits) = (0u32, 0);
    for (at, found) in text.chars().enumerate() {
        let digit = match found.to_ascii_lowercase() {
            'o' => b'0',
            'i' | 'l' => b'1',
            other => u8::try_from(other).map_err(|_| (at, found))?,
        };
        let value = DIGITS.iter().position(|it| *it == digit).ok_or((at, found))?;
        // Bits that were pushed already are shifted out at the top.
        bits = bits << 5 | value as u32;
        n_bits += 5;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    Ok(bytes)
}

/// Whether a text is exactly what the bytes are encoded as: no surplus digits or padding bits.
pub(super) fn is_canonical(text: &str, bytes: &[u8]) -> bool {
    let digits = text.chars().map(|it| match it.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        digit => digit,
    });
    digits.eq(encode(bytes).chars())
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, is_canonical};

    #[test]
    fn what_is_encoded_can_be_decoded() {
        for length in 0..40 {
            let bytes: Vec<u8> =
                (0..length).map(|it: u8| it.wrapping_mul(37).wrapping_add(length)).collect();
            assert_eq!(decode(&encode(&bytes)), Ok(bytes));
        }
    }

    #[test]
    fn letters_that_look_like_digits_are_digits() {
        assert_eq!(decode("O1lI"), decode("0111"));
        assert_eq!(decode("0u"), Err((1, 'u')));
    }

    #[test]
    fn only_one_text_stands_for_some_bytes() {
        assert!(is_canonical("0w", &[7]) && is_canonical("OW", &[7]));
        assert!(!is_canonical("0x", &[7]), "a bit that nothing is encoded in");
        assert!(!is_canonical("0w0", &[7]), "a digit that nothing is encoded in");
    }
}
