import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';
import { moveLabelIn, type PromptDefaults, saveCustomPromptIn } from '../prompts';
import type { ReadDefinition } from './read-definition';

export interface PromptState {
  readonly version: number;
  /** `draft`: a gate decides its promotion; until then runs use the version in production. */
  readonly state: 'production' | 'draft';
}

/**
 * Stores the prompt of a definition as the prompt's next version, and puts it into production
 * unless the project requires trials of new prompts (online.md 3). Null for kinds without a prompt.
 */
export async function savePromptIn(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  { slug, custom, definition }: ReadDefinition,
): Promise<{ readonly isNew: boolean; readonly state: PromptState } | null> {
  const text = custom.promptOf?.(definition);
  if (text === undefined) return null;
  const { name, description, mapping } = definition;
  const { version, isNew } = await saveCustomPromptIn(ctx, tx, defaults, {
    slug,
    title: name,
    description,
    variables: Object.keys(mapping),
    text,
    message: 'From the definition of the verifier',
  });
  if (isNew && !(await isGated(ctx, tx)))
    await moveLabelIn(ctx, tx, defaults, { slug, label: 'production', version });
  const [current] = await tx.execute<{ version: number }>(sql`
    select version from prompt_labels
    where project_id = ${ctx.projectId} and slug = ${slug} and label = 'production'`);
  return {
    isNew,
    state: { version, state: current?.version === version ? 'production' : 'draft' },
  };
}

async function isGated({ projectId }: ProjectCtx, tx: Database): Promise<boolean> {
  const [row] = await tx.execute<{ promotion_gate: string | null }>(
    sql`select promotion_gate from project_settings where project_id = ${projectId}`,
  );
  return row?.promotion_gate === 'require';
}
