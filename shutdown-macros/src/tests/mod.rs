//! Rules, as problems and the text that they underline.
