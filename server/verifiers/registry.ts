import { z } from 'zod';
import { agentOutput } from './agent-output';
import { code } from './code';
import { consistency } from './consistency';
import { decomposition } from './decomposition';
import { integrity } from './integrity';
import type { Kind } from './kind';
import { mission } from './mission';
import type { Material, Read } from './subjects/reading';
import { synthesis } from './synthesis';
import { task } from './task';
import { turn } from './turn';

/** A kind whose subject and config the engine hands through without looking into them. */
export type AnyKind = Kind<unknown, unknown, unknown>;
export type Kinds = ReadonlyMap<string, AnyKind>;

/** Every verifier kind, by name. Adding one is one folder and one entry here. */
export const kinds: Kinds = new Map<string, AnyKind>(
  [integrity, task, code, consistency, mission, decomposition, agentOutput, synthesis, turn].map(
    (kind) => [kind.name, kind as AnyKind],
  ),
);

/** What subjects of a kind are called where they are stored. */
export const storedKindOf = ({ name, storedAs }: Pick<AnyKind, 'name' | 'storedAs'>): string =>
  storedAs ?? name;

/** What subjects are called where they are stored, over all kinds. */
export const storedKinds: readonly string[] = [...new Set([...kinds.values()].map(storedKindOf))];

/** The members that a mapping may set; none for a verifier that reads turns as they are. */
export function subjectMembersOf(verifier: string): readonly string[] {
  const kind = kinds.get(verifier);
  return kind === undefined || kind.readsTurns ? [] : membersOf(kind.subject);
}

/** Of an object, also one behind a transformation. */
function membersOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodPipe ? membersOf(schema.in) : [];
}

/** The kind's own subject, or why there is none (decision `no_subject`). */
export function readSubject(
  { name, readings }: Pick<AnyKind, 'name' | 'readings'>,
  material: Material,
): Read<unknown> {
  const { target } = material.subject;
  const reading = readings[target];
  if (reading !== undefined) return reading(material);
  return { reason: 'target', message: `${name} does not read a ${target} without a mapping` };
}
