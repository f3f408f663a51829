import { z } from 'zod';
import { allKinds } from './all-kinds';
import type { Kind } from './kind';
import type { Material, Read } from './subjects/reading';

/** A kind whose subject and config the engine treats as opaque. */
export type AnyKind = Kind<unknown, unknown, unknown>;
export type Kinds = ReadonlyMap<string, AnyKind>;

/** Every verifier kind, by name. */
export const kinds: Kinds = new Map<string, AnyKind>(
  allKinds.map((kind) => [kind.name, kind as AnyKind]),
);

/** The verifiers of the release: the kinds of which a project has exactly one. */
export const builtIn: Kinds = new Map(
  [...kinds].filter(([, kind]) => kind.definedByProjects !== true),
);

/** The stored name of the subjects of a built-in verifier. */
export const builtInStoredKind = ({ name, storedAs }: Pick<AnyKind, 'name' | 'storedAs'>): string =>
  storedAs ?? name;

/** The stored names of the subjects of all built-in verifiers. */
export const storedKinds: readonly string[] = [
  ...new Set([...builtIn.values()].map(builtInStoredKind)),
];

/** The members that a mapping may set; none for a verifier that reads turns in place. */
export const subjectMembersOf = (kind: AnyKind): readonly string[] =>
  kind.readsTurns ? [] : membersOf(kind.subject);

/** The members of an object schema, including one inside a transformation. */
function membersOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodPipe ? membersOf(schema.in) : [];
}

/** The subject of the kind, or why there is none (decision `no_subject`). */
export function readSubject(
  { name, readings }: Pick<AnyKind, 'name' | 'readings'>,
  material: Material,
): Read<unknown> {
  const { target } = material.subject;
  const reading = readings[target];
  if (reading !== undefined) return reading(material);
  return { reason: 'target', message: `${name} does not read a ${target} without a mapping` };
}
