import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';

/** The codes of a verdict, in sentences. */

/** At most four decimals, without trailing zeros: `0.8167`, `0.7`. */
export function plainNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}

export function percentText(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

const crossModels: ReadonlyMap<string, string> = new Map([
  ['enforced', 'From a different model family than the model that did the work.'],
  [
    'unverified',
    'Unknown whether it is another model: the work names no model, or one of an unknown family.',
  ],
  [
    'same_family_allowed',
    'Of the same family as the model that did the work; the call named this judge.',
  ],
  ['self', 'The model judged its own work.'],
]);

/** The relation of the judge to the model whose work it judged. */
export function crossModelText(crossModel: string | null): string {
  if (crossModel === null) return 'No judge was called.';
  return crossModels.get(crossModel) ?? crossModel;
}

const reasons: ReadonlyMap<string, string> = new Map([
  [
    'below_cost_floor',
    'No judge was called: the work cost less than the floor of the project. The checks decided.',
  ],
  [
    'not_in_sample',
    'No judge was called: only a sample of the work is judged, and this one is not in it. The checks decided.',
  ],
  [
    'judging_would_exceed_the_budget',
    'No judge was called: it would have exceeded the judging budget of the project.',
  ],
]);

const states: ReadonlyMap<string, string> = new Map([
  ['run', 'Verified.'],
  ['bypassed', 'No judge was called.'],
  ['sampled_out', 'No judge was called: not in the sample.'],
  ['over_budget', 'No judge was called: over the budget.'],
]);

export function decisionSentence({ state, reason }: VerdictDetail['decision']): string {
  if (reason !== null) return reasons.get(reason) ?? `${state}: ${reason}`;
  return states.get(state) ?? state;
}

const sources: Record<string, string> = {
  default: 'default',
  project: 'set for the project',
  mission: 'set for its mission',
  task: 'set for this task',
};

/** `0.8, set for its mission (version 2)`. A threshold sent with the call has no version. */
export function thresholdText({
  value,
  source,
  version,
}: NonNullable<VerdictDetail['threshold']>): string {
  if (source === 'task' && version === 0) return `${plainNumber(value)}, given with the call`;
  return `${plainNumber(value)}, ${sources[source] ?? source}${version === 0 ? '' : ` (version ${version})`}`;
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['verified', 'Verified'],
  ['retrying', 'Retry pending'],
  ['failed', 'Failed'],
  ['awaiting_human', 'Waiting for a person'],
  ['skipped', 'Not judged'],
]);

export function statusText(status: string): string {
  return statuses.get(status) ?? status;
}

/** The text for a pending verification, followed by the reason. */
export function pendingText({ progress }: Pick<VerdictSubject, 'progress'>): string {
  if (progress === null) return 'Storing the verdict';
  const slow = progress.lane === 'slow';
  if (progress.state === 'in_hand') return slow ? 'Being judged' : 'Being verified';
  if (progress.state === 'parked') {
    const at = `${progress.scheduledAt.toISOString().slice(11, 19)} UTC`;
    return `${slow ? 'Postponed until its judge is available' : 'Postponed'}, retried at ${at}`;
  }
  return slow ? 'Waiting for a judge' : 'Waiting for a worker';
}

/** The reason for a missing verdict, and the fix. */
export interface Trouble {
  readonly title: string;
  readonly what: string;
  readonly todo: string;
  /** A page of the project's settings. */
  readonly page: { readonly name: string; readonly path: string } | null;
}

const providers = { name: 'Settings › Providers', path: 'providers' };
const judging = { name: 'Settings › Judging', path: 'judging' };

/** Null when there is a verdict. */
export function troubleOf({
  state,
  verdict,
  issues,
  decision,
}: Pick<VerdictDetail, 'state' | 'verdict' | 'issues' | 'decision'>): Trouble | null {
  if (state !== 'settled' || verdict !== null) return null;
  const messageOf = (code: string): string | undefined =>
    issues.find((issue) => issue.code === code)?.message;
  const unasked = messageOf('no_judge');
  if (unasked !== undefined) {
    return {
      title: 'No judge available',
      what: unasked,
      todo: 'Give the project a model that may judge, and send the work again.',
      page: providers,
    };
  }
  const failed = messageOf('judge_failed');
  if (failed !== undefined) {
    return {
      title: 'The judge failed',
      what: failed,
      todo: 'Test the provider, and send the work again.',
      page: providers,
    };
  }
  if (decision.state === 'bypassed' || decision.state === 'sampled_out') {
    return {
      title: 'Not judged',
      what: decisionSentence(decision),
      todo: 'Rule on it yourself, or change which work is judged.',
      page: judging,
    };
  }
  if (decision.state === 'over_budget') {
    return {
      title: 'The budget was spent',
      what: decisionSentence(decision),
      todo: 'Rule on it yourself, or raise the budget for judging.',
      page: judging,
    };
  }
  const [first] = issues;
  return {
    title: 'Nothing was decided',
    what: first?.message ?? 'The scores are not sufficient for a verdict.',
    todo: 'The scores show what failed. Rule on it yourself, or send the work again.',
    page: null,
  };
}
