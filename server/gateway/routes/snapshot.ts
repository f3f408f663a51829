import { followWrites } from '../../llm';
import type { Ctx } from '../../platform';
import type { PromptDefaults, ResolvedPrompt } from '../../prompts';
import type { Authorized } from '../proxy/deps';
import type { GatewayProject, GatewayRoute } from '../exchange';
import { openSnapshotFile } from './disk';
import { within } from '../behind';
import { createSource, type SnapshotSource } from './source';
import { readPresented, unknownKey } from './snapshot-view';

type Presented = readonly [
  authorization: string | undefined,
  xApiKey: string | undefined,
  xAssayKey: string | undefined,
];

/** Configuration in memory, so that a call waits for no store. */
export interface Snapshot {
  /** Null: a key that the snapshot does not know; ask `authorizeUnknown`. */
  authorize(...presented: Presented): Authorized | null;
  /** Asks PostgreSQL, for about a second at the most. */
  authorizeUnknown(...presented: Presented): Promise<Authorized>;
  /**
   * The same object until something changed; null where there is no such route, or its upstream is
   * gone.
   */
  routeOf(project: GatewayProject, name: string): GatewayRoute | null;
  /** The prompts of kind `turn` by slug, as a run begun now uses them. */
  promptsOf(projectId: string): ReadonlyMap<string, ResolvedPrompt>;
  /** Milliseconds since PostgreSQL last confirmed the content; infinite before it first did. */
  age(): number;
  postgres(): 'ok' | 'away';
  /** Looks for changes, from now on. Never throws. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface SnapshotOptions {
  /** The data folder; null: nothing is kept on a disk. */
  readonly dir: string | null;
  readonly replica: string;
  readonly prompts: PromptDefaults;
}

/**
 * A change, a revoked key above all, holds within a second (S-12): so often it is looked for. A
 * provider or route that this process itself stores is looked for at once, before its write is
 * answered.
 */
const everyMs = 600;
/**
 * What a caller with an unknown key, and a write, waits for PostgreSQL; and the start, where
 * nothing is on the disk.
 */
const patienceMs = 1_000;
/** An unknown key is not asked about again so soon. */
const unknownMs = 800;
const unknownMax = 10_000;

/**
 * Opens the snapshot of this process: from the disk where one lies there, and from
 * PostgreSQL in the background. Resolves as soon as there is something to serve by, and after a
 * second in any case. Never throws.
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
    if (found?.state === 'ok') source.noteUse(found.keyId);
    return found;
  };
  const timer = setInterval(() => void source.refresh(), everyMs);
  timer.unref();
  const unfollow = followWrites(ctx, () => within(source.refresh(), patienceMs));
  const first = source.refresh();
  if (file.stored === null) await within(first, patienceMs);
  return {
    authorize,
    authorizeUnknown: createAuthorizeUnknown(ctx, source, authorize),
    routeOf: (project, name) => source.view.routeOf(project, name),
    promptsOf: (projectId) => source.view.promptsOf(projectId),
    age: () => source.age(),
    postgres: () => (source.isAway() ? 'away' : 'ok'),
    refresh: source.refresh,
    async close() {
      clearInterval(timer);
      unfollow();
      await within(source.refresh.idle(), patienceMs);
      source.keep();
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
const unasked: Authorized = {
  ...outdated,
  message: 'the API key cannot be checked at the moment; send the request again',
};

/**
 * A key made a moment ago is in PostgreSQL and not yet here; one that is no one's is not asked
 * about again and again.
 */
function createAuthorizeUnknown(
  ctx: Ctx,
  source: SnapshotSource,
  authorize: Snapshot['authorize'],
): Snapshot['authorizeUnknown'] {
  const noProject = new Map<string, number>();
  return async (...presented) => {
    const key = readPresented(...presented).text ?? '';
    if (ctx.clock.monotonicMs() - (noProject.get(key) ?? Number.NEGATIVE_INFINITY) < unknownMs)
      return unknownKey;
    const askedAt = ctx.clock.now().getTime();
    await within(source.refresh(), patienceMs);
    const found = authorize(...presented);
    if (found !== null) return found;
    // Only an answer to a question asked since says that there is no such key.
    if (ctx.clock.now().getTime() - source.age() < askedAt) return unasked;
    if (noProject.size >= unknownMax) noProject.clear();
    noProject.set(key, ctx.clock.monotonicMs());
    return unknownKey;
  };
}
