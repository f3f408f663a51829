import type { ProjectCtx } from '../access';
import { findBase } from './base';
import type { PromptDefaults } from './defaults';
import { createPromptIn, refusedSlug, type SavedPrompt, type SaveInput } from './save';

/**
 * Creates a prompt of an application. Its first version is in production at once.
 * @throws AssayError refused (a slug that exists or cannot be used; a fault of the text with its
 * line; too many prompts), conflict (created by another request)
 */
export async function createPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: SaveInput,
): Promise<SavedPrompt> {
  if ((await findBase(ctx, defaults, input.slug)) !== null)
    throw refusedSlug(`there is a prompt "${input.slug}" already: choose another slug`);
  return ctx.db.transaction((tx) => createPromptIn(ctx, tx, input));
}
