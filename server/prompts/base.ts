import type { ProjectCtx } from '../access';
import { judgePlaceholders, listPlaceholders } from '../domain';
import { notFound } from '../platform';
import type { PromptBase, PromptDefaults } from './defaults';
import type { PromptFront, PromptIssue } from './front-matter';
import { type PromptRead, readPrompt, subjectNames } from './read';

/** The verifier kind of prompts that a project defines. */
export const ownKind = 'judge';

type Reach = Pick<ProjectCtx, 'sql' | 'projectId'>;

/**
 * The base of a prompt: the text of the release, or the first version of a prompt of the project.
 * Null if there is neither.
 */
export async function findBase(
  { sql, projectId }: Reach,
  defaults: PromptDefaults,
  slug: string,
): Promise<PromptBase | null> {
  const ofRelease = defaults.get(slug);
  if (ofRelease !== undefined) return ofRelease;
  if (!isPromptSlug(slug)) return null;
  const [row] = await sql<{ body: string }[]>`
    select body from prompt_versions where project_id = ${projectId} and slug = ${slug} and version = 1`;
  return row === undefined ? null : ownBase(slug, row.body);
}

/** @throws AssayError not_found */
export async function getBase(
  ctx: Reach,
  defaults: PromptDefaults,
  slug: string,
): Promise<PromptBase> {
  const base = await findBase(ctx, defaults, slug);
  if (base === null) throw notFound('prompt');
  return base;
}

/** The prompts that the project defines, by slug. */
export async function listOwnBases(
  { sql, projectId }: Reach,
  defaults: PromptDefaults,
): Promise<PromptBase[]> {
  const rows = await sql<{ slug: string; body: string }[]>`
    select slug, body from prompt_versions where project_id = ${projectId} and version = 1
      and slug not in (select jsonb_array_elements_text(${JSON.stringify([...defaults.keys()])}::text::jsonb))`;
  return rows.flatMap(({ slug, body }) => ownBase(slug, body) ?? []);
}

/** The verifier that uses a prompt. */
export const verifierOf = ({ version, slug, kind }: PromptBase): string =>
  version === 0 ? kind : slug;

/** The placeholders that the text may have, in addition to `variables`. */
export const placeholdersOf = ({ output, optional }: PromptFront): readonly string[] =>
  output === 'judge' ? [...optional, ...subjectNames, ...judgePlaceholders] : optional;

/** No slug has other characters (S-20), and the database refuses some of them. */
export const isPromptSlug = (slug: string): boolean => /^[a-z0-9-]{1,100}$/.test(slug);

/**
 * Null for a text that is not a judge's prompt, such as an edited prompt of an earlier release that
 * this one no longer has.
 */
export function ownBase(slug: string, body: string): PromptBase | null {
  const read = readOwnPrompt(body);
  return read.state === 'valid'
    ? { version: 1, slug, kind: ownKind, body, front: read.front, text: read.text }
    : null;
}

/** A prompt of a project, by the variables that it names itself. */
export function readOwnPrompt(body: string): PromptRead {
  const read = readPrompt(body, null);
  if (read.state !== 'valid' || read.front.output === 'judge') return read;
  return {
    state: 'invalid',
    issues: [{ line: 1, message: 'output: must be judge in a prompt of the project' }],
  };
}

/**
 * A stored version of a prompt. A version of a prompt of the release must have its variables; one
 * of a prompt of the project may have those of an earlier mapping.
 */
export const readPromptVersion = (base: PromptBase, body: string): PromptRead =>
  base.version === 0 ? readPrompt(body, base.front) : readOwnPrompt(body);

/**
 * The placeholders of a version that the latest one cannot have, because the mapping no longer
 * fills them.
 */
export function unmappedIssues(
  text: string,
  front: PromptFront,
  latest: PromptFront,
): readonly PromptIssue[] {
  const gone = front.optional.filter((name) => !latest.optional.includes(name));
  return listPlaceholders(text)
    .filter((name) => gone.includes(name))
    .map((name) => ({
      line: null,
      message: `it has {{${name}}}, which the mapping of the verifier no longer has: add the variable to the mapping`,
    }));
}
