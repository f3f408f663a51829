/** A place in a text, as UTF-16 indices; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Whether the character before or after a place is a letter, a digit or `_`. */
export const isWordAt = (text: string, index: number): boolean => WORD.test(text.charAt(index));
