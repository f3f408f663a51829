import type { ProjectCtx } from '../access';
import type { PromptText } from '../domain';
import { getBase, readPromptVersion } from './base';
import type { PromptDefaults } from './defaults';
import { getPromptBody } from './get';
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
