import { z } from 'zod';
import { ContractPattern, GateLanguage, ModelTier } from '../../domain';
import { gateEvidence, gateStatuses } from '../../code';

const points = z.number().min(0).max(100);

/** Points by dimension, to 2 decimals; `total` is their sum after caps, rounded once (QEL-21). */
const Points = z.object({
  files: points,
  patterns: points,
  framework: points,
  complete: points,
  proof: points,
  /** Bonus of the semantic judge; absent if it was not called (QEL-49). */
  semantic: points.optional(),
  total: z.number().int().min(0).max(100),
  /** The maximum of each dimension. */
  max: z.object({
    files: points,
    patterns: points,
    framework: points,
    complete: points,
    proof: points,
    semantic: points.optional(),
    total: points,
  }),
});

const Gate = z.object({
  command: z.string(),
  language: GateLanguage,
  kind: z.enum(['compile', 'test']),
  status: z.enum(gateStatuses),
  exit_code: z.number().int().nullable(),
  stderr: z.string(),
  duration_ms: z.number(),
  tier: ModelTier,
  /**
   * Why it is not `passed`: a sentence, or `unproven` if another program could have answered in
   * place of the tool, or did.
   */
  reason: z.string().nullable(),
  /** The observed facts, if the reason is `unproven`. */
  explanation: z.string().nullable().default(null),
  /** The evidence of a test run; null for compilers. */
  evidence: z.enum(gateEvidence).nullable().default(null),
  tests: z
    .object({
      expected: z.number().int(),
      passed: z.number().int(),
      failed: z.number().int(),
      skipped: z.number().int(),
      failures: z.array(z.object({ id: z.string(), message: z.string() })),
    })
    .nullable(),
  /** The command and its limits; null if nothing was started. */
  receipt: z
    .object({
      argv: z.array(z.string()),
      toolchain: z.string().nullable(),
      end: z.string(),
      exit_code: z.number().int().nullable(),
      output_hash: z.string(),
      files_hash: z.string(),
      limits: z.record(z.string(), z.number()),
      box: z.string(),
    })
    .nullable(),
});

/** A verification of one creation task; the trajectory has the newest first (QEL-41). */
export const TrajectoryEntry = z.object({
  iteration: z.number().int().min(0),
  score: z.number().nullable(),
  verdict: z.enum(['PASS', 'FAIL']).nullable(),
  pass_threshold: z.number(),
  at: z.string().nullable(),
});
export type TrajectoryEntry = z.infer<typeof TrajectoryEntry>;

/** The member `code` of a verdict (api.md, `POST /v1/verify/code`). */
export const CodeDetail = z.object({
  active: z.boolean(),
  /** Why it was not scored; null if it was (QEL-1, QEL-2). */
  skipped: z.string().nullable(),
  model: z.string().nullable(),
  tier: ModelTier,
  /** The default tier was used, since the model's name contains no size (QEL-25). */
  tier_assumed: z.boolean(),
  pass_threshold: points,
  contract: z.object({
    confidence: z.enum(['low', 'medium', 'high']),
    deliverables: z.array(z.string()),
    framework: z.string().nullable(),
    patterns: z.array(ContractPattern),
    expected_elements: z.record(z.string(), z.number()),
  }),
  points: Points,
  /** 0..1: the share of elements that are not stubs (QEL-22). */
  structural_multiplier: z.number().min(0).max(1),
  stubs: z.array(
    z.object({ path: z.string(), line: z.number().int(), name: z.string(), why: z.string() }),
  ),
  syntax_errors: z.array(z.object({ path: z.string(), line: z.number().int() })),
  framework: z.object({
    expected: z.string().nullable(),
    /**
     * The framework that counts: a rival one, else the expected one, else the first; null if none
     * is used.
     */
    found: z.string().nullable(),
    all_found: z.array(z.string()),
    violation: z.boolean(),
    /** Where a rival framework is used. */
    path: z.string().nullable(),
  }),
  patterns: z.array(
    z.object({
      pattern: z.string(),
      kind: z.enum(['hard', 'soft']),
      expected_path: z.string().nullable(),
      matched: z.boolean(),
      how: z.enum(['exact', 'fuzzy', 'missing']),
      /** Edit distance; null if it is missing. */
      distance: z.number().int().nullable(),
      path: z.string().nullable(),
      line: z.number().int().nullable(),
    }),
  ),
  /** The contract's files and the files matched to them, then the extra files (`planned` null). */
  files: z.array(
    z.object({
      planned: z.string().nullable(),
      path: z.string().nullable(),
      found: z.boolean(),
      /** First 16 hex digits of the content's SHA-256. */
      sha: z.string().nullable(),
      /** 0..1 (QEL-19), and the method that measured it. */
      complete: z.number().min(0).max(1),
      complete_by: z.enum(['elements', 'size', 'name', 'missing']),
      elements: z.number().int(),
    }),
  ),
  gates: z.array(Gate),
  /** Why nothing, or not everything, was proved, as text for people (QEL-29, QEL-32). */
  proof_notes: z.array(z.string()),
  neutral_proof: z.enum(['literal', 'rescale']),
  truncated: z.boolean(),
  nudge: z.string().nullable(),
  /** Why failing code gets no nudge; null if it gets one, or needs none. */
  no_nudge: z.string().nullable(),
  repair: z.object({
    iteration: z.number().int().min(0),
    budget: z.number().int().min(0),
    bonus_granted: z.boolean(),
    exhausted_note: z.string().nullable(),
    /** Consecutive failed repairs in the session, including this one (QEL-38). */
    consecutive_failures: z.number().int().min(0),
  }),
  /** At most 10, newest first; this one is the first. */
  trajectory: z.array(TrajectoryEntry),
  /** After three failures in one session (QEL-48). */
  boost_suggestion: z.string().nullable(),
  semantic: z
    .object({ asked: z.boolean(), value: z.number().min(0).max(1).nullable(), reason: z.string() })
    .nullable(),
  report: z.string(),
});
export type CodeDetail = z.infer<typeof CodeDetail>;
