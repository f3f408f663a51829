import type { z } from 'zod';
import type { OwnDefinition } from './definition';

/** A program of a definition, which is tried in the sandbox before it is stored. */
export interface OwnProgram {
  readonly language: 'python' | 'javascript';
  readonly source: string;
  readonly timeoutMs: number;
  /** The variables of the mapping, which its parameters may name. */
  readonly variables: readonly string[];
}

/**
 * How projects define verifiers of a kind. A definition is what callers write (online.md 3, without
 * `slug` and `kind`); the config of the verifier's version is what is stored of it.
 */
export interface OwnKind {
  readonly definition: z.ZodType<OwnDefinition>;
  /** The text of the prompt; null for kinds without one. */
  promptOf?(definition: unknown): string;
  /** The program; null for kinds without one. */
  programOf?(definition: unknown): OwnProgram;
  /** What is stored: for a kind with a prompt, its name in place of its text. */
  configOf?(definition: unknown, prompt: string): Record<string, unknown>;
  /** The definition of a stored config; the reverse of `configOf`. */
  definitionOf?(config: unknown, prompt: string): Record<string, unknown>;
}
