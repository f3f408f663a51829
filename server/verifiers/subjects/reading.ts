import type { z } from 'zod';
import {
  type EvaluationSubject,
  jsonAsText,
  type SubjectTarget,
  type TurnContent,
} from '../../domain';
import type { TraceSpan } from '../../ingest';
import type { CompiledMapping } from './mapping';

/** The data from which a kind's subject is read. */
export interface Material {
  readonly subject: EvaluationSubject;
  /**
   * The stored turns of the subject, oldest first, with their texts unchanged. Empty for a subject
   * submitted by a call.
   */
  readonly turns: readonly TurnContent[];
  /** The spans of a trace, in the order in which they began. */
  readonly spans: readonly TraceSpan[];
  readonly settings: ReadingSettings;
}

/** Settings of the verifier's version that are added to arriving data. */
export interface ReadingSettings {
  /** Success criteria, as a verify call of the kind takes them. */
  readonly criteria?: readonly unknown[];
  /** Tests for code, as a verify call takes them; without them none are run. */
  readonly tests?: unknown;
  /** The mapping of a custom verifier; entries of the rule override its entries. */
  readonly mapping?: CompiledMapping;
}

/** The reason why there is nothing to verify. */
export interface NoSubject {
  /** For programs: `no_sources`. */
  readonly reason: string;
  /** For people: the missing part, and where it should have come from. */
  readonly message: string;
}

export type Read<Subject> = { readonly subject: Subject } | NoSubject;
export type ReadMaterial<Subject> = (material: Material) => Read<Subject>;
/** The default readings of a kind, by target. */
export type Readings<Subject> = { readonly [Target in SubjectTarget]?: ReadMaterial<Subject> };

/** Parses a value by a kind's schema: the subject, or why the value is invalid. */
export function readBy<Subject>(schema: z.ZodType<Subject>, value: unknown): Read<Subject> {
  const read = schema.safeParse(value);
  if (read.success) return { subject: read.data };
  const [issue] = read.error.issues;
  const path = issue?.path.join('.') ?? '';
  return { reason: 'not_readable', message: `${path}: ${issue?.message ?? 'is not readable'}` };
}

export const noSubject = (reason: string, message: string): NoSubject => ({ reason, message });

/** System message and question, as one text. */
export function requestText({ input }: EvaluationSubject): string {
  return [input.system, input.last_user]
    .filter((text) => text !== null && text !== '')
    .join('\n\n');
}

export const outputText = ({ output }: EvaluationSubject): string => jsonAsText(output);
