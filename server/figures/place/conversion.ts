import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Sentence } from './sentence';

/** A unit of a measure: its size in the measure's first unit, and its zero point. */
interface Unit {
  readonly measure: string;
  readonly factor: number;
  readonly zero: number;
}

const LINES: readonly (readonly [measure: string, factor: number, zero: number, words: string])[] =
  [
    ['temperature', 1, 0, '°C ºC ℃ °c celsius Celsius'],
    ['temperature', 5 / 9, -160 / 9, '°F ºF ℉ °f fahrenheit Fahrenheit'],
    ['length', 0.001, 0, 'mm millimetres millimeters'],
    ['length', 0.01, 0, 'cm centimetres centimeters'],
    ['length', 1, 0, 'm metres meters'],
    ['length', 1_000, 0, 'km kilometres kilometers'],
    ['length', 0.0254, 0, 'in inch inches'],
    ['length', 0.3048, 0, 'ft foot feet'],
    ['length', 1_609.344, 0, 'mi mile miles'],
    ['mass', 1, 0, 'g grams'],
    ['mass', 1_000, 0, 'kg kilograms'],
    ['mass', 453.592_37, 0, 'lb lbs pound pounds'],
    ['mass', 28.349_523, 0, 'oz ounce ounces'],
    ['speed', 1, 0, 'm/s mps'],
    ['speed', 1 / 3.6, 0, 'km/h kmh kph'],
    ['speed', 0.447_04, 0, 'mph'],
    ['speed', 0.514_444, 0, 'kn kt knots'],
    ['volume', 1, 0, 'l L litres liters'],
    ['volume', 0.001, 0, 'ml mL'],
    ['volume', 3.785_412, 0, 'gal gallons'],
    ['time', 0.001, 0, 'ms milliseconds'],
    ['time', 1, 0, 's sec seconds'],
    ['time', 60, 0, 'min mins minutes'],
    ['time', 3_600, 0, 'h hr hrs hours'],
    ['time', 86_400, 0, 'd days'],
  ];

const known: ReadonlyMap<string, Unit> = new Map(
  LINES.flatMap(([measure, factor, zero, words]) =>
    words.split(' ').map((word): [string, Unit] => [word, { measure, factor, zero }]),
  ),
);

/** One unit per size of a measure. */
const ofMeasure: ReadonlyMap<string, readonly Unit[]> = new Map(
  [...new Set(LINES.map(([measure]) => measure))].map((each): [string, Unit[]] => [
    each,
    LINES.filter(([measure]) => measure === each).map(([measure, factor, zero]) => ({
      measure,
      factor,
      zero,
    })),
  ]),
);

/**
 * The unit of the previous figure, which may be outside its token, and the bracket or slash that
 * opens its repetition.
 */
const BRACKET = /^[ \u00a0-]?(?:[\p{L}°º℃℉]{1,12}(?:\/[\p{L}]{1,2})?)?[ \u00a0]?[(/][ \u00a0]?$/u;

/** The previous figure that it repeats in another unit, and whether the conversion is right. */
export interface Repetition {
  readonly base: ScannedFigure;
  readonly right: boolean;
}

/** "2 °C (36 °F)", "10 km (6.2 miles)"; null if a figure repeats none. */
export function repetitionOf(figure: ScannedFigure, sentence: Sentence): Repetition | null {
  if (figure.unit === null) return null;
  const base = sentence.figures[sentence.figures.indexOf(figure) - 1];
  if (base === undefined || base.unit === null) return null;
  const [from, to] = [unitNamed(base.unit), unitNamed(figure.unit)];
  if (
    from === undefined ||
    to === undefined ||
    from.measure !== to.measure ||
    from.factor === to.factor
  )
    return null;
  if (!BRACKET.test(sentence.text.slice(base.to - sentence.from, figure.from - sentence.from)))
    return null;
  const [low, high] = spanOf(base, from);
  const [min, max] = spanOf(figure, to);
  return { base, right: low <= max && min <= high };
}

/** A value that a figure states in another unit: `11.2 °C` of "52.2 °F". */
export interface Converted {
  readonly item: SourceItem;
  readonly unit: string;
}

/**
 * The value of a source that a figure states in another unit of the same measure, by the unit at
 * the end of the value's name.
 * @param unitOf the unit of a value, or null
 */
export function convertedOf(
  figure: ScannedFigure,
  find: (low: number, high: number) => readonly SourceItem[],
  unitOf: (item: SourceItem) => string | null,
): readonly Converted[] {
  const to =
    figure.unit === null || figure.reading.quantities.length !== 1
      ? undefined
      : unitNamed(figure.unit);
  if (to === undefined) return [];
  const [low, high] = spanOf(figure, to);
  const found: Converted[] = [];
  for (const from of ofMeasure.get(to.measure) ?? []) {
    if (from.factor === to.factor && from.zero === to.zero) continue;
    for (const item of find((low - from.zero) / from.factor, (high - from.zero) / from.factor)) {
      const unit = unitOf(item);
      const own = unit === null ? undefined : unitNamed(unit);
      if (unit !== null && own?.measure === from.measure && own.factor === from.factor)
        found.push({ item, unit });
    }
  }
  return found;
}

function unitNamed(unit: string): Unit | undefined {
  return known.get(unit) ?? known.get(unit.toLowerCase());
}

/** The range of a rounded figure, in the first unit of its measure. */
function spanOf(
  figure: ScannedFigure,
  { factor, zero }: Unit,
): readonly [low: number, high: number] {
  const half = 10 ** (figure.reading.quantities[0]?.quantum ?? 0) / 2;
  const value = Number(figure.value);
  return [(value - half) * factor + zero, (value + half) * factor + zero];
}
