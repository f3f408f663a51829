import { createBriefCache, type Ctx } from '../../platform';
import { followWrites } from './followers';
import { loadProviders } from './list';
import type { ProviderAccess } from './provider';

/** The enabled providers of all projects with their keys, as cached by this process. */
export interface ProviderBook {
  /** @throws AssayError unavailable */
  read(projectId: string): Promise<readonly ProviderAccess[]>;
}

export function createProviderBook(ctx: Ctx): ProviderBook {
  const open = () =>
    createBriefCache(ctx, 'the providers', (projectId) => loadProviders(ctx, projectId));
  let cache = open();
  followWrites(ctx, () => {
    cache = open();
    return Promise.resolve();
  });
  return { read: async (projectId) => (await cache.read(projectId)) ?? [] };
}
