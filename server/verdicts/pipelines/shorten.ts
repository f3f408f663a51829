/**
 * Text for a page with many texts: its beginning, and a mark if there is more. Never splits a
 * character.
 */
export function shorten(text: string, most = 2000): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
