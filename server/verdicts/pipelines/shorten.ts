/**
 * Text for a page that shows many texts: its beginning, and that there is more. Never halves a
 * character.
 */
export function shorten(text: string, most = 2000): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
