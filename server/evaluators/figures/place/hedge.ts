import type { ScannedFigure } from '../scan';
import { ClueWord } from './clue-words';
import type { Sentence } from './sentence';

/** The values that a figure with "over", "nearly" or "about" before it can stand for: both ends count in. */
export interface Window {
  readonly low: number;
  readonly high: number;
}

const OVER =
  /\b(?:over|more than|above|at least|exceed(?:s|ed|ing)|upwards? of|greater than|higher than|surpass(?:es|ed|ing)|beyond)\s{1,2}(?:the\s)?$/i;
const UNDER = /\b(?:under|below|less than|fewer than|lower than|nearly|almost|up to|close to|at most|just short of)\s{1,2}(?:the\s)?$/i;
const ABOUT =
  /(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.|near|hovering|in the region of)\s{1,2}(?:the\s)?|~\s?)$/i;

/** A round figure stands for at most this share of itself: "nearly 100" is no word for 3. */
const ROUND_SHARE = 0.1;

/**
 * What a hedge allows, in its own direction: one unit of the last digit shown. Zeros at the end of a figure may be rounding, so there the
 * unit is that of the last other digit, but at most a tenth of the figure; "about" takes half of it to either side.
 */
export function hedgeOf(figure: ScannedFigure, sentence: Sentence): Window | null {
  const quantity = sentence.mayGive(ClueWord.hedge) ? figure.reading.quantities[0] : undefined;
  if (quantity === undefined || quantity.decimal.digits === '') return null;
  const at = figure.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - 40), at).replace(/[-+−$€£¥]{1,2}$/u, '');
  const value = Number(figure.value);
  const shown = 10 ** quantity.quantum;
  const unit = Math.max(shown, Math.min(10 ** quantity.decimal.exponent, Math.abs(value) * ROUND_SHARE));
  if (OVER.test(before)) return { low: value, high: value + unit };
  if (UNDER.test(before)) return { low: value - unit, high: value };
  if (!ABOUT.test(before)) return null;
  const half = quantity.decimal.exponent > quantity.quantum ? unit / 2 : unit;
  return { low: value - half, high: value + half };
}

export function liesIn(window: Window, value: number): boolean {
  return value >= window.low && value <= window.high;
}
