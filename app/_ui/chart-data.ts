/** The numbers of a chart's table for export, without the text around them. */
export interface ChartData {
  /** With the unit in the name: `delay p50 (ms)`. */
  readonly columns: readonly string[];
  /** Null means no value; shares are 0..1. */
  readonly rows: readonly (readonly Value[])[];
}

type Value = string | number | Date | null;

/**
 * RFC 4180: a header, lines that end with CR LF, times in ISO 8601 and UTC. Text that a spreadsheet
 * would take for a formula gets a leading apostrophe, since model names are untrusted.
 */
export function csvText({ columns, rows }: ChartData): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (value instanceof Date) return value.toISOString();
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `assay-verdict-history-2026-11-23`: file name of a chart's export. */
export function chartFileName(title: string, at: Date): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `assay-${slug}-${at.toISOString().slice(0, 10)}`;
}

/**
 * `2026-11-17 to 2026-11-23 (UTC)`.
 *
 * @param to the time of reading, or the exclusive end
 */
export function periodText(from: Date | null, to?: Date): string {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  if (from === null)
    return to === undefined ? 'All time' : `Until ${day(new Date(to.getTime() - 1))} (UTC)`;
  if (to === undefined) return `Since ${day(from)} (UTC)`;
  const last = day(new Date(to.getTime() - 1));
  return last === day(from) ? `${last} (UTC)` : `${day(from)} to ${last} (UTC)`;
}
