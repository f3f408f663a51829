import type { AlertRule } from '@/app/_trpc/outputs';
import { alertFacts, alertTimes } from '@/server/alerts/input';
import { exactDuration, readDuration } from '../../alerts/duration';

/** The typed text of a rule: shares in percent, times as `7 d` or `90 min`. */
export interface RuleDraft {
  readonly enabled: boolean;
  /** Empty if there is no limit. */
  readonly limit: string;
  readonly window: string;
  readonly noData: AlertRule['noData'];
  /** Empty to notify once. */
  readonly renotify: string;
}

export type RuleErrors = Partial<Record<keyof RuleDraft, string>>;

interface RuleBody {
  readonly enabled: boolean;
  readonly limit: number | null;
  readonly window_minutes: number;
  readonly no_data: AlertRule['noData'];
  readonly renotify_minutes: number | null;
}

/** The limit in the unit that people type. */
function limitDraft(kind: AlertRule['kind'], limit: number | null): string {
  if (limit === null) return '';
  const { unit } = alertFacts[kind];
  if (unit === 'share') return String(Number((limit * 100).toFixed(4)));
  return unit === 'seconds' ? exactDuration(limit) : String(limit);
}

export function draftOf({
  kind,
  enabled,
  limit,
  windowMinutes,
  noData,
  renotifyMinutes,
}: AlertRule): RuleDraft {
  return {
    enabled,
    limit: limitDraft(kind, limit),
    window: exactDuration(windowMinutes * 60),
    noData,
    renotify: renotifyMinutes === null ? '' : exactDuration(renotifyMinutes * 60),
  };
}

type Bounds = Pick<AlertRule, 'kind' | 'minLimit' | 'maxLimit'>;

export function readRule(
  bounds: Bounds,
  draft: RuleDraft,
): RuleBody | { readonly errors: RuleErrors } {
  const limit = readLimit(bounds, draft.limit.trim());
  const window = readMinutes(draft.window, alertTimes.maxWindowMinutes);
  const renotify =
    draft.renotify.trim() === ''
      ? null
      : readMinutes(draft.renotify, alertTimes.maxRenotifyMinutes);
  const errors: RuleErrors = {
    ...(typeof limit === 'string' && { limit }),
    ...(typeof window === 'string' && { window }),
    ...(typeof renotify === 'string' && { renotify }),
  };
  if (typeof limit === 'string' || typeof window === 'string' || typeof renotify === 'string')
    return { errors };
  return {
    enabled: draft.enabled,
    limit,
    window_minutes: window,
    no_data: draft.noData,
    renotify_minutes: renotify,
  };
}

/** The limit, or its error. */
function readLimit({ kind, minLimit, maxLimit }: Bounds, text: string): number | null | string {
  const { unit, limit: needs } = alertFacts[kind];
  if (needs === 'none') return null;
  if (text === '' && needs === 'optional') return null;
  const min = minLimit ?? 0;
  const max = maxLimit ?? Number.POSITIVE_INFINITY;
  const value = unit === 'seconds' ? readDuration(text) : readNumber(text);
  // Percent of four decimals as a share, without floating-point noise.
  const amount = value === null || unit !== 'share' ? value : Number((value / 100).toFixed(6));
  if (
    amount !== null &&
    amount >= min &&
    amount <= max &&
    (unit !== 'count' || Number.isInteger(amount))
  )
    return amount;
  const range = Number.isFinite(max)
    ? `from ${limitDraft(kind, min)} to ${limitDraft(kind, max)}`
    : `of ${limitDraft(kind, min)} or more`;
  return {
    share: `Enter a number ${range}.`,
    usd: `Enter an amount ${range}.`,
    count: `Enter a whole number ${range}.`,
    seconds: `Enter a time ${range}.`,
    none: '',
  }[unit];
}

function readNumber(text: string): number | null {
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  return Number.isFinite(value) ? value : null;
}

function readMinutes(text: string, max: number): number | string {
  const seconds = readDuration(text);
  const minutes = seconds === null ? Number.NaN : seconds / 60;
  if (Number.isInteger(minutes) && minutes >= alertTimes.minMinutes && minutes <= max)
    return minutes;
  return `Enter whole minutes, hours or days, from ${alertTimes.minMinutes} min to ${exactDuration(max * 60)}: 90 min, 12 h, 7 d.`;
}
