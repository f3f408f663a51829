import { noteKeysUsed } from '../../access';
import type { Ctx } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import { loadContent, readStamp, type SnapshotContent } from './content';
import type { SnapshotFile } from './disk';
import { createSingleFlight, type SingleFlight } from '../behind';
import { openContent, type SnapshotView } from './snapshot-view';

/** The content as it is now, and how sure one may be of it. */
export interface SnapshotSource {
  readonly view: SnapshotView;
  /** Milliseconds since PostgreSQL last confirmed it; infinite before it first did. */
  age(): number;
  isAway(): boolean;
  /** It is too old to be honoured. */
  isExpired(): boolean;
  /** A key was used; noted for people now and then. */
  noteUse(keyId: string): void;
  readonly refresh: SingleFlight;
  /** Writes what there is to the disk. */
  keep(): void;
}

/** Asked for so long without an answer, PostgreSQL is away. */
const silentMs = 1_500;
/** Uses of keys are noted, and the file's time is brought up to date, so often. */
const notedMs = 60_000;

const empty: SnapshotContent = {
  stamp: '',
  keys: [],
  projects: [],
  providers: [],
  routes: [],
  prompts: [],
};

/** Begins with what the file has; `refresh` looks for changes and never throws. */
export function createSource(
  ctx: Ctx,
  file: SnapshotFile,
  prompts: PromptDefaults,
): SnapshotSource {
  const { clock, log } = ctx;
  let content = file.stored?.content ?? empty;
  let view = openContent(ctx, content, prompts);
  let confirmedAt = file.stored?.confirmedAt.getTime() ?? Number.NEGATIVE_INFINITY;
  let expired = false;
  let failed = false;
  let askedAt: number | null = null;
  let notedAt = clock.monotonicMs();
  const used = new Set<string>();

  const age = (): number => clock.now().getTime() - confirmedAt;
  const keep = (): void => {
    if (Number.isFinite(confirmedAt)) file.write({ content, confirmedAt: new Date(confirmedAt) });
  };

  async function noteNowAndThen(): Promise<void> {
    if (clock.monotonicMs() - notedAt < notedMs) return;
    notedAt = clock.monotonicMs();
    keep();
    const ids = [...used];
    used.clear();
    if (ids.length > 0) await noteKeysUsed(ctx, ids);
  }

  async function refresh(): Promise<void> {
    askedAt = clock.monotonicMs();
    const at = clock.now().getTime();
    try {
      const stamp = await readStamp(ctx);
      const changed = stamp !== content.stamp;
      if (changed) {
        content = await loadContent(ctx, stamp, turnPrompts(prompts));
        view = openContent(ctx, content, prompts);
      }
      confirmedAt = at;
      if (changed) keep();
      if (failed) log.info('the gateway has its configuration from PostgreSQL again');
      failed = false;
      await noteNowAndThen();
    } catch (error) {
      if (!failed)
        log.warn(
          { err: error },
          'PostgreSQL is away: the gateway goes on with the configuration that it has',
        );
      failed = true;
    } finally {
      askedAt = null;
      expired = age() > ctx.env.gatewayHonourMs && Number.isFinite(confirmedAt);
    }
  }

  return {
    get view() {
      return view;
    },
    age,
    isAway: () => failed || (askedAt !== null && clock.monotonicMs() - askedAt > silentMs),
    isExpired: () => expired,
    noteUse: (keyId) => void used.add(keyId),
    refresh: createSingleFlight(refresh),
    keep,
  };
}

function turnPrompts(prompts: PromptDefaults): readonly string[] {
  return [...prompts.values()].filter(({ kind }) => kind === 'turn').map(({ slug }) => slug);
}
