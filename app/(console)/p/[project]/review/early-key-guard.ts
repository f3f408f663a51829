/** An item shown for less than this has not been read: the key was meant for the previous one. */
const unreadMs = 250;

/**
 * @param since when the item was shown, and `at` when the key was pressed: milliseconds of the
 * page's clock, as in `event.timeStamp`
 * @returns whether the key must be ignored
 */
export function isTooSoon(since: number | null, at: number): boolean {
  return since === null || at - since < unreadMs;
}
