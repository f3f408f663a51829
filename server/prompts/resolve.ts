import type { PromptText } from '../domain';
import type { Ctx } from '../platform';
import { isPromptSlug, customBase, readPromptVersion } from './base';
import type { PromptBase, PromptDefaults } from './defaults';
import type { PromptFront } from './front-matter';

/**
 * Why the release's text, or the first version of the project's custom prompt, is used although
 * another version is promoted.
 */
export interface PromptFallback {
  /** The version that is not used. */
  readonly version: number;
  readonly why: 'missing' | 'empty' | 'invalid';
  /** The version's error, for people to read. */
  readonly message: string;
}

/** The prompt that a run uses from its first judge call to its last. */
export interface ResolvedPrompt {
  readonly prompt: PromptText;
  readonly front: PromptFront;
  /** Null if the promoted version is used. */
  readonly fellBack: PromptFallback | null;
}

/**
 * The prompt for a run that begins now. A run resolves it once and keeps the result, so that an
 * edit affects the next run and not this one. An unusable version falls back to the release's text,
 * or to the first version of the project's custom prompt, which is reported; it never fails a run.
 * @throws Error for a slug that neither this release nor the project has
 */
export async function resolvePrompt(
  ctx: Pick<Ctx, 'sql' | 'log'>,
  defaults: PromptDefaults,
  projectId: string,
  slug: string,
): Promise<ResolvedPrompt> {
  const found = (await resolvePrompts(ctx, defaults, projectId, [slug])).get(slug);
  if (found === undefined)
    throw new Error(`there is no prompt "${slug}" in the release or the project`);
  return found;
}

/** The same for several prompts in one query, by slug, without those that do not exist. */
export async function resolvePrompts(
  ctx: Pick<Ctx, 'sql' | 'log'>,
  defaults: PromptDefaults,
  projectId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, ResolvedPrompt>> {
  const rows = await ctx.sql<PromptRow[]>`
    select s.slug, f.body as first, l.version, v.body
    from jsonb_array_elements_text(${JSON.stringify(slugs.filter(isPromptSlug))}::text::jsonb) as s(slug)
    left join prompt_versions f on f.project_id = ${projectId} and f.slug = s.slug and f.version = 1
    left join prompt_labels l on l.project_id = ${projectId} and l.slug = s.slug and l.label = 'production'
    left join prompt_versions v on v.project_id = l.project_id and v.slug = l.slug and v.version = l.version`;
  const found = new Map<string, ResolvedPrompt>();
  for (const { slug, first, version, body } of rows) {
    const base = defaults.get(slug) ?? (first === null ? null : customBase(slug, first));
    if (base === null) continue;
    const running = chooseText(base, version === null ? null : { version, body });
    if (running.fellBack !== null)
      ctx.log.warn(
        { projectId, slug, ...running.fellBack },
        'a prompt fell back to its first text',
      );
    found.set(slug, running);
  }
  return found;
}

interface PromptRow {
  slug: string;
  /** The first version's text; null if the project has none. */
  first: string | null;
  /** The promoted version; null if there is none. */
  version: number | null;
  /** Null if the promoted version was deleted. */
  body: string | null;
}

/**
 * @param promoted the version that the label `production` points to, with a null body if that
 *   version was deleted; null if nothing was promoted
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
