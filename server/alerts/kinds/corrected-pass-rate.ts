import { minSampleSize, quantityText } from '../../domain';
import { sha256 } from '../../platform';
import { findLimitedAccounts, labelledVerdictRows } from '../../measures';
import { confidenceSequence, type Sequence } from '../../stats';
import type { AlertKindRule, AlertFinding, AlertCheck } from '../kind';
import { percent, verifierName, verifierPage } from '../wording';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday. */
const firstMonday = 4 * dayMs;
/** Maximum number of labels per verifier and window, enough for a narrow sequence. */
const labelsMax = 10_000;
/** A verdict older than this at the start of its window is irrelevant, whenever it was labelled. */
const oldestMs = 8 * weekMs;
const tightestAt = 100;

/**
 * The share of good work, by people's rulings on the audit's random sample (calibration.md 5.9,
 * 5.11). Labels arrive one by one and are checked every minute. The bound is therefore a confidence
 * sequence, which is valid however often it is checked. A long healthy history would hide a late
 * drop, and each window therefore has a separate sequence: the k-th since the limit was set uses
 * α·6/(π²k²), which sum to α = 0.05. Windows are UTC days, or weeks from Monday for seven days or
 * more. Disabled until a limit is set.
 */
export const correctedPassRate: AlertKindRule = {
  kind: 'corrected_pass_rate',
  severity: 'high',
  meaning:
    'The share of good work by the audit’s random sample, week by week or day by day. Alerts when its upper confidence bound is below the limit. Off without a limit.',
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 7 * 1440,
    noData: 'keep',
    renotifyMinutes: 1440,
  },
  limits: { min: 0, max: 1 },
  whenNotFound: 'no_data',
  async find(check) {
    const found: AlertFinding[] = [];
    for (const window of check.windowsOf('corrected_pass_rate')) {
      const lengthMs = windowLength(window);
      const samples = await readSamples(check, startOf(check.now, lengthMs));
      for (const [series, sample] of samples) {
        const rule = check.ruleFor('corrected_pass_rate', series);
        if (rule.limit === null || rule.windowMinutes !== window) continue;
        found.push(
          correctedFinding(series, sample, {
            limit: rule.limit,
            lengthMs,
            now: check.now,
            since: check.limitSetAt('corrected_pass_rate', series),
          }),
        );
      }
    }
    return found;
  },
};

/** One label of the sample: whether the work was good, and the probability of its draw. */
export interface Drawn {
  readonly id: string;
  readonly good: boolean;
  readonly probability: number;
}

const windowLength = (minutes: number): number => (minutes < 7 * 1440 ? dayMs : weekMs);

function startOf(at: Date, lengthMs: number): Date {
  const first = lengthMs === weekMs ? firstMonday : 0;
  return new Date(first + Math.floor((at.getTime() - first) / lengthMs) * lengthMs);
}

/** The number of this window since the limit was set, from 1. */
export function windowNumber(since: Date, now: Date, lengthMs: number): number {
  return (
    1 +
    Math.max(
      0,
      Math.round(
        (startOf(now, lengthMs).getTime() - startOf(since, lengthMs).getTime()) / lengthMs,
      ),
    )
  );
}

/**
 * Selects by the time of the ruling: a label of Monday counts this week, although its verdict is
 * from last week.
 */
async function readSamples({ project }: AlertCheck, from: Date): Promise<Map<string, Drawn[]>> {
  const outweighing = await findLimitedAccounts(project);
  const rows = await project.sql<
    { series: string; id: string; good: boolean; probability: number }[]
  >`
    select series, id, good, probability from (
      select series, id, good, probability, ruled_at, row_number() over (partition by series order by ruled_at, id) as place
      from (${labelledVerdictRows(project, 'verifier', { from: new Date(from.getTime() - oldestMs), outweighing })}) as judged
      where probability is not null and selection = 'sample' and machine is not null and good is not null
        and ruled_at >= ${from.toISOString()}::timestamptz
    ) as ruled
    where place <= ${labelsMax} order by ruled_at, id`;
  const samples = new Map<string, Drawn[]>();
  for (const { series, ...drawn } of rows) {
    const sample = samples.get(series);
    if (sample === undefined) samples.set(series, [drawn]);
    else sample.push(drawn);
  }
  return samples;
}

/**
 * Thins labels to a uniform draw probability: keeps only a share of those with a higher
 * probability, selected by a hash of the id, which keeps the same labels in the next check. The
 * plain mean of the rest estimates that of all decided verdicts.
 */
export function evenlyDrawn(sample: readonly Drawn[]): readonly Drawn[] {
  const minProbability = Math.min(...sample.map(({ probability }) => probability));
  return sample.filter(
    ({ id, probability }) =>
      Number.parseInt(sha256(id).slice(0, 12), 16) / 2 ** 48 < minProbability / probability,
  );
}

/** The sequence of the `number`-th window. Null without labels. */
export function sequenceOf(sample: readonly Drawn[], number: number): Sequence | null {
  const alpha = (0.05 * 6) / (Math.PI * number) ** 2;
  return confidenceSequence(
    evenlyDrawn(sample).map(({ good }) => (good ? 1 : 0)),
    { alpha, tightestAt },
  );
}

interface InWindow {
  readonly limit: number;
  readonly lengthMs: number;
  readonly now: Date;
  /** When the limit was set. */
  readonly since: Date;
}

export function correctedFinding(
  series: string,
  sample: readonly Drawn[],
  { limit, lengthMs, now, since }: InWindow,
): AlertFinding {
  const name = verifierName(series);
  const shown = { series, name, verifier: series, limit, href: verifierPage(series) };
  const sequence = sequenceOf(sample, windowNumber(since, now, lengthMs));
  const window = lengthMs === weekMs ? 'this week' : 'today';
  if (sequence === null || sequence.n < minSampleSize) {
    const message = `Corrected pass rate of ${name}: ${quantityText(sequence?.n ?? 0, 'audited verdict')} ${window}. A rate needs ${minSampleSize}.`;
    return { ...shown, state: 'no_data', value: null, message, advice: null };
  }
  const isAlerting = sequence.high < limit;
  const message = `Corrected pass rate of ${name}: ${percent(sequence.mean)} of ${quantityText(sequence.n, 'audited verdict')} ${window} were good, so at most ${percent(sequence.high)} of all${isAlerting ? ', below the limit of' : '; the limit is'} ${percent(limit)}.`;
  const advice = isAlerting ? 'The work itself got worse: check the failures in the audit.' : null;
  return { ...shown, state: isAlerting ? 'alerting' : 'ok', value: sequence.mean, message, advice };
}
