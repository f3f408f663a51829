import { z } from 'zod';

/** The page's view of a verdict on code: the requirements, the written code, and the findings. */
export interface CodeView {
  readonly request: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly deliverables: readonly { readonly path: string; readonly isThere: boolean }[];
  readonly framework: {
    readonly expected: string | null;
    readonly found: string | null;
    readonly isViolated: boolean;
  };
  readonly tier: string | null;
  /** Points, 0..100. */
  readonly passThreshold: number | null;
  readonly total: number | null;
  readonly points: readonly {
    readonly name: string;
    readonly value: number;
    readonly max: number;
  }[];
  /** 0..1: the share of elements that are not stubs (QEL-22); null if it was not measured. */
  readonly structuralMultiplier: number | null;
  readonly patterns: readonly {
    readonly pattern: string;
    readonly kind: 'hard' | 'soft';
    readonly matched: boolean;
    readonly how: string | null;
    readonly path: string | null;
    readonly line: number | null;
  }[];
  /** Elements without an implementation. */
  readonly stubs: readonly {
    readonly path: string;
    readonly line: number;
    readonly name: string;
    readonly reason: string;
  }[];
  readonly gates: readonly CodeGate[];
  /** Limits of the gates, as text (QEL-32). */
  readonly notes: readonly string[];
  readonly nudge: string | null;
  readonly repair: {
    readonly iteration: number;
    readonly budget: number;
    readonly bonusGranted: boolean;
    readonly exhaustedNote: string | null;
  };
  /** Newest first (QEL-41). */
  readonly trajectory: readonly {
    readonly iteration: number;
    readonly total: number | null;
    readonly verdict: string | null;
  }[];
  readonly boostSuggestion: string | null;
  readonly report: string;
}

export interface CodeGate {
  readonly command: string;
  readonly language: string;
  readonly status: 'passed' | 'failed' | 'neutral' | 'timeout' | 'not_run';
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly durationMs: number;
  readonly reason: string | null;
  readonly explanation: string | null;
  readonly evidence: 'in_process' | 'isolated' | null;
  /** The first line of the tool's version output. */
  readonly toolchain: string | null;
}

const text = z.string().catch('');
const textOrNull = z.string().nullable().catch(null);
const number = z.number().nullable().catch(null);

/**
 * Parsed leniently, member by member: data of an earlier release is shown as far as it can be read.
 */
const Subject = z.object({
  request: text,
  files: z.array(z.object({ path: z.string(), content: text })).catch([]),
});

const Gate = z.object({
  command: text,
  language: text,
  status: z.enum(['passed', 'failed', 'neutral', 'timeout', 'not_run']).catch('not_run'),
  exit_code: number,
  stderr: text,
  duration_ms: z.number().catch(0),
  reason: textOrNull,
  explanation: textOrNull,
  evidence: z.enum(['in_process', 'isolated']).nullable().catch(null),
  receipt: z.object({ toolchain: textOrNull }).nullable().catch(null),
});

const Repair = z.object({
  iteration: z.number().catch(0),
  budget: z.number().catch(0),
  bonus_granted: z.boolean().catch(false),
  exhausted_note: textOrNull,
});

const Detail = z.object({
  contract: z.object({ deliverables: z.array(z.string()).catch([]) }).catch({ deliverables: [] }),
  framework: z
    .object({ expected: textOrNull, found: textOrNull, violation: z.boolean().catch(false) })
    .catch({ expected: null, found: null, violation: false }),
  tier: textOrNull,
  pass_threshold: number,
  points: z
    .object({ total: number, max: z.record(z.string(), z.unknown()).catch({}) })
    .catchall(z.unknown())
    .catch({ total: null, max: {} }),
  structural_multiplier: number,
  patterns: z
    .array(
      z.object({
        pattern: z.string(),
        kind: z.enum(['hard', 'soft']),
        matched: z.boolean(),
        how: textOrNull,
        path: textOrNull,
        line: number,
      }),
    )
    .catch([]),
  stubs: z.array(z.object({ path: z.string(), line: z.number(), name: text, why: text })).catch([]),
  files: z.array(z.object({ planned: textOrNull, found: z.boolean() })).catch([]),
  gates: z.array(Gate).catch([]),
  proof_notes: z.array(z.string()).catch([]),
  nudge: textOrNull,
  repair: Repair.catch({ iteration: 0, budget: 0, bonus_granted: false, exhausted_note: null }),
  trajectory: z
    .array(z.object({ iteration: z.number().catch(0), score: number, verdict: textOrNull }))
    .catch([]),
  boost_suggestion: textOrNull,
  report: text,
});

const dimensions = ['files', 'patterns', 'framework', 'complete', 'proof', 'semantic'];

/**
 * @param content the stored JSON text, `{"subject":…}`
 * @param detail the verdict's own member `code`, or nothing if there is no verdict yet
 * @returns null if the content cannot be read. Never throws.
 */
export function viewCode(content: string, detail: unknown): CodeView | null {
  const subject = subjectOf(content);
  if (subject === null) return null;
  const read = Detail.parse(
    typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : {},
  );
  const { exhausted_note: exhaustedNote, bonus_granted: bonusGranted, ...repair } = read.repair;
  const missing = new Set(
    read.files.flatMap(({ planned, found }) => (found || planned === null ? [] : [planned])),
  );
  return {
    ...subject,
    deliverables: read.contract.deliverables.map((path) => ({ path, isThere: !missing.has(path) })),
    framework: {
      expected: read.framework.expected,
      found: read.framework.found,
      isViolated: read.framework.violation,
    },
    tier: read.tier,
    passThreshold: read.pass_threshold,
    total: read.points.total,
    points: dimensions.flatMap((name) => {
      const [value, max] = [read.points[name], read.points.max[name]];
      return typeof value === 'number' && typeof max === 'number' ? [{ name, value, max }] : [];
    }),
    structuralMultiplier: read.structural_multiplier,
    patterns: read.patterns,
    stubs: read.stubs.map(({ why: reason, ...stub }) => ({ ...stub, reason })),
    gates: read.gates.map(({ exit_code: exitCode, duration_ms: durationMs, receipt, ...gate }) => ({
      ...gate,
      exitCode,
      durationMs,
      toolchain: receipt?.toolchain ?? null,
    })),
    notes: read.proof_notes,
    nudge: read.nudge,
    repair: { ...repair, bonusGranted, exhaustedNote },
    trajectory: read.trajectory.map(({ score: total, ...attempt }) => ({ ...attempt, total })),
    boostSuggestion: read.boost_suggestion,
    report: read.report,
  };
}

function subjectOf(content: string): z.infer<typeof Subject> | null {
  try {
    return z.object({ subject: Subject }).parse(JSON.parse(content)).subject;
  } catch {
    return null;
  }
}
