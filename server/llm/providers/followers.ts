import type { Ctx, Env } from '../../platform';

/** Callbacks of those who cache providers in memory, by the environment of their process. */
const followers = new WeakMap<Env, Set<() => Promise<void>>>();

/**
 * Calls `look` after each write in this process that is followed by `notifyFollowers`; the write
 * answers after `look` has resolved.
 * @param look bounded in time; must not throw
 * @returns a function that unsubscribes
 */
export function followWrites({ env }: Pick<Ctx, 'env'>, look: () => Promise<void>): () => void {
  const looks = followers.get(env) ?? new Set();
  followers.set(env, looks.add(look));
  return () => void looks.delete(look);
}

/**
 * Resolves when all followers in this process have reloaded. Call it after the write's transaction.
 */
export async function notifyFollowers({ env }: Pick<Ctx, 'env'>): Promise<void> {
  await Promise.all([...(followers.get(env) ?? [])].map((look) => look()));
}
