//! The alphabet of byte-level BPE: every byte has a printable character, so that vocabularies are readable text.
//!
//! Printable Latin-1 bytes stand for themselves; the other 68 bytes take the characters from U+0100 on, in order.

/// The bytes of a token, or nothing when a character stands for no byte.
pub(super) fn bytes(token: &str) -> Option<Vec<u8>> {
    token.chars().map(byte).collect()
}

fn byte(character: char) -> Option<u8> {
    let code = u32::from(character);
    match u8::try_from(code) {
        Ok(byte) => stands_for_itself(byte).then_some(byte),
        Err(_) => (0..=u8::MAX).filter(|&byte| !stands_for_itself(byte)).nth(code.checked_sub(0x100)? as usize),
    }
}

fn stands_for_itself(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_character() {
        let mut seen: Vec<u8> = (0..0x200).filter_map(char::from_u32).filter_map(byte).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..=u8::MAX).collect::<Vec<_>>());
    }

    #[test]
    fn known_tokens_become_their_bytes() {
        assert_eq!(bytes("Ġthe"), Some(b" the".to_vec()));
        assert_eq!(bytes("Ċ"), Some(b"\n".to_vec()));
        assert_eq!(bytes("ðŁ¦Ģ"), Some("🦀".as_bytes().to_vec()));
        assert_eq!(bytes("a b"), None);
    }
}
