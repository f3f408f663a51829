import type { TrustSettings } from '@/app/_trpc/outputs';
import { trustLimits, TrustSlice, type TrustSettingsBody } from '@/server/thresholds/input';

/** The typed text of the settings. Rates are typed in percent; one slice per line. */
export interface TrustDraft {
  readonly enforceTrust: boolean;
  readonly catchTarget: string;
  readonly falseRejectionTarget: string;
  readonly requiredSlices: string;
  readonly halfLifeDays: string;
}

export type TrustErrors = Partial<Record<keyof TrustDraft, string>>;

const percent = (rate: number): string => String(Number((rate * 100).toFixed(4)));

export function trustDraftOf(
  settings: Omit<TrustSettings, 'verifier' | 'source' | 'updatedBy' | 'updatedAt'>,
): TrustDraft {
  return {
    enforceTrust: settings.enforceTrust,
    catchTarget: percent(settings.catchTarget),
    falseRejectionTarget: percent(settings.falseRejectionTarget),
    requiredSlices: settings.requiredSlices.map(({ by, value }) => `${by}: ${value}`).join('\n'),
    halfLifeDays: String(settings.halfLifeDays),
  };
}

export function readTrust(draft: TrustDraft): TrustSettingsBody | { readonly errors: TrustErrors } {
  const errors: TrustErrors = {};
  const rate = (name: 'catchTarget' | 'falseRejectionTarget'): number => {
    const text = draft[name].trim().replace(',', '.');
    const value = text === '' ? Number.NaN : Number(text);
    if (!(value > 0 && value < 100)) errors[name] = 'Enter a number above 0 and below 100.';
    // Percent of four decimals as a rate, without floating-point noise.
    return Number((value / 100).toFixed(6));
  };
  const halfLifeDays =
    draft.halfLifeDays.trim() === '' ? Number.NaN : Number(draft.halfLifeDays.trim());
  if (
    !Number.isInteger(halfLifeDays) ||
    halfLifeDays < 0 ||
    halfLifeDays > trustLimits.halfLifeDays
  ) {
    errors.halfLifeDays = `Enter a whole number from 0 to ${trustLimits.halfLifeDays}.`;
  }
  const slices = readSlices(draft.requiredSlices);
  if (slices === null)
    errors.requiredSlices =
      'Enter one slice per line, without repeats: model, tier, complexity or mission, a colon, and its name.';
  else if (slices.length > trustLimits.slices)
    errors.requiredSlices = `Enter at most ${trustLimits.slices} slices.`;
  const body = {
    enforceTrust: draft.enforceTrust,
    catchTarget: rate('catchTarget'),
    falseRejectionTarget: rate('falseRejectionTarget'),
    requiredSlices: slices ?? [],
    halfLifeDays,
  };
  return Object.keys(errors).length > 0 ? { errors } : body;
}

/** Null if a line is not a slice, or repeats one. */
function readSlices(text: string): TrustSlice[] | null {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (new Set(lines).size < lines.length) return null;
  const read = lines.map((line) => {
    const at = line.indexOf(':');
    return TrustSlice.safeParse({
      by: line.slice(0, Math.max(0, at)).trim().toLowerCase(),
      value: line.slice(at + 1),
    });
  });
  return read.every(({ success }) => success) ? read.flatMap(({ data }) => data ?? []) : null;
}
