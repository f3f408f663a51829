import type { ProjectCtx } from '../access';
import type { PromptText } from '../domain';
import { AssayError, refused } from '../platform';
import { getBase, readPromptVersion } from './base';
import type { PromptDefaults } from './defaults';
import { getPrompt, getPromptBody } from './get';
import { readPrompt } from './read';
import { refusedFor } from './save';

/**
 * One version as a run would use it, whether or not it is in production. Unlike a run, this never
 * falls back: a trial needs exactly that version.
 * @throws AssayError not_found (no such prompt or version), refused (a version that this release
 * cannot use)
 */
export async function pinPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  slug: string,
  version: number,
): Promise<PromptText> {
  const base = await getBase(ctx, defaults, slug);
  const body = await getPromptBody(ctx, defaults, slug, version);
  const read = version === 0 ? readPrompt(body, null) : readPromptVersion(base, body);
  if (read.state !== 'valid') throw refusedFor('version', read.issues);
  return { version: `${slug}@${version}`, text: read.text, examples: read.front.examples };
}

/**
 * The version of an application's prompt that a name selects: `slug` or `slug@production` the one in
 * production, `slug@label` that of another label, `slug@version` exactly that one.
 * @param path the member of the request that has the name, for errors
 * @throws AssayError refused (no such prompt, version or label; a prompt of a verifier)
 */
export async function pinApplicationPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  named: string,
  path: string,
): Promise<PromptText> {
  const fault = (message: string) => refused(`${path}: ${message}`, [{ path, message }]);
  const [slug = '', wanted = 'production'] = named.split('@');
  const prompt = await getPrompt(ctx, defaults, slug).catch((error: unknown) => {
    if (!(error instanceof AssayError) || error.code !== 'not_found') throw error;
    throw fault(
      `there is no prompt "${slug}": create it with POST /v1/prompts/${slug}/versions, or name another one`,
    );
  });
  if (prompt.verifier !== null)
    throw fault(
      `"${slug}" is a prompt of the verifier ${prompt.verifier}: name a prompt of an application`,
    );
  const version = /^\d+$/.test(wanted)
    ? Number(wanted)
    : wanted === 'production'
      ? prompt.production.version
      : prompt.labels.find(({ label }) => label === wanted)?.version;
  const [latest] = prompt.versions;
  if (version === undefined)
    throw fault(`"${slug}" has no label "${wanted}": name a version up to ${latest?.version ?? 1}`);
  if (!prompt.versions.some((each) => each.version === version))
    throw fault(`"${slug}" has no version ${version}: its latest is ${latest?.version ?? 1}`);
  return pinPrompt(ctx, defaults, slug, version);
}
