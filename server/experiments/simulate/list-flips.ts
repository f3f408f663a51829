import type { z } from 'zod';
import type { ProjectCtx } from '../../access';
import { cursorAt, invalid, readCursor } from '../../platform';
import { flipsAmong, readFlips } from './flipped';
import { type Item, readLabelledHistory } from './history';
import { faultOfValue, planSimulation } from './plan-simulation';
import type { FlipsIn } from './simulate-input';
import type { Flip } from './simulation';
import { decideAll, withCandidate } from './tally';

export interface FlipPage {
  readonly items: readonly Flip[];
  readonly nextCursor: string | null;
}

const pageSize = 50;

/**
 * Labelled verdicts that a value would decide differently, newest first. Empty if the value cannot
 * be set.
 * @throws AssayError not_found, invalid_request (cursor)
 */
export async function listFlips(
  ctx: ProjectCtx,
  input: Omit<z.infer<typeof FlipsIn>, 'project'>,
): Promise<FlipPage> {
  const after = input.cursor === undefined ? null : placeOf(readCursor(input.cursor));
  const trial = await planSimulation(ctx, input);
  if (faultOfValue(trial, input.value) !== null) return { items: [], nextCursor: null };
  const { groups } = await readLabelledHistory(ctx, trial);
  const now = decideAll(groups, trial.verifier, trial.stored);
  const then = decideAll(
    groups,
    trial.verifier,
    withCandidate(trial.stored, trial.key, trial, input.value),
  );
  const found = flipsAmong(groups, now, then, pageSize + 1, after);
  const page = found.slice(0, pageSize);
  const read = await readFlips(ctx, page);
  const last = page.at(-1);
  return {
    items: page.flatMap((each) => read(each) ?? []),
    nextCursor:
      found.length > pageSize && last !== undefined
        ? cursorAt({ at: momentOf(last.item.atMicros), id: last.item.id })
        : null,
  };
}

/** With microseconds, as in cursors. */
function momentOf(micros: number): string {
  const iso = new Date(Math.floor(micros / 1000)).toISOString();
  return `${iso.slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`;
}

function placeOf({ at, id }: { readonly at: string; readonly id: string }): Item {
  const [iso = '', fraction = ''] = at.slice(0, -1).split('.');
  const atMicros = Date.parse(`${iso}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
  if (!Number.isFinite(atMicros))
    throw invalid('cursor: must come from `next_cursor` of this list', [
      { path: 'cursor', message: 'must come from `next_cursor` of this list' },
    ]);
  return { id, atMicros };
}
