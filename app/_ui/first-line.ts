/** A longer line is cut, since a title names and does not show. */
const titleMax = 200;

/** The first line that is not empty, as a title; null if there is none. */
export function firstLine(text: string | null | undefined): string | null {
  const line = (text ?? '').split('\n').find((each) => each.trim() !== '');
  if (line === undefined) return null;
  const shown = line.trim();
  return shown.length <= titleMax ? shown : `${shown.slice(0, titleMax).toWellFormed()}…`;
}
