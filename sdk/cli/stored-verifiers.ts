import type { Api } from './api';
import { parseObject, readError } from '../client/read-reply';
import { CliFailure, withRemark } from './failure';

/** A verifier that the project defined, as the server has it. */
export interface StoredVerifier {
  readonly slug: string;
  readonly kind: string;
  readonly version: number;
  readonly archived: boolean;
  readonly overridden: readonly string[];
  /** As `PUT /v1/verifiers/{slug}` takes it, with the text of the newest version of its prompt. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The versions of its prompt, if the newest one is not in production. */
  readonly draft: { readonly version: number; readonly production: number } | null;
}

/** Members of a description that are not part of the definition. */
const addedMembers: ReadonlySet<string> = new Set('version archived overridden by at'.split(' '));

type Described = Readonly<Record<string, unknown>>;

/** Verifiers of the release have fields instead of a definition. */
export const isOfRelease = (described: Described): boolean => Array.isArray(described.fields);

/** All verifiers: those of the release first. @throws CliFailure */
export async function listDescribed(api: Api): Promise<readonly Described[]> {
  const { data } = await api.call('/v1/verifiers');
  return Array.isArray(data) ? data.filter(isRecord) : [];
}

/** Null if the project defined no such verifier. @throws CliFailure */
export async function findStored(api: Api, slug: string): Promise<StoredVerifier | null> {
  const path = `/v1/verifiers/${slug}`;
  const { status, text } = await api.callRaw(path);
  if (status === 404) return null;
  const described = parseObject(text);
  if (status !== 200 || described === null)
    throw new CliFailure(withRemark(readError(text, status).message, `${status} at ${path}`));
  return isOfRelease(described) ? null : readStored(api, described);
}

/** Adds the newest text of a judge's prompt, which `apply` compares with. @throws CliFailure */
export async function readStored(api: Api, described: Described): Promise<StoredVerifier> {
  const { slug, kind, version, archived, overridden } = described;
  const name = String(slug);
  const definition = Object.fromEntries(
    Object.entries(described).filter(([member]) => !addedMembers.has(member)),
  );
  const newest = isRecord(definition.judge) ? await readDraft(api, name) : null;
  return {
    slug: name,
    kind: String(kind),
    version: Number(version),
    archived: archived === true,
    overridden: Array.isArray(overridden) ? overridden.map(String) : [],
    definition: completePrompt(definition, newest?.text),
    draft: newest?.draft ?? null,
  };
}

/**
 * The prompt of a judge as the server compares it: white space at its ends does not count. The
 * line break at its end makes it a plain block scalar.
 */
export function completePrompt(definition: Described, text?: string): Described {
  const { judge } = definition;
  if (!isRecord(judge)) return definition;
  const prompt = text ?? (typeof judge.prompt === 'string' ? judge.prompt : '');
  return {
    ...definition,
    judge: { ...judge, prompt: `${prompt.replaceAll(/\r\n?/g, '\n').trim()}\n` },
  };
}

/** Null if the newest version of the prompt is in production. @throws CliFailure */
async function readDraft(
  api: Api,
  slug: string,
): Promise<{
  readonly text: string;
  readonly draft: { readonly version: number; readonly production: number };
} | null> {
  const path = `/v1/prompts/${slug}`;
  const { latest_version: version, production_version: production } = await api.call(path);
  if (typeof version !== 'number' || typeof production !== 'number' || version === production)
    return null;
  const { body } = await api.call(`${path}/versions/${version}`);
  const text = String(body).replace(/^---\r?\n[^]*?\r?\n---\r?\n/, '');
  return { text, draft: { version, production } };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
