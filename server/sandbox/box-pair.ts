// Two boxes that share nothing but a socket: descriptor 5 of each.
import type { BoxJob, BoxResult } from './box-job';
import type { Launcher } from './launcher';
import { type BoxSeat, runInBox } from './run-in-box';

export type BoxPair = readonly [BoxJob, BoxJob];

/**
 * The second box is ended when the first has ended.
 * @returns how each ended; null for a second one that was never started
 */
export async function runPairOfBoxes(
  launcher: Launcher,
  [first, second]: BoxPair,
  signal: AbortSignal,
  [seat, seatOfSecond]: readonly (BoxSeat | undefined)[],
): Promise<readonly [BoxResult, BoxResult | null]> {
  const ending = new AbortController();
  const other: { result: Promise<BoxResult> | null } = { result: null };
  const result = await runInBox(launcher, { ...first, link: true }, signal, seat, (socket) => {
    other.result = runInBox(
      launcher,
      { ...second, link: true },
      AbortSignal.any([signal, ending.signal]),
      seatOfSecond,
      socket,
    );
    // Now each box has one end, and sees when the other box has ended.
    socket.destroy();
  });
  ending.abort();
  return [result, await other.result];
}
