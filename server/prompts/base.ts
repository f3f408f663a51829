import type { ProjectCtx } from '../access';
import { itemPlaceholders, judgePlaceholders, listPlaceholders } from '../domain';
import { notFound } from '../platform';
import type { PromptBase, PromptDefaults } from './defaults';
import type { PromptFront, PromptIssue } from './front-matter';
import { type PromptRead, readPrompt, subjectNames } from './read';

/** The kind of prompts of a project by their output: of custom judges, and of its applications. */
const customPromptKinds = { judge: 'judge', message: 'application' } as const;
type CustomPromptOutput = keyof typeof customPromptKinds;

/** The kind of a prompt that no verifier uses: an application reads it, or an experiment. */
export const applicationKind = customPromptKinds.message;

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
  return row === undefined ? null : customBase(slug, row.body);
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
export async function listCustomBases(
  { sql, projectId }: Reach,
  defaults: PromptDefaults,
): Promise<PromptBase[]> {
  const rows = await sql<{ slug: string; body: string }[]>`
    select slug, body from prompt_versions where project_id = ${projectId} and version = 1
      and slug not in (select jsonb_array_elements_text(${JSON.stringify([...defaults.keys()])}::text::jsonb))`;
  return rows.flatMap(({ slug, body }) => customBase(slug, body) ?? []);
}

/** The verifier that uses a prompt; null for a prompt of an application. */
export function verifierOf({ version, slug, kind }: PromptBase): string | null {
  if (kind === applicationKind) return null;
  return version === 0 ? kind : slug;
}

/** The placeholders that the text may have, in addition to `variables`. */
export function placeholdersOf(
  { kind }: PromptBase,
  { output, variables, optional }: PromptFront,
): readonly string[] {
  if (output === 'judge') return [...optional, ...subjectNames, ...judgePlaceholders];
  if (kind !== applicationKind) return optional;
  const named = new Set([...variables, ...optional]);
  return [...itemPlaceholders.filter((name) => !named.has(name)), ...optional];
}

/** No slug has other characters (S-20), and the database refuses some of them. */
export const isPromptSlug = (slug: string): boolean => /^[a-z0-9-]{1,100}$/.test(slug);

/**
 * Null for a text that is not a prompt of the project, such as an edited prompt of an earlier
 * release that this one no longer has.
 */
export function customBase(slug: string, body: string): PromptBase | null {
  const read = readCustomPrompt(body);
  if (read.state !== 'valid') return null;
  const { front, text } = read;
  const kind = customPromptKinds[front.output === 'message' ? 'message' : 'judge'];
  return { version: 1, slug, kind, body, front, text };
}

/**
 * A prompt of a project, by the variables that it names itself.
 * @param outputs the outputs that it may have
 */
export const readCustomPrompt = (
  body: string,
  outputs: readonly CustomPromptOutput[] = ['judge', 'message'],
): PromptRead => readPrompt(body, null, outputs);

/** The text of a prompt of an application, whose versions may have their own variables. */
export const readApplicationPrompt = (body: string): PromptRead =>
  readCustomPrompt(body, ['message']);

/**
 * A stored version of a prompt. A version of a prompt of the release must have its variables; one
 * of a prompt of the project may have those of an earlier mapping.
 */
export function readPromptVersion(base: PromptBase, body: string): PromptRead {
  if (base.version === 0) return readPrompt(body, base.front);
  return base.kind === applicationKind ? readApplicationPrompt(body) : readCustomPrompt(body);
}

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
