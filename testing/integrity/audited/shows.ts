import type { Value } from './formula';

/** Whether a written figure shows a value. Independent of the product's own number parsing. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const NUMBER = /([-−+]?)[$€£]?(\d[\d,]*)(?:\.(\d+))?\s?(?:(k|thousand|million|billion|bn|M)\b)?/;
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  M: 1e6,
  billion: 1e9,
  bn: 1e9,
};

export function shows(figure: string, value: Value, hedged = false): boolean {
  if (typeof value === 'string') return showsText(figure, value);
  return typeof value === 'number' && showsNumber(figure, value, hedged);
}

/**
 * Accepts half of the last digit shown; for a hedged figure, its last non-zero digit, but at most a
 * tenth of the value.
 */
function showsNumber(figure: string, value: number, hedged: boolean): boolean {
  const [, sign = '', whole = '', decimals = '', word = ''] = NUMBER.exec(figure) ?? [];
  const digits = whole.replaceAll(',', '');
  const scale = SCALES[word] ?? 1;
  const shown =
    Number(`${digits}.${decimals === '' ? '0' : decimals}`) *
    scale *
    (sign === '-' || sign === '−' ? -1 : 1);
  const step = scale * 10 ** -decimals.length;
  const zeros = decimals === '' ? (/0*$/.exec(digits)?.[0].length ?? 0) : 0;
  const room = hedged ? Math.min(step * 10 ** zeros, Math.abs(value) / 10) : step / 2;
  return digits !== '' && Math.abs(shown - value) <= room + 1e-9 * Math.max(1, Math.abs(value));
}

/**
 * Dates, times and codes: each number of the figure must occur in the text, and a month name must
 * match its month.
 */
function showsText(figure: string, value: string): boolean {
  const iso = /^(?:\d{4}-)?(\d{2})(?:-\d{2})?/.exec(/^\d{4}-\d{2}/.test(value) ? value : '');
  const month = MONTH.exec(figure)?.[1]?.toLowerCase();
  const parts = numbersOf(value);
  if (month !== undefined) {
    if (iso === null) {
      if (!value.toLowerCase().includes(month)) return false;
    } else {
      if (MONTHS.indexOf(month) + 1 !== Number(iso[1])) return false;
      parts.splice(1, 1);
    }
  }
  return numbersOf(clockOf(figure)).every((part) => parts.includes(part));
}

/** "2:05 pm" as 14:05. */
function clockOf(figure: string): string {
  return figure.replace(
    /(\d{1,2})(?=(?::\d{2})?\s?([ap])\.?m\b)/i,
    (_, hour: string, half: string) =>
      String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)),
  );
}

function numbersOf(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}
