import { z } from 'zod';

/**
 * Characters that a name may not contain: control characters (they can forge log lines and
 * headers), bidirectional and zero-width formatting (two names can look the same, or one can be
 * displayed in another order), line and paragraph separators, tag characters, and lone surrogates.
 * The joiners U+200C and U+200D are refused too: some emoji and some Persian words need them, but
 * they would allow an indistinguishable copy of any name.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex -- exactly these characters are refused
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u;

/**
 * A name for lists, logs and messages: not empty, one line, without invisible characters.
 * Surrounding white space is removed. Ids that clients give to their own work use `plainName`.
 * @param chars the maximum number of UTF-16 code units
 */
export const displayName = (chars: number) =>
  z
    .string()
    .max(chars, `must have at most ${chars} characters`)
    .refine(
      (name) => !unseen.test(name),
      'must not contain control, zero-width or text-direction characters',
    )
    .trim()
    .min(1, 'must not be empty');
