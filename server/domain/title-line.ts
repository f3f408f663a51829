/** A longer line is cut, since a title names and does not show. */
const titleMax = 200;

/** The first line that is not empty, as a title; null if there is none. */
export function titleLine(text: string | null | undefined): string | null {
  const start = (text ?? '').trimStart();
  const end = start.indexOf('\n');
  const line = (end === -1 ? start : start.slice(0, end)).trimEnd();
  if (line === '') return null;
  if (line.length <= titleMax) return line;
  // Half of a character at the cut is omitted.
  return `${line.slice(0, titleMax).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
