// WRONG token-by-token fn StreamingDetokenizer::push: decodes every token by itself, so that a split character breaks
    Ok(String::from_utf8_lossy(&(self.bytes_of)(id)?).into_owned())
// END WRONG

// WRONG word-by-word fn StreamingDetokenizer::push: holds text back until the next space
    self.pending.extend((self.bytes_of)(id)?);
    match self.pending.iter().rposition(u8::is_ascii_whitespace) {
        Some(end) => Ok(String::from_utf8_lossy(&self.pending.drain(..=end).collect::<Vec<_>>()).into_owned()),
        None => Ok(String::new()),
    }
// END WRONG

// WRONG stuck fn StreamingDetokenizer::push: waits for bytes that are invalid to become valid
    self.pending.extend((self.bytes_of)(id)?);
    let valid = match std::str::from_utf8(&self.pending) {
        Ok(_) => self.pending.len(),
        Err(error) => error.valid_up_to(),
    };
    Ok(String::from_utf8_lossy(&self.pending.drain(..valid).collect::<Vec<_>>()).into_owned())
// END WRONG

// WRONG all-or-nothing fn StreamingDetokenizer::push: keeps the finished characters back with the unfinished one
    self.pending.extend((self.bytes_of)(id)?);
    match String::from_utf8(self.pending.clone()) {
        Ok(text) => {
            self.pending.clear();
            Ok(text)
        }
        Err(error) if error.utf8_error().error_len().is_none() => Ok(String::new()),
        Err(_) => Ok(String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()),
    }
// END WRONG

// WRONG tail-lost fn StreamingDetokenizer::push: replaces an unfinished character behind an invalid byte
    self.pending.extend((self.bytes_of)(id)?);
    match std::str::from_utf8(&self.pending) {
        Err(error) if error.error_len().is_none() => {
            let ready: Vec<u8> = self.pending.drain(..error.valid_up_to()).collect();
            Ok(String::from_utf8_lossy(&ready).into_owned())
        }
        _ => Ok(String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()),
    }
// END WRONG

// WRONG invalid-dropped fn StreamingDetokenizer::push: leaves invalid bytes out
    self.pending.extend((self.bytes_of)(id)?);
    let mut text = String::new();
    loop {
        match std::str::from_utf8(&self.pending) {
            Ok(valid) => {
                text.push_str(valid);
                self.pending.clear();
                return Ok(text);
            }
            Err(error) => {
                let valid: Vec<u8> = self.pending.drain(..error.valid_up_to()).collect();
                text.push_str(&String::from_utf8_lossy(&valid));
                match error.error_len() {
                    Some(invalid) => drop(self.pending.drain(..invalid)),
                    None => return Ok(text),
                }
            }
        }
    }
// END WRONG

// WRONG silent-end fn StreamingDetokenizer::finish: drops an unfinished character
    self.pending.clear();
    Ok(String::new())
// END WRONG

// WRONG one-mark-a-byte fn StreamingDetokenizer::finish: writes a replacement character for every byte that is left
    let left = self.pending.len();
    self.pending.clear();
    Ok("\u{FFFD}".repeat(left))
// END WRONG

// WRONG not-reset fn StreamingDetokenizer::finish: the next text begins with the old bytes
    Ok(String::from_utf8_lossy(&self.pending).into_owned())
// END WRONG

// WRONG pending-taken-before-the-error fn StreamingDetokenizer::push: empties what waits before it asks for the bytes
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend((self.bytes_of)(id)?);
        self.pending = bytes;
        let mut text = String::new();
        loop {
            let (valid, rest) = match std::str::from_utf8(&self.pending) {
                Ok(_) => (self.pending.len(), Some(0)),
                Err(error) => (error.valid_up_to(), error.error_len()),
            };
            text.push_str(&String::from_utf8_lossy(&self.pending[..valid]));
            self.pending.drain(..valid);
            match rest {
                Some(invalid) if invalid > 0 => {
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.pending.drain(..invalid);
                }
                _ => return Ok(text), // all is said, or a character is still unfinished
            }
        }
// END WRONG

// WRONG neighbours-merged fn StreamingDetokenizer::push: makes one mark of several invalid pieces in a row
        self.pending.extend((self.bytes_of)(id)?);
        let mut text = String::new();
        loop {
            let (valid, rest) = match std::str::from_utf8(&self.pending) {
                Ok(_) => (self.pending.len(), Some(0)),
                Err(error) => (error.valid_up_to(), error.error_len()),
            };
            text.push_str(&String::from_utf8_lossy(&self.pending[..valid]));
            self.pending.drain(..valid);
            match rest {
                Some(invalid) if invalid > 0 => {
                    if !text.ends_with(char::REPLACEMENT_CHARACTER) {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                    self.pending.drain(..invalid);
                }
                _ => return Ok(text), // all is said, or a character is still unfinished
            }
        }
// END WRONG
