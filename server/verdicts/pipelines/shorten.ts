/**
 * Shortens a text for a page that shows many texts, and marks it with an ellipsis. Never splits a
 * surrogate pair.
 */
export function shorten(text: string, max = 2000): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
