/**
 * Shortens a text for a page that shows many texts, and marks it with an ellipsis. Never splits a
 * surrogate pair.
 */
export function shorten(text: string, most = 2000): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
