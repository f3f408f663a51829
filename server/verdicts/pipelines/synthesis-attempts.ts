import { z } from 'zod';
import type { Attempt, ReadAttempt } from './read-attempts';
import { shorten } from './shorten';
import { changesOfText, type TextStretch } from './text-changes';

export interface SynthesisAttempt extends Attempt {
  /** The share of supported claims; null if there were no claims to trace. */
  readonly traceability: number | null;
  readonly coherence: number | null;
  readonly completeness: number | null;
  readonly claims: { readonly supported: number; readonly all: number };
  /** The first claims that are unsupported or undecided. */
  readonly unsupported: readonly {
    readonly text: string;
    readonly undecided: boolean;
    readonly reason: string | null;
  }[];
  readonly answer: string;
  /**
   * The changes from the previous attempt; null for the first attempt, and if the texts are too
   * long to compare.
   */
  readonly changes: readonly TextStretch[] | null;
  readonly warning: string | null;
  /**
   * Why the agents' outputs replace the synthesis, in addition to `warning` and `reason`; empty if
   * those already explain it. Null if the synthesis is not replaced.
   */
  readonly fallback: string | null;
}

const text = z.string().catch('');
const word = z.string().nullable().catch(null);
const share = z.number().nullable().catch(null);

const Subject = z.object({ answer: text });
const Detail = z.object({
  traceability: share,
  coherence: share,
  completeness: share,
  claims: z.array(z.object({ text, state: text, reason: word })).catch([]),
  warning: word,
  fallback: z.object({ warning: text, reason: text }).nullable().catch(null),
});

const claimsMax = 50;
/** Longer answers are truncated, and not compared. */
const comparedChars = 20_000;

/** In order; each retry is compared with the previous attempt. */
export function showSyntheses(read: readonly ReadAttempt[]): SynthesisAttempt[] {
  let before: string | null = null;
  return read.map(({ attempt, subject, detail }) => {
    const content = Subject.safeParse(subject);
    const parsed = Detail.safeParse(detail ?? {}).data;
    const earlier = (attempt.retries?.used ?? 0) > 0 ? before : null;
    const answer = content.success ? content.data.answer : '';
    before = content.success ? answer : null;
    const claims = parsed?.claims ?? [];
    const isShort = answer.length <= comparedChars && (earlier?.length ?? 0) <= comparedChars;
    return {
      ...attempt,
      traceability: parsed?.traceability ?? null,
      coherence: parsed?.coherence ?? null,
      completeness: parsed?.completeness ?? null,
      claims: {
        supported: claims.filter(({ state }) => state === 'supported').length,
        all: claims.length,
      },
      unsupported: claims
        .filter(({ state }) => state !== 'supported')
        .slice(0, claimsMax)
        .map((claim) => ({
          text: shorten(claim.text, 600),
          undecided: claim.state === 'undecided',
          reason: claim.reason === null ? null : shorten(claim.reason, 600),
        })),
      answer: shorten(answer, comparedChars),
      changes: earlier === null || !isShort ? null : changesOfText(earlier, answer),
      warning: parsed?.warning ?? null,
      fallback:
        parsed?.fallback == null
          ? null
          : shorten(
              [parsed.fallback.warning, parsed.fallback.reason]
                .filter((text) => text !== '' && text !== parsed.warning && text !== attempt.reason)
                .join(' '),
            ),
    };
  });
}
