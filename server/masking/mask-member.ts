import type { Masker } from './masker';
import { followPaths, startPaths } from './paths';

/** A text that is this member of the root: replaced whole if a path ends at it. */
export const maskMember = (masker: Masker, member: string, text: string): string =>
  followPaths(startPaths(masker.rules.paths), member) === null
    ? masker.valueToken(text)
    : masker.text(text, member);
