import { z } from 'zod';
import type { Ctx } from '../../platform';
import { type PromptDefaults, resolvePrompt } from '../../prompts';
import { loadJudging } from '../../verdicts';

/**
 * The settings that affect how a set is judged, recorded by a run when it judges its first items.
 */
export const JudgedBy = z.object({
  version: z.number().int(),
  /** The project's default judge and its jury; null means any available judge. */
  judge: z.string().nullable(),
  jury: z.array(z.string()),
  /** `slug@version` of all production prompts of the verifier. */
  prompts: z.array(z.string()),
});
export type JudgedBy = z.infer<typeof JudgedBy>;

export async function readJudgedBy(
  ctx: Pick<Ctx, 'env' | 'log' | 'sql'>,
  defaults: PromptDefaults,
  projectId: string,
  verifier: string,
): Promise<JudgedBy> {
  const slugs = [...defaults.values()].flatMap(({ slug, kind }) =>
    kind === verifier ? [slug] : [],
  );
  const [{ version, defaultJudge: judge, jury }, prompts] = await Promise.all([
    loadJudging(ctx, projectId, verifier),
    Promise.all(
      slugs.map(
        async (slug) => (await resolvePrompt(ctx, defaults, projectId, slug)).prompt.version,
      ),
    ),
  ]);
  return { version, judge, jury: [...jury], prompts: prompts.sort() };
}

/**
 * Describes the changes since a set was judged in a sentence; null if none affects its items. Pure.
 * @param used the prompts that its items were judged with, joined by ' + '; null if no model was
 * called, in which case judges and prompts are irrelevant
 */
export function changeSince(before: JudgedBy, now: JudgedBy, used: string | null): string | null {
  if (before.version !== now.version) return `version ${now.version} in place of ${before.version}`;
  if (used === null) return null;
  if (before.judge !== now.judge)
    return `the default judge is ${now.judge ?? 'any available one'}, and was ${before.judge ?? 'any available one'}`;
  if (before.jury.join(' + ') !== now.jury.join(' + '))
    return `the jury is ${now.jury.join(' + ') || 'none'}, and was ${before.jury.join(' + ') || 'none'}`;
  const slugOf = (prompt: string): string => prompt.split('@')[0] ?? '';
  const slugs = new Set(used.split(' + ').map(slugOf));
  const changed = now.prompts.filter(
    (prompt) => slugs.has(slugOf(prompt)) && !before.prompts.includes(prompt),
  );
  return changed.length === 0 ? null : `${changed.join(' + ')} in production`;
}
