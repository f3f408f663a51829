import type { AlertKindRule } from '../kind';
import { falseShare } from '../detector/detect';
import { recentDays, windowDays } from '../detector/window';
import { percent } from '../wording';

const tested = `Compares the last ${windowDays} days; all changes are tested together, with at most ${percent(falseShare)} false findings.`;

/** A kind of finding of the detector of changes. */
const detectedKind = ({
  kind,
  severity,
  meaning,
}: Pick<AlertKindRule, 'kind' | 'severity' | 'meaning'>): AlertKindRule => ({
  kind,
  severity,
  meaning: `${meaning} ${tested}`,
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: windowDays * 1440,
    noData: 'keep',
    renotifyMinutes: null,
  },
  limits: null,
  whenNotFound: 'gone',
  find: async ({ detected }) => (await detected()).get(kind) ?? [],
});

export const passRateFell = detectedKind({
  kind: 'pass_rate_fell',
  severity: 'high',
  meaning: `The pass rate of a verifier fell in the last ${recentDays} days, by model, route, tag or prompt version.`,
});

export const catchRateFell = detectedKind({
  kind: 'catch_rate_fell',
  severity: 'high',
  meaning: `A verifier caught fewer of the labelled failures in the last ${recentDays} days.`,
});

export const costRose = detectedKind({
  kind: 'cost_rose',
  severity: 'medium',
  meaning: 'The mean cost of a model’s answers rose by at least 10%.',
});

export const volumeFell = detectedKind({
  kind: 'volume_fell',
  severity: 'medium',
  meaning:
    'Turns, verdicts of a verifier or calls of a route fell by at least 20% compared with the same weekdays, or stopped.',
});

export const judgeFailuresRose = detectedKind({
  kind: 'judge_failures_rose',
  severity: 'medium',
  meaning: 'A larger share of the calls to a judge got no answer, by at least 1 point.',
});
