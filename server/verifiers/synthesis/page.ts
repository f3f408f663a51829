import { z } from 'zod';
import { type CheckpointTexts, checkpointTexts } from '../checkpoint-page';
import { asText, detailObject, NumberOrNull, subjectOf, Text, TextOrNull, Texts } from '../lenient';

export interface ClaimView {
  readonly text: string;
  /** Code points of the answer, end exclusive; null if it does not occur there verbatim. */
  readonly start: number | null;
  readonly end: number | null;
  readonly state: 'supported' | 'unsupported' | 'undecided';
  /** Ids of outputs. */
  readonly supportedBy: readonly string[];
  readonly by: string | null;
  readonly reason: string | null;
}

export interface SynthesisView extends CheckpointTexts {
  readonly kind: 'synthesis';
  readonly query: string;
  readonly answer: string;
  readonly outputs: readonly {
    readonly id: string;
    readonly agent: string | null;
    readonly summary: string;
    readonly data: string | null;
  }[];
  readonly claims: readonly ClaimView[];
  /** 0..1, like the next two; null if it was not measured. */
  readonly traceability: number | null;
  readonly coherence: number | null;
  readonly completeness: number | null;
  readonly fallback: { readonly warning: string; readonly reason: string } | null;
}

const SynthesisSubject = z.object({
  query: Text,
  answer: Text,
  agent_outputs: z
    .array(z.object({ id: Text, agent: TextOrNull, summary: Text, data: z.unknown().optional() }))
    .catch([]),
});

const Place = z.number().int().nullable().catch(null);
const Claim = z.object({
  text: Text,
  start: Place,
  end: Place,
  state: z.enum(['supported', 'unsupported', 'undecided']),
  supported_by: Texts,
  by: TextOrNull,
  reason: TextOrNull,
});

const SynthesisDetail = z.object({
  claims: z.array(Claim.nullable().catch(null)).catch([]),
  traceability: NumberOrNull,
  coherence: NumberOrNull,
  completeness: NumberOrNull,
  fallback: z.object({ warning: Text, reason: Text }).nullable().catch(null),
});

/**
 * The page's view of a verdict of the kind: the submitted work, and the findings on it. Null if the
 * subject cannot be parsed: the page then shows it as stored. Never throws.
 */
export function showSynthesis(content: string, detail: unknown): SynthesisView | null {
  const { data } = SynthesisSubject.safeParse(subjectOf(content));
  if (data === undefined) return null;
  const { claims, ...read } = SynthesisDetail.parse(detailObject(detail));
  return {
    ...checkpointTexts(detail),
    ...read,
    kind: 'synthesis',
    query: data.query,
    answer: data.answer,
    outputs: data.agent_outputs.map(({ data: value, agent, ...output }) => ({
      ...output,
      agent: agent === '' ? null : agent,
      data: isEmpty(value) ? null : asText(value),
    })),
    claims: claims.flatMap((each) => {
      if (each === null) return [];
      const { supported_by, ...claim } = each;
      return [{ ...claim, supportedBy: supported_by }];
    }),
  };
}

/** No data, or an empty object or list. */
const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);
