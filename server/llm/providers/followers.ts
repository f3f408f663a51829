import type { Ctx, Env } from '../../platform';

/** Who holds providers in memory, by the environment that its process was made of. */
const followers = new WeakMap<Env, Set<() => Promise<void>>>();

/**
 * Has `look` called after each write of the process's own that is told by `tellFollowers`; the
 * write answers once it has resolved.
 * @param look bounded in time; must not throw
 * @returns what ends it
 */
export function followWrites({ env }: Pick<Ctx, 'env'>, look: () => Promise<void>): () => void {
  const looks = followers.get(env) ?? new Set();
  followers.set(env, looks.add(look));
  return () => void looks.delete(look);
}

/**
 * Resolves when all who follow in this process have looked. Call it after the write's transaction.
 */
export async function notifyFollowers({ env }: Pick<Ctx, 'env'>): Promise<void> {
  await Promise.all([...(followers.get(env) ?? [])].map((look) => look()));
}
