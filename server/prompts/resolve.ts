import type { PromptText } from '../domain';
import type { Ctx } from '../platform';
import { findBase, readPromptVersion } from './base';
import type { PromptBase, PromptDefaults } from './defaults';
import type { PromptFront } from './front-matter';

/**
 * Why the release's text, or the first version of the project's own prompt, is used although
 * another version is promoted.
 */
export interface FellBack {
  /** The version that is not used. */
  readonly version: number;
  readonly why: 'missing' | 'empty' | 'invalid';
  /** Its fault, for people to read. */
  readonly message: string;
}

/** The prompt that a run uses from its first judge call to its last. */
export interface ResolvedPrompt {
  readonly prompt: PromptText;
  readonly front: PromptFront;
  /** Null if the promoted version is used. */
  readonly fellBack: FellBack | null;
}

/**
 * The prompt for a run that begins now. A run resolves it once and keeps the result, so that an
 * edit affects the next run and not this one. An unusable version falls back to the release's text,
 * or to the first version of the project's own prompt, which is reported; it never fails a run.
 * @throws Error for a slug that neither this release nor the project has
 */
export async function resolvePrompt(
  ctx: Pick<Ctx, 'sql' | 'log'>,
  defaults: PromptDefaults,
  projectId: string,
  slug: string,
): Promise<ResolvedPrompt> {
  const base = await findBase({ sql: ctx.sql, projectId }, defaults, slug);
  if (base === null) throw new Error(`there is no prompt "${slug}" in the release or the project`);
  const [row] = await ctx.sql<{ version: number; body: string | null }[]>`
    select l.version, v.body from prompt_labels l
    left join prompt_versions v on v.project_id = l.project_id and v.slug = l.slug and v.version = l.version
    where l.project_id = ${projectId} and l.slug = ${slug} and l.label = 'production'`;
  const running = chooseText(base, row ?? null);
  if (running.fellBack !== null)
    ctx.log.warn({ projectId, slug, ...running.fellBack }, 'a prompt fell back to its first text');
  return running;
}

/**
 * @param promoted the version that the label `production` points to, with a null body if that
 * version is gone; null if nothing was promoted
 */
export function chooseText(
  base: PromptBase,
  promoted: { readonly version: number; readonly body: string | null } | null,
): ResolvedPrompt {
  const own = {
    prompt: {
      version: `${base.slug}@${base.version}`,
      text: base.text,
      examples: base.front.examples,
    },
    front: base.front,
  };
  if (promoted === null || promoted.version === base.version) return { ...own, fellBack: null };
  const { version, body } = promoted;
  if (body === null)
    return { ...own, fellBack: { version, why: 'missing', message: 'it is not stored' } };
  const read = readPromptVersion(base, body);
  if (read.state === 'valid') {
    const prompt = {
      version: `${base.slug}@${version}`,
      text: read.text,
      examples: read.front.examples,
    };
    return { prompt, front: read.front, fellBack: null };
  }
  return {
    ...own,
    fellBack: { version, why: read.state, message: read.issues[0]?.message ?? 'it is not valid' },
  };
}
