import type { ProjectCtx } from '../../access';
import { quantityText } from '../../domain';
import { identityOf } from '../../ingest';
import { detectRateChange, type RateChange, significantTogether } from '../../stats';
import { type ChangeMark, listMarks } from '../changes/list-marks';
import type { AlertFinding, AlertKindRule } from '../kind';
import { dayOf } from '../window-start';
import { percent, verifierName } from '../wording';

const dayMs = 86_400_000;
/** The days whose verdicts are compared, and the latest of them: an earlier change is no news. */
const windowDays = 56;
const recentDays = 28;
/** The expected share of false findings, over all series of a project together. */
const alpha = 0.05;
/** The series with the most verdicts. */
const seriesMax = 200;
/** Configuration changes this close to the day are named. */
const nearDays = 1;
const namedMax = 3;

/**
 * Looks for falls of pass rates by verifier and model. All series are tested together, so more of
 * them do not cause more false findings. Series with too few verdicts are left out.
 */
export const passRateFell: AlertKindRule = {
  kind: 'pass_rate_fell',
  severity: 'high',
  meaning: `The pass rate of a model fell in the last ${recentDays} days. Tests all verifiers and models together, with at most ${percent(alpha)} false findings.`,
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: windowDays * 1440,
    noData: 'keep',
    renotifyMinutes: null,
  },
  limits: null,
  unfound: 'gone',
  async find({ project, now, ruleFor }) {
    const compared = (await readSeries(project, now)).flatMap((series) => {
      const change = detectRateChange(series.days);
      return change === null || !ruleFor('pass_rate_fell', series.verifier).enabled
        ? []
        : [{ series, change }];
    });
    const significant = new Set(
      significantTogether(
        compared.map(({ change }) => change.logE),
        alpha,
      ),
    );
    const marks = significant.size === 0 ? [] : await readMarks(project, now);
    const firstDay = firstDayOf(now);
    return compared.map(({ series, change }, i) =>
      fallFinding(series, change, { firstDay, isSignificant: significant.has(i), marks }),
    );
  },
};

export interface RateSeries {
  readonly verifier: string;
  /** Empty if the verdicts name none. */
  readonly model: string;
  readonly days: readonly { readonly passed: number; readonly decided: number }[];
}

/** The first day of the window. */
export const firstDayOf = (now: Date): Date =>
  new Date((Math.floor(now.getTime() / dayMs) - (windowDays - 1)) * dayMs);

/** Counts of each day of the window, for the series with the most verdicts. */
export async function readSeries(ctx: ProjectCtx, now: Date): Promise<readonly RateSeries[]> {
  const { sql, projectId } = ctx;
  const first = dayOf(firstDayOf(now));
  const rows = await sql<
    { verifier: string; model: string; days: [day: number, passed: number, decided: number][] }[]
  >`
    select verifier, model, jsonb_agg(jsonb_build_array(at, passed, decided)) as days from (
      select r.verifier_slug as verifier, ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model,
        r.day - ${first}::date as at, sum(r.passed)::int as passed, sum(r.passed + r.failed)::int as decided
      from verdict_rollups r
      where r.project_id = ${projectId} and r.day between ${first}::date and ${dayOf(now)}::date
      group by 1, 2, 3
    ) as counted
    group by 1, 2 order by sum(decided) desc, 1, 2 limit ${seriesMax}`;
  return rows.map(({ verifier, model, days }) => {
    const counted = Array.from({ length: windowDays }, () => ({ passed: 0, decided: 0 }));
    for (const [at, passed, decided] of days) counted[at] = { passed, decided };
    return { verifier, model, days: counted };
  });
}

/** Configuration changes around the recent days. */
export async function readMarks(ctx: ProjectCtx, now: Date): Promise<readonly ChangeMark[]> {
  const from = new Date(firstDayOf(now).getTime() + (windowDays - recentDays - nearDays) * dayMs);
  return (await listMarks(ctx, { from })).marks;
}

interface Found {
  readonly firstDay: Date;
  readonly isSignificant: boolean;
  readonly marks: readonly ChangeMark[];
}

function fallFinding(
  { verifier, model }: RateSeries,
  { before, after, at }: RateChange,
  { firstDay, isSignificant, marks }: Found,
): AlertFinding {
  const name = `${verifierName(verifier)}, ${model === '' ? 'no model named' : model}`;
  const shown = {
    series: `${verifier}/${model}`,
    name,
    verifier,
    limit: null,
    href: `/verdicts?${new URLSearchParams({ verifier, ...(model !== '' && { model }) }).toString()}`,
  };
  const [was, is] = [before.passed / before.decided, after.passed / after.decided];
  if (!isSignificant || is >= was || at < windowDays - recentDays) {
    const total = before.decided + after.decided;
    const passed = before.passed + after.passed;
    const message = `${name}: ${percent(passed / total)} of ${quantityText(total, 'verdict')} passed in ${windowDays} days, without a significant fall in the last ${recentDays}.`;
    return { ...shown, state: 'ok', value: is, message, advice: null };
  }
  const since = new Date(firstDay.getTime() + at * dayMs);
  const href = `${shown.href}&outcome=failed&from=${encodeURIComponent(since.toISOString())}`;
  return {
    ...shown,
    href,
    state: 'alerting',
    value: is,
    message: `${name}: ${percent(is)} of ${quantityText(after.decided, 'verdict')} passed since ${dayOf(since)}, and ${percent(was)} of ${quantityText(before.decided, 'verdict')} before.`,
    advice: adviceOf(marks, since),
  };
}

/** The changes around that day. */
export const marksNear = (marks: readonly ChangeMark[], since: Date): readonly ChangeMark[] =>
  marks.filter(
    ({ at }) =>
      at.getTime() >= since.getTime() - nearDays * dayMs &&
      at.getTime() < since.getTime() + (nearDays + 1) * dayMs,
  );

/** Names the settings that changed around that day. */
function adviceOf(marks: readonly ChangeMark[], since: Date): string {
  const near = marksNear(marks, since);
  if (near.length === 0)
    return 'Compare the inputs, and ask whether the model or its provider changed: no setting changed around that day.';
  const named = near
    .slice(0, namedMax)
    .map(({ action, target }) => (target === null ? action : `${action} ${target}`));
  const more = near.length > namedMax ? ` and ${near.length - namedMax} more` : '';
  return `Check what changed around that day: ${named.join(', ')}${more}.`;
}
