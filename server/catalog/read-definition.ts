import { z } from 'zod';
import { type AssayError, invalid, issueDetails, nearestName } from '../platform';
import { type AnyKind, builtIn, compileMapping, kinds, type CustomKind } from '../verifiers';
import { VerifierSlug } from './input';

/** A definition as a caller wrote it, checked. */
export interface ReadDefinition {
  readonly slug: string;
  readonly kind: AnyKind;
  readonly custom: CustomKind;
  /** As parsed by the kind's schema. */
  readonly definition: DefinitionMembers;
}

type DefinitionMembers = z.infer<CustomKind['definition']>;

/** The kinds of which a project defines verifiers. */
export const customKinds: readonly string[] = [...kinds.values()].flatMap(({ name, custom }) =>
  custom === undefined ? [] : [name],
);

const Named = z.looseObject({
  kind: z.string('must be a text'),
  slug: z.string().optional(),
});

/**
 * Reads the body of `PUT /v1/verifiers/{slug}` (online.md 3). A body without a name is called by
 * its slug.
 * @throws AssayError invalid_request, with every fault and its path
 */
export function readDefinition(slug: string, body: unknown): ReadDefinition {
  const named = Named.safeParse(body);
  if (!named.success) throw faultsOf(issueDetails(named.error.issues));
  const { kind: name, slug: given, ...members } = named.data;
  if (given !== undefined && given !== slug)
    throw fault('slug', `must be "${slug}", as in the path, or be left out`);
  const known = VerifierSlug.safeParse(slug);
  if (!known.success)
    throw faultsOf(known.error.issues.map(({ message }) => ({ path: 'slug', message })));
  if (builtIn.has(slug) || kinds.has(slug))
    throw fault('slug', `"${slug}" is the name of a kind of verifier; choose another slug`);
  const kind = kinds.get(name);
  if (kind?.custom === undefined) throw fault('kind', kindMessage(name));
  const parsed = kind.custom.definition.safeParse({ name: slug, ...members });
  if (!parsed.success) throw faultsOf(issueDetails(parsed.error.issues));
  checkMapping(parsed.data);
  return { slug, kind, custom: kind.custom, definition: parsed.data };
}

/** The definition as callers read it once it is stored: with the defaults of omitted members. */
export function completeDefinition({ slug, kind, definition }: ReadDefinition) {
  return { ...definition, slug, kind: kind.name };
}

function kindMessage(name: string): string {
  if (builtIn.has(name))
    return `"${name}" is built in: a project has exactly one; must be one of: ${customKinds.join(', ')}`;
  const near = nearestName(name, customKinds);
  return `must be one of: ${customKinds.join(', ')}${near === null ? '' : `; did you mean "${near}"?`}`;
}

function checkMapping({ mapping, targets }: DefinitionMembers): void {
  const compiled = compileMapping(mapping, targets);
  if (!('problems' in compiled)) return;
  throw faultsOf(
    compiled.problems.map(({ variable, position, message, fix }) => ({
      path: `mapping.${variable}`,
      message: `${message}, at character ${position + 1}: ${fix}`,
    })),
  );
}

const fault = (path: string, message: string): AssayError => faultsOf([{ path, message }]);

function faultsOf(details: readonly { readonly path: string; readonly message: string }[]) {
  const [first] = details;
  return invalid(`${first?.path ?? 'body'}: ${first?.message ?? 'is not valid'}`, [...details]);
}
