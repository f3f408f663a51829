import { z } from 'zod';

/**
 * The size class of the model that writes the code. It selects the pass threshold and the time
 * limits of gates (QEL-23).
 */
export const ModelTier = z.enum(['tiny', 'small', 'medium', 'large', 'xlarge']);
export type ModelTier = z.infer<typeof ModelTier>;

/**
 * A text that the files must (`hard`) or should (`soft`) contain; `path` is the file that must
 * contain it, null for any file (QEL-10).
 */
export const ContractPattern = z.object({
  pattern: z.string().min(1).max(240),
  kind: z.enum(['hard', 'soft']),
  path: z.string().min(1).max(1_000).nullable().default(null),
});
export type ContractPattern = z.infer<typeof ContractPattern>;

/** Languages with a proof gate (QEL-27). */
export const GateLanguage = z.enum(['typescript', 'python', 'go', 'rust', 'java', 'csharp']);
export type GateLanguage = z.infer<typeof GateLanguage>;

/** The deliverables of a request for code, extracted only from its text (QEL-5, QEL-6). */
export interface Contract {
  /** Whether the request creates something (QEL-1, QEL-2). */
  readonly active: boolean;
  /** Why it is not active; null if it is. */
  readonly reason: string | null;
  readonly confidence: 'low' | 'medium' | 'high';
  /** Paths of the deliverable files, as named in the request, or inferred (QEL-7). */
  readonly deliverables: readonly string[];
  /** The name from the table of frameworks (QEL-8); null if none is requested. */
  readonly framework: string | null;
  readonly patterns: readonly ContractPattern[];
  /** The number of required structural elements by path, if the request states it (QEL-19). */
  readonly expectedElements: Readonly<Record<string, number>>;
  /** Commands that would prove the work (QEL-27). */
  readonly gates: readonly string[];
}
