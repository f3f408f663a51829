import { z } from 'zod';

/**
 * The page's view of the kind-specific member of a verdict (`task`, `consistency`, `mission`), in
 * one shape for all kinds.
 */
export interface SubjectDetailView {
  /** One entry per criterion, in the caller's order. */
  readonly criteria: readonly {
    readonly criterion: string;
    readonly score: number | null;
    readonly met: boolean | null;
  }[];
  readonly qualities: readonly (readonly [string, number])[];
  readonly failures: readonly {
    readonly check: string;
    readonly criterion: string;
    readonly reason: string;
    readonly mustPass: boolean;
  }[];
  readonly suggestions: readonly string[];
  /**
   * The current state of the work: `verified`, `retrying`, `failed`, `awaiting_human`; null if the
   * kind does not report it.
   */
  readonly status: string | null;
  /** Milliseconds before the next attempt; null for no further attempt. */
  readonly retryAfterMs: number | null;
  /** For a consistency verdict: each pair of outputs. */
  readonly pairs: readonly {
    readonly a: string;
    readonly b: string;
    readonly score: number | null;
    readonly issues: readonly { readonly description: string; readonly severity: string }[];
  }[];
  /** For a mission verdict. */
  readonly summary: string | null;
  readonly weakest: readonly { readonly taskId: string; readonly reason: string }[];
}

const number = z.number().nullable().catch(null);
const text = z.string().catch('');

/**
 * Parsed leniently, member by member: a detail of an earlier release is shown as far as it can be
 * read.
 */
const Detail = z.object({
  criteria_scores: z
    .array(z.object({ criterion: text, score: number, met: z.boolean().nullable().catch(null) }))
    .catch([]),
  quality_scores: z.record(z.string(), z.number()).catch({}),
  deterministic_failures: z
    .array(
      z.object({ check: text, criterion: text, reason: text, must_pass: z.boolean().catch(true) }),
    )
    .catch([]),
  suggestions: z.array(z.string()).catch([]),
  verification_status: z.string().nullable().catch(null),
  retry_after_ms: number,
  pairs: z
    .array(
      z.object({
        a: text,
        b: text,
        score: number,
        issues: z.array(z.object({ description: text, severity: text })).catch([]),
      }),
    )
    .catch([]),
  summary: z.string().nullable().catch(null),
  weakest: z.array(z.object({ task_id: z.string(), reason: text })).catch([]),
});

/**
 * @param detail the verdict's stored member; anything, or nothing if there is no verdict yet. Never
 * throws.
 */
export function viewDetail(detail: unknown): SubjectDetailView {
  const read = Detail.parse(
    typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : {},
  );
  return {
    criteria: read.criteria_scores,
    qualities: Object.entries(read.quality_scores),
    failures: read.deterministic_failures.map(({ must_pass, ...failure }) => ({
      ...failure,
      mustPass: must_pass,
    })),
    suggestions: read.suggestions,
    status: read.verification_status,
    retryAfterMs: read.retry_after_ms,
    pairs: read.pairs,
    summary: read.summary,
    weakest: read.weakest.map(({ task_id, reason }) => ({ taskId: task_id, reason })),
  };
}
