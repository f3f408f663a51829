import type { ProjectCtx } from '../../access';
import { significantTogether } from '../../stats';
import type { AlertKind } from '../alert-facts';
import { type ChangeMark, listMarks } from '../changes/list-marks';
import type { AlertCheck, AlertFinding } from '../kind';
import { dayOf } from '../window-start';
import { testCatchRates } from './catch-rates';
import { countDays } from './day-counts';
import { testCosts, testJudgeFailures, testVolumes } from './levels';
import { testPassRates } from './pass-rates';
import type { TestedSeries } from './series';
import { dayMs, type DetectorWindow, firstRecent, detectorWindow } from './window';

/** The expected share of false findings, over all series of all kinds of a project together. */
export const falseShare = 0.05;
/** Configuration changes this close to the day are named. */
const nearDays = 1;
const namedMax = 3;

/**
 * Tests all series of all enabled kinds together, so that more of them do not cause more false
 * findings. Series with too little data are omitted.
 */
export async function detectChanges({
  project,
  now,
  ruleFor,
}: Pick<AlertCheck, 'project' | 'now' | 'ruleFor'>): Promise<
  ReadonlyMap<AlertKind, AlertFinding[]>
> {
  const window = detectorWindow(now);
  await countDays(project, window);
  const tested = [
    await testPassRates(project, window),
    await testCatchRates(project, window),
    await testCosts(project, window),
    await testVolumes(project, window),
    await testJudgeFailures(project, window),
  ]
    .flat()
    .filter(({ kind, verifier }) => ruleFor(kind, verifier).enabled);
  const significant = significantTogether(
    tested.map(({ logE }) => logE),
    falseShare,
  );
  const changed = new Set(
    significant.flatMap((i) => (tested[i]?.isWorse === true ? tested[i] : [])),
  );
  const marks = changed.size === 0 ? [] : await readMarks(project, window);
  const findings = new Map<AlertKind, AlertFinding[]>();
  for (const each of tested) {
    const finding = findingOf(each, changed.has(each), window, marks);
    findings.set(each.kind, [...(findings.get(each.kind) ?? []), finding]);
  }
  return findings;
}

/** Configuration changes around the recent days. */
export async function readMarks(
  project: ProjectCtx,
  { startOf }: DetectorWindow,
): Promise<readonly ChangeMark[]> {
  return (await listMarks(project, { from: startOf(firstRecent - nearDays) })).marks;
}

function findingOf(
  { kind, series, name, verifier, value, at, quiet, changed, href }: TestedSeries,
  isChanged: boolean,
  { startOf }: DetectorWindow,
  marks: readonly ChangeMark[],
): AlertFinding {
  const shown = { series, name, verifier, limit: null, value };
  if (!isChanged) return { ...shown, state: 'ok', message: quiet, advice: null, href: href(null) };
  const since = startOf(at);
  return {
    ...shown,
    state: 'alerting',
    message: changed(dayOf(since)),
    advice: adviceOf(kind, marks, since),
    href: href(since),
  };
}

/** The advice if no setting changed. */
const checks: Partial<Record<AlertKind, string>> = {
  pass_rate_fell: 'Compare the inputs, and ask whether the model or its provider changed',
  catch_rate_fell: 'Review the missed failures',
  cost_rose: 'Compare the lengths of inputs and answers, and the prices of the model',
  volume_fell: 'Check the clients, their keys and the rules',
  judge_failures_rose: 'Check the provider and its key',
};

/** The changes around that day. */
export const marksNear = <Mark extends Pick<ChangeMark, 'at'>>(
  marks: readonly Mark[],
  since: Date,
): readonly Mark[] =>
  marks.filter(
    ({ at }) =>
      at.getTime() >= since.getTime() - nearDays * dayMs &&
      at.getTime() < since.getTime() + (nearDays + 1) * dayMs,
  );

/** Names the settings that changed around that day. */
export function adviceOf(
  kind: AlertKind,
  marks: readonly Pick<ChangeMark, 'at' | 'action' | 'target'>[],
  since: Date,
): string {
  const near = marksNear(marks, since);
  if (near.length === 0)
    return `${checks[kind] ?? 'Compare the days before and after'}: no setting changed around that day.`;
  const named = near
    .slice(0, namedMax)
    .map(({ action, target }) => (target === null ? action : `${action} ${target}`));
  const more = near.length > namedMax ? ` and ${near.length - namedMax} more` : '';
  return `Check what changed around that day: ${named.join(', ')}${more}.`;
}
