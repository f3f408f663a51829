import type { Entry } from './draw';
import type { Random } from './random';
import type { Measure } from './shapes';

/** One way to write numbers, units and dates, used throughout a text. */
export interface Style {
  readonly thousands: boolean;
  /** "48.7k", "1.2 million". */
  readonly compact: boolean;
  readonly sign: number;
  readonly date: number;
  readonly words: number;
}

export function styleOf(random: Random): Style {
  return {
    thousands: random.next() < 0.7,
    compact: random.next() < 0.3,
    sign: random.below(4),
    date: random.below(4),
    words: random.below(4),
  };
}

/** The difference of a figure from the plain value. */
export interface Twist {
  readonly rounded?: 'up or down' | 'cut off';
  readonly unit?: 'wrong';
  readonly converted?: 'right' | 'wrong';
}

export function formatFigure(
  value: number,
  { unit, decimals }: Measure,
  style: Style,
  twist: Twist = {},
): string {
  const sign =
    twist.unit === 'wrong' ? unit.wrong : (unit.signs[style.sign % unit.signs.length] ?? '');
  const number = formatNumber(value, decimals, style, twist.rounded);
  const figure = /^[$€£]/.test(sign) ? sign + number : number + sign;
  if (twist.converted === undefined || unit.converted === null) return figure;
  const other = unit.converted.by(value) * (twist.converted === 'wrong' ? 1.17 : 1);
  return `${figure} (${group(other.toFixed(1), style)}${unit.converted.sign})`;
}

function formatNumber(
  value: number,
  decimals: number,
  style: Style,
  rounded: Twist['rounded'],
): string {
  const scale = value >= 1e6 ? 1e6 : value >= 1e4 ? 1e3 : 1;
  const short = scale > 1 && (style.compact || rounded !== undefined);
  if (!short && rounded === undefined) return group(value.toFixed(decimals), style);
  const places = short ? 1 : Math.max(0, decimals - 1);
  const power = 10 ** places;
  const scaled = short ? value / scale : value;
  const shown = rounded === 'cut off' ? Math.floor(scaled * power + 1e-9) / power : scaled;
  const text = group(shown.toFixed(places), style);
  return short ? `${text}${scale === 1e6 ? ' million' : 'k'}` : text;
}

function group(text: string, { thousands }: Style): string {
  const [whole = '', decimals] = text.split('.');
  const grouped = thousands ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

const MONTHS =
  'January,February,March,April,May,June,July,August,September,October,November,December'.split(
    ',',
  );

/** "5 March", "March 5, 2024", "March 2024", "2024" …, or the name, or "Oslo on 5 March". */
export function formatEntry({ name, date }: Entry, style: Style): string {
  if (date === null) return name ?? '';
  const dateText = formatDate(date, style);
  return name === null ? dateText : `${name} ${preposition(date)} ${dateText}`;
}

export function preposition(date: string | null): string {
  return (date ?? '').length === 10 ? 'on' : 'in';
}

function formatDate(date: string, { date: form }: Style): string {
  const [year = '', month, day] = date.split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  if (month === undefined) return year;
  if (day === undefined) return form % 2 === 0 ? `${name} ${year}` : name;
  const forms = [
    `${Number(day)} ${name}`,
    `${name} ${Number(day)}`,
    `${Number(day)} ${name} ${year}`,
    date,
  ];
  return forms[form % forms.length] ?? date;
}

export function formatMeasure({ words }: Measure, { words: form }: Style): string {
  return words[form % words.length] ?? '';
}
