import type { z } from 'zod';
import type { RunFunctions } from '../../evaluators/functions';
import type { CustomDefinition } from './definition';
import type { CustomSubject } from './subject';

/** A fault of a program that shows only when it is loaded. */
export interface ProgramFault {
  readonly message: string;
  /** Of the source, from 1; null if it is unknown. */
  readonly line: number | null;
}

/**
 * How projects define verifiers of a kind. Callers write a definition (online.md 3, without `slug`
 * and `kind`); the config of the verifier's version is its stored form.
 */
export interface CustomKind {
  readonly definition: z.ZodType<CustomDefinition>;
  /** The text of the prompt; omitted by kinds without one. */
  promptOf?(definition: unknown): string;
  /** The stored config: for a kind with a prompt, its name in place of its text. */
  configOf?(definition: unknown, prompt: string): Record<string, unknown>;
  /** The definition of a stored config; the reverse of `configOf`. */
  definitionOf?(config: unknown, prompt: string): Record<string, unknown>;
  /**
   * The faults of the definition's program, which is loaded in the sandbox and called on one
   * subject; omitted by kinds without a program.
   * @throws Error if `signal` fires first
   */
  faultsOf?(
    definition: unknown,
    run: {
      readonly functions: RunFunctions;
      readonly example: CustomSubject | null;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly ProgramFault[]>;
}
