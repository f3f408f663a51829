import { followWrites } from '../../llm';
import type { Ctx } from '../../platform';
import type { PromptDefaults, ResolvedPrompt } from '../../prompts';
import type { Authorized, Presented } from '../proxy/deps';
import type { GatewayProject, GatewayRoute } from '../exchange';
import { openSnapshotFile } from './disk';
import { waitAtMost } from '../background';
import { createSource, type SnapshotSource } from './source';
import { readPresented, unknownKey } from './snapshot-view';

/** Configuration in memory, so that no call waits for storage. */
export interface Snapshot {
  /** Null if the snapshot does not know the key; call `authorizeUnknown`. */
  authorize(...presented: Presented): Authorized | null;
  /** Queries PostgreSQL, and waits for about a second at most. */
  authorizeUnknown(...presented: Presented): Promise<Authorized>;
  /**
   * Returns the same object until something changes; null if there is no such route, or its
   * upstream no longer exists.
   */
  routeOf(project: GatewayProject, name: string): GatewayRoute | null;
  /** The prompts of kind `turn` by slug, for a run that starts now. */
  promptsOf(projectId: string): ReadonlyMap<string, ResolvedPrompt>;
  /** Milliseconds since PostgreSQL last confirmed the content; infinite before the first time. */
  age(): number;
  postgres(): 'ok' | 'away';
  /** Checks for changes. Never throws. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface SnapshotOptions {
  /** The data folder; null if nothing is stored on disk. */
  readonly dir: string | null;
  readonly replica: string;
  readonly prompts: PromptDefaults;
}

/**
 * Changes, above all revoked keys, must apply within a second (S-12). A provider or route stored by
 * this process takes effect before its request is answered.
 */
const everyMs = 600;
/** Maximum time that unknown keys, writes and a start without a file wait for PostgreSQL. */
const patienceMs = 1_000;
/** How long an unknown key is cached. */
const unknownMs = 800;
const unknownMax = 10_000;

/**
 * Opens the snapshot of this process: from disk if there is a file, and from PostgreSQL in
 * the background. Resolves as soon as calls can be served, after a second at the latest. Never
 * throws.
 */
export async function createSnapshot(
  ctx: Ctx,
  { dir, replica, prompts }: SnapshotOptions,
): Promise<Snapshot> {
  const file = openSnapshotFile(ctx, dir, replica);
  const source = createSource(ctx, file, prompts);
  const authorize: Snapshot['authorize'] = (...presented) => {
    if (source.isExpired()) return outdated;
    const found = source.view.authorize(...presented);
    if (found?.state === 'ok') source.recordUse(found.keyId);
    return found;
  };
  const timer = setInterval(() => void source.refresh(), everyMs);
  timer.unref();
  const unfollow = followWrites(ctx, () => waitAtMost(source.refresh(), patienceMs));
  const first = source.refresh();
  if (file.stored === null) await waitAtMost(first, patienceMs);
  return {
    authorize,
    authorizeUnknown: createAuthorizeUnknown(ctx, source, authorize),
    routeOf: (project, name) => source.view.routeOf(project, name),
    promptsOf: (projectId) => source.view.promptsOf(projectId),
    age: () => source.age(),
    postgres: () => (source.isUnavailable() ? 'away' : 'ok'),
    refresh: source.refresh,
    async close() {
      clearInterval(timer);
      unfollow();
      await waitAtMost(source.refresh.idle(), patienceMs);
      source.save();
      await file.idle();
    },
  };
}

const outdated: Authorized = {
  state: 'refused',
  status: 503,
  code: 'unavailable',
  message:
    'PostgreSQL has been unavailable for more than a day, so that API keys can no longer be checked',
};
const uncheckable: Authorized = {
  ...outdated,
  message: 'the API key cannot be checked at the moment; send the request again',
};

/**
 * A new key may be in PostgreSQL but not yet in the snapshot. Unknown keys are cached, so that
 * repeated requests with an invalid key do not each cause a query.
 */
function createAuthorizeUnknown(
  ctx: Ctx,
  source: SnapshotSource,
  authorize: Snapshot['authorize'],
): Snapshot['authorizeUnknown'] {
  const unknownKeys = new Map<string, number>();
  return async (...presented) => {
    const key = readPresented(...presented).text ?? '';
    if (ctx.clock.monotonicMs() - (unknownKeys.get(key) ?? Number.NEGATIVE_INFINITY) < unknownMs)
      return unknownKey;
    const checkedAt = ctx.clock.now().getTime();
    await waitAtMost(source.refresh(), patienceMs);
    const found = authorize(...presented);
    if (found !== null) return found;
    // Only a check that started after the request proves that there is no such key.
    if (ctx.clock.now().getTime() - source.age() < checkedAt) return uncheckable;
    if (unknownKeys.size >= unknownMax) unknownKeys.clear();
    unknownKeys.set(key, ctx.clock.monotonicMs());
    return unknownKey;
  };
}
