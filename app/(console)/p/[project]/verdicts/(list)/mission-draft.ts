import type { MissionPage } from '@/app/_trpc/outputs';
import { JudgeSpec } from '@/server/verdicts/input';

/** The choices and typed text of the settings. Empty means the project's judge, and no limit. */
export interface MissionDraft {
  readonly judge: string;
  readonly limit: string;
}

export type MissionErrors = Partial<Record<keyof MissionDraft, string>>;

export function draftOf({ judge, reviewAboveUsd }: MissionPage['settings']): MissionDraft {
  return { judge: judge ?? '', limit: reviewAboveUsd === null ? '' : String(reviewAboveUsd) };
}

const maxUsd = 1_000_000;

export function readMission(
  draft: MissionDraft,
):
  | { readonly judge: string | null; readonly review_above_usd: number | null }
  | { readonly errors: MissionErrors } {
  const errors: MissionErrors = {};
  const [judge, typed] = [draft.judge.trim(), draft.limit.trim().replace(',', '.')];
  const spec = JudgeSpec.safeParse(judge);
  if (judge !== '' && !spec.success)
    errors.judge = spec.error.issues[0]?.message ?? 'is not a model';
  const limit = Number(typed);
  if (typed !== '' && !(limit >= 0 && limit <= maxUsd))
    errors.limit = `Enter a number from 0 to ${maxUsd.toLocaleString('en')}.`;
  if (Object.keys(errors).length > 0) return { errors };
  return { judge: judge === '' ? null : judge, review_above_usd: typed === '' ? null : limit };
}
