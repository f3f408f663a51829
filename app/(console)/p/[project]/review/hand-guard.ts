/**
 * No one has read an item that came into hand so lately: what is pressed then was meant for the one
 * before.
 */
const unreadMs = 250;

/**
 * @param since when the item came into hand, and `at` when something was pressed: milliseconds of
 * the page's clock, as in `event.timeStamp`
 * @returns whether the press must not rule on the item
 */
export function isTooSoon(since: number | null, at: number): boolean {
  return since === null || at - since < unreadMs;
}
