import type { ScannedFigure } from '../scan';
import type { Sentence } from './sentence';

const CELSIUS = new Set(['°C', 'ºC', '℃', 'celsius']);
const FAHRENHEIT = new Set(['°F', 'ºF', '℉', 'fahrenheit']);
const BRACKET = /^[ \u00a0]?[(/][ \u00a0]?$/u;
/** Degrees Fahrenheit that rounding to a degree on both sides can make up. */
const TOLERANCE = 1.5;

/** The figure before this one that it repeats in another unit, "2 °C (36 °F)"; null where it does not. */
export function convertedFrom(figure: ScannedFigure, sentence: Sentence): ScannedFigure | null {
  const before = sentence.figures[sentence.figures.indexOf(figure) - 1];
  if (before === undefined || before.unit === null || figure.unit === null) return null;
  if (!BRACKET.test(sentence.text.slice(before.to - sentence.from, figure.from - sentence.from))) return null;
  const [from, to] = [Number(before.value), Number(figure.value)];
  if (CELSIUS.has(before.unit) && FAHRENHEIT.has(figure.unit)) return Math.abs(from * 1.8 + 32 - to) <= TOLERANCE ? before : null;
  if (FAHRENHEIT.has(before.unit) && CELSIUS.has(figure.unit)) return Math.abs(to * 1.8 + 32 - from) <= TOLERANCE ? before : null;
  return null;
}
