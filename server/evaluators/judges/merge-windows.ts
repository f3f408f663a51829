import type { CriteriaReply } from './shapes';
import type { WindowedReply } from './windows';

/**
 * Merges the replies about the windows and the whole into one (S-125). Each score is the lowest of
 * any call, with that call's reasons, so that a fault in one window counts regardless of the score
 * of the whole; content that must be present somewhere is scored by the call about the whole, since
 * windows are instructed not to lower a score for content of another. Quotes of all calls are kept,
 * and the confidence is the lowest.
 */
export function mergeCriteria({ whole, windows }: WindowedReply<CriteriaReply>): CriteriaReply {
  return {
    criteria: whole.criteria.map((each) => {
      const found = windows.map(({ criteria }) =>
        criteria.find(({ criterion }) => criterion === each.criterion),
      );
      return {
        ...withLowest(each, found),
        quotes: [each, ...found].flatMap((one) => one?.quotes ?? []),
        confidence: Math.min(each.confidence, ...found.map((one) => one?.confidence ?? 1)),
      };
    }),
    quality: whole.quality.map((each) =>
      withLowest(
        each,
        windows.map(({ quality }) => quality.find(({ dimension }) => dimension === each.dimension)),
      ),
    ),
    suggestions: mergeTexts(
      whole.suggestions,
      windows.map(({ suggestions }) => suggestions),
    ),
    confidence: lowest(
      whole.confidence,
      windows.map(({ confidence }) => confidence),
    ),
  };
}

/** The lowest of the values. */
export const lowest = (whole: number, windows: readonly number[]): number =>
  Math.min(whole, ...windows);

/** All texts, each once: those of the whole first. */
export function mergeTexts(
  whole: readonly string[],
  windows: readonly (readonly string[])[],
): readonly string[] {
  return [...new Set([...whole, ...windows.flat()])];
}

/**
 * The reasons of the window whose score is below that of the whole, with its number; else those of
 * the whole.
 */
export function reasonsOf(
  whole: { readonly value: number; readonly reasoning: string },
  windows: readonly ({ readonly value: number; readonly reasoning: string } | undefined)[],
): string {
  const lowest = Math.min(whole.value, ...windows.map((each) => each?.value ?? 1));
  const at = windows.findIndex((each) => each?.value === lowest);
  if (lowest === whole.value || at === -1) return whole.reasoning;
  return `In part ${at + 1} of ${windows.length}: ${windows[at]?.reasoning ?? ''}`;
}

function withLowest<Scored extends { readonly value: number; readonly reasoning: string }>(
  whole: Scored,
  windows: readonly (Scored | undefined)[],
): Scored {
  const value = Math.min(whole.value, ...windows.map((each) => each?.value ?? 1));
  return { ...whole, value, reasoning: reasonsOf(whole, windows) };
}
