import type { ExperimentRow } from '@/app/_trpc/outputs';
import { minSampleSize } from '@/server/domain';
import { durationText } from '../traces/amounts';

export type ExperimentState = ExperimentRow['state'];

/** The word of each state. */
export const stateWords: Record<ExperimentState, string> = {
  open: 'Waiting for outputs',
  running: 'Running',
  done: 'Done',
  over_budget: 'Over budget',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

/** Whether rows may still get an output. */
export const isActive = (state: ExperimentState): boolean =>
  state === 'open' || state === 'running';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `openai:gpt-4o-mini, 2 messages`, `POST https://host/answer`, `Outputs sent by your program`. */
export function targetText(target: Readonly<Record<string, unknown>>): string {
  const { type, model, prompt, messages, url } = target;
  if (type === 'outputs') return 'Outputs sent by your program';
  if (type === 'http') return `POST ${textOf(url)}`;
  if (type !== 'prompt') return 'Unknown target';
  if (typeof prompt === 'string') return `${textOf(model)}, prompt ${prompt}`;
  const count = Array.isArray(messages) ? messages.length : 0;
  return `${textOf(model)}, ${plural(count, 'message')}`;
}

export interface PromptRef {
  readonly slug: string;
  readonly version: number;
  /** `slug@version`. */
  readonly name: string;
}

/** The stored prompt of a target; null if it has none. */
export function storedPromptOf({ prompt }: Readonly<Record<string, unknown>>): PromptRef | null {
  const found = /^([a-z0-9-]+)@(\d{1,9})$/.exec(textOf(prompt));
  if (found === null) return null;
  const [name, slug = '', version] = found;
  return { slug, version: Number(version), name };
}

interface Counts {
  readonly rows: number;
  readonly answered: number;
  readonly failed: number;
  readonly lost: number;
}

/** `40 of 100`; null once every row has an output. */
export function progressText({ rows, answered, failed, lost }: Counts): string | null {
  const unanswered = failed + lost;
  const done = answered + unanswered;
  if (done < rows) return `${countText(done)} of ${countText(rows)}`;
  return unanswered === 0 ? null : `${countText(unanswered)} of ${countText(rows)} failed`;
}

interface Rate {
  readonly value: number | null;
  readonly numerator: number | null;
  readonly denominator: number;
}

/** `92.0% of 100` or, with fewer than 20 verdicts, `11/12`. */
export function shortRate({ value, numerator, denominator }: Rate): string {
  if (value === null || denominator === 0) return 'not measured';
  return denominator < minSampleSize
    ? `${countText(numerator ?? 0)}/${countText(denominator)}`
    : `${(value * 100).toFixed(1)}% of ${countText(denominator)}`;
}

/** `2.4 rows per second, about 25 s left`; null while unknown. */
export function speedText({
  ratePerS,
  secondsLeft,
}: {
  readonly ratePerS: number | null;
  readonly secondsLeft: number | null;
}): string | null {
  if (ratePerS === null || secondsLeft === null) return null;
  const rate =
    ratePerS >= 0.1
      ? `${ratePerS.toFixed(1)} rows per second`
      : `${(ratePerS * 60).toFixed(1)} rows per minute`;
  const left = durationText(secondsLeft * 1000).replace('.00 s', ' s');
  return `${rate}, about ${left} left`;
}

export const countText = (n: number): string => n.toLocaleString('en');

export const plural = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;

export const experimentHref = (project: string, id: string): string =>
  `/p/${project}/experiments/${encodeURIComponent(id)}`;

/** The first id is the baseline. */
export const compareHref = (project: string, ids: readonly string[]): string =>
  `/p/${project}/experiments/compare?ids=${ids.map(encodeURIComponent).join(',')}`;

export const datasetHref = (project: string, slug: string, version: number): string =>
  `/p/${project}/datasets/${slug}?version=${version}`;

export const promptHref = (project: string, { slug, version }: PromptRef): string =>
  `/p/${project}/prompts/${slug}?version=${version}`;

export const itemHref = (
  project: string,
  { id, datasetSlug }: { readonly id: string; readonly datasetSlug: string },
): string => `/p/${project}/datasets/${datasetSlug}/items/${encodeURIComponent(id)}`;
