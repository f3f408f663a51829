import type { ReviewSettings } from '@/app/_trpc/outputs';
import { reviewLimits, type ReviewSettingsBody } from '@/server/labels/input';

/** The typed text of the settings. Shares are typed in percent. */
export interface ReviewDraft {
  readonly auditRate: string;
  readonly uncertainBand: string;
  readonly raters: string;
  readonly blind: boolean;
}

export type ReviewErrors = Partial<Record<keyof ReviewDraft, string>>;

const percent = (share: number): string => String(Number((share * 100).toFixed(4)));

export function draftOf({ auditRate, uncertainBand, raters, blind }: ReviewSettings): ReviewDraft {
  return {
    auditRate: percent(auditRate),
    uncertainBand: percent(uncertainBand),
    raters: String(raters),
    blind,
  };
}

export function readReview(
  draft: ReviewDraft,
): ReviewSettingsBody | { readonly errors: ReviewErrors } {
  const errors: ReviewErrors = {};
  const share = (name: 'auditRate' | 'uncertainBand', max: number): number => {
    const text = draft[name].trim().replace(',', '.');
    const value = text === '' ? Number.NaN : Number(text);
    if (!(value >= 0 && value <= max)) errors[name] = `Enter a number from 0 to ${max}.`;
    // Percent of four decimals as a share, without floating-point noise.
    return Number((value / 100).toFixed(6));
  };
  const raters = Number(draft.raters.trim());
  if (!Number.isInteger(raters) || raters < 1 || raters > reviewLimits.raters) {
    errors.raters = `Enter a whole number from 1 to ${reviewLimits.raters}.`;
  }
  const body = {
    auditRate: share('auditRate', 100),
    uncertainBand: share('uncertainBand', 50),
    raters,
    blind: draft.blind,
  };
  return Object.keys(errors).length > 0 ? { errors } : body;
}
