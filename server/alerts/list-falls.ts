import type { ProjectCtx } from '../access';
import { type RateDifference, rateDifference, type Share } from '../domain';
import type { ChangeMark } from './changes/list-marks';
import { marksNear, readMarks } from './detector/detect';
import { type RateSeries, readRateSeries } from './detector/pass-rates';
import { dayMs, detectorWindow } from './detector/window';
import { listFindings } from './list-findings';

/** An open finding of a fallen pass rate, with its current counts. */
export interface Fall {
  readonly findingId: string;
  readonly verifier: string;
  /** A model, or a word with a value, as `route chat`; null if the verdicts name no model. */
  readonly part: string | null;
  /** The UTC day with which the rate changed. */
  readonly since: Date;
  /** Passes of the decided verdicts since that day, and before it in the compared days. */
  readonly now: Share;
  readonly before: Share;
  /** Null if one of them has fewer than 20 verdicts. */
  readonly difference: RateDifference | null;
  /** Path within the project: the failed verdicts since that day. */
  readonly href: string;
  /** Configuration changes around that day, oldest first. */
  readonly changes: readonly ChangeMark[];
}

const fallsMax = 50;

/** The falls of pass rates that last, the deepest first. */
export async function listFalls(ctx: ProjectCtx): Promise<Fall[]> {
  const { items } = await listFindings(ctx, {
    state: 'open',
    kind: 'pass_rate_fell',
    limit: fallsMax,
  });
  if (items.length === 0) return [];
  const window = detectorWindow(ctx.clock.now());
  const [all, marks] = await Promise.all([readRateSeries(ctx, window), readMarks(ctx, window)]);
  return items
    .flatMap(({ id, series, href }) => {
      const found = all.find((each) => each.series === series);
      const from = href === null ? null : new URLSearchParams(href.split('?')[1]).get('from');
      if (found === undefined || href === null || from === null) return [];
      const since = new Date(from);
      const counts = countsAround(found, window.startOf(0), since);
      return [
        {
          findingId: id,
          verifier: found.verifier,
          part: found.part,
          since,
          ...counts,
          difference: rateDifference(counts.now, counts.before),
          href,
          changes: marksNear(marks, since),
        },
      ];
    })
    .sort((a, b) => (a.difference?.value ?? 0) - (b.difference?.value ?? 0));
}

function countsAround({ days }: RateSeries, firstDay: Date, since: Date) {
  const at = Math.round((since.getTime() - firstDay.getTime()) / dayMs);
  return { now: sumOf(days.slice(at)), before: sumOf(days.slice(0, at)) };
}

const sumOf = (days: RateSeries['days']): Share => ({
  numerator: days.reduce((sum, { passed }) => sum + passed, 0),
  denominator: days.reduce((sum, { decided }) => sum + decided, 0),
});
