import type { Judging } from '@/app/_trpc/outputs';
import { JudgeSpec } from '@/server/verdicts/input';

/** The choices and typed text of the settings. An empty judge means none. */
export interface JudgingDraft {
  readonly defaultJudge: string;
  readonly second: string;
  readonly third: string;
  readonly floor: string;
  /** Percent. */
  readonly budget: string;
  readonly retries: string;
  readonly neutralProof: 'literal' | 'rescale';
  readonly semanticJudge: boolean;
  readonly promotionGate: 'advise' | 'require';
}

export type JudgingErrors = Partial<Record<keyof JudgingDraft, string>>;

export interface JudgingChange {
  readonly defaultJudge: string | null;
  readonly jury: string[];
  readonly bypassBelowUsd: number;
  readonly costBudgetShare: number;
  readonly retries: number;
  readonly neutralProof: 'literal' | 'rescale';
  readonly semanticJudge: boolean;
  readonly promotionGate: 'advise' | 'require';
}

export function draftOf(judging: Judging): JudgingDraft {
  return {
    defaultJudge: judging.defaultJudge ?? '',
    second: judging.jury[0] ?? '',
    third: judging.jury[1] ?? '',
    floor: String(judging.bypassBelowUsd),
    budget: String(Number((judging.costBudgetShare * 100).toFixed(4))),
    retries: String(judging.retries),
    neutralProof: judging.neutralProof,
    semanticJudge: judging.semanticJudge,
    promotionGate: judging.promotionGate,
  };
}

export function readJudging(
  draft: JudgingDraft,
): JudgingChange | { readonly errors: JudgingErrors } {
  const errors: JudgingErrors = {};
  const judge = (name: 'defaultJudge' | 'second' | 'third'): string => {
    const spec = draft[name].trim();
    const read = JudgeSpec.safeParse(spec);
    if (spec !== '' && !read.success)
      errors[name] = read.error.issues[0]?.message ?? 'is not a model';
    return spec;
  };
  const amount = (name: 'floor' | 'budget', max: number): number => {
    const value =
      draft[name].trim() === '' ? Number.NaN : Number(draft[name].trim().replace(',', '.'));
    if (!(value >= 0 && value <= max))
      errors[name] = `Enter a number from 0 to ${max.toLocaleString('en')}.`;
    return value;
  };
  const defaultJudge = judge('defaultJudge');
  const jury = [judge('second'), judge('third')].filter((spec) => spec !== '');
  const change: JudgingChange = {
    defaultJudge: defaultJudge === '' ? null : defaultJudge,
    jury,
    bypassBelowUsd: amount('floor', 1_000_000),
    // Percent of two decimals as a share, without floating-point noise.
    costBudgetShare: Number((amount('budget', 1_000) / 100).toFixed(6)),
    retries: Number(draft.retries),
    neutralProof: draft.neutralProof,
    semanticJudge: draft.semanticJudge,
    promotionGate: draft.promotionGate,
  };
  if (jury.length > 0 && new Set([defaultJudge, ...jury]).size !== jury.length + 1)
    errors.second ??= 'The judges of a jury must differ.';
  return Object.keys(errors).length > 0 ? { errors } : change;
}
