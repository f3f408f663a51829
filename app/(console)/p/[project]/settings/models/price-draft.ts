import { PutOwnPrice } from '@/server/ingest/input';

/** The fields of the dialog, as text. */
export interface PriceDraft {
  readonly model: string;
  /** `2026-01-31` */
  readonly validFrom: string;
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly reasoning: string;
}

export const newPrice: PriceDraft = {
  model: '',
  validFrom: '',
  input: '',
  output: '',
  cacheRead: '',
  cacheWrite: '',
  reasoning: '',
};

/** The dialog's field of each field of the input. */
const fieldOf: Readonly<Record<string, keyof PriceDraft>> = {
  model: 'model',
  valid_from: 'validFrom',
  'usd_per_million.input': 'input',
  'usd_per_million.output': 'output',
  'usd_per_million.cache_read': 'cacheRead',
  'usd_per_million.cache_write': 'cacheWrite',
  'usd_per_million.reasoning': 'reasoning',
};

/** The input of the procedure, or an error per field. Pure. */
export function readPrice(
  draft: PriceDraft,
):
  | { readonly ok: true; readonly input: PutOwnPrice }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> } {
  const read = PutOwnPrice.safeParse({
    model: draft.model,
    valid_from: draft.validFrom,
    usd_per_million: {
      input: amount(draft.input),
      output: amount(draft.output),
      cache_read: optional(draft.cacheRead),
      cache_write: optional(draft.cacheWrite),
      reasoning: optional(draft.reasoning),
    },
  });
  if (read.success) return { ok: true, input: read.data };
  const errors: Record<string, string> = {};
  for (const issue of read.error.issues) {
    const field = fieldOf[issue.path.join('.')] ?? 'model';
    errors[field] ??= messageOf(field);
  }
  return { ok: false, errors };
}

const amount = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
const optional = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function messageOf(field: keyof PriceDraft): string {
  if (field === 'model') return 'must have 1 to 300 characters';
  if (field === 'validFrom') return 'must be a day';
  return 'must be a number from 0 to 100000';
}
