import type { Ctx, Env } from '../../platform';

/** Callbacks of components that cache providers in memory, by the environment of their process. */
const followers = new WeakMap<Env, Set<() => Promise<void>>>();

/**
 * Calls `onWrite` after each write in this process that is followed by `notifyFollowers`; the write
 * returns after `onWrite` has resolved.
 * @param onWrite bounded in time; must not throw
 * @returns a function that unsubscribes
 */
export function followWrites({ env }: Pick<Ctx, 'env'>, onWrite: () => Promise<void>): () => void {
  const callbacks = followers.get(env) ?? new Set();
  followers.set(env, callbacks.add(onWrite));
  return () => void callbacks.delete(onWrite);
}

/**
 * Resolves when all followers in this process have reloaded. Call it after the write's transaction.
 */
export async function notifyFollowers({ env }: Pick<Ctx, 'env'>): Promise<void> {
  await Promise.all([...(followers.get(env) ?? [])].map((callback) => callback()));
}
