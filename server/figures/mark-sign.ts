/**
 * The sign right after a figure without a source (INT-6, INT-22): U+26A0 U+FE0F, without a blank
 * before it.
 */
export const UNSOURCED_MARK = '\u26a0\ufe0f';
