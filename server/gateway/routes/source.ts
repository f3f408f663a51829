import { recordKeysUsed } from '../../access';
import type { Ctx } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import { loadContent, readStamp, type SnapshotContent } from './content';
import type { SnapshotFile } from './disk';
import { createSingleFlight, type SingleFlight } from '../background';
import { openContent, type SnapshotView } from './snapshot-view';

/** The current content and how fresh it is. */
export interface SnapshotSource {
  readonly view: SnapshotView;
  /** Milliseconds since PostgreSQL last confirmed it; infinite before the first time. */
  age(): number;
  isUnavailable(): boolean;
  /** Too old to be used. */
  isExpired(): boolean;
  /** Records the use of a key; stored at intervals. */
  recordUse(keyId: string): void;
  readonly refresh: SingleFlight;
  /** Writes the content to disk. */
  save(): void;
}

/** PostgreSQL counts as unavailable after this time without a reply. */
const silentMs = 1_500;
/** Interval of storing key uses and updating the file's time. */
const notedMs = 60_000;

const empty: SnapshotContent = {
  stamp: '',
  keys: [],
  projects: [],
  providers: [],
  routes: [],
  prompts: [],
};

/** Starts with the file's content. `refresh` checks for changes and never throws. */
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
  let checkedAt: number | null = null;
  let notedAt = clock.monotonicMs();
  const used = new Set<string>();

  const age = (): number => clock.now().getTime() - confirmedAt;
  const save = (): void => {
    if (Number.isFinite(confirmedAt)) file.write({ content, confirmedAt: new Date(confirmedAt) });
  };

  async function recordUsesPeriodically(): Promise<void> {
    if (clock.monotonicMs() - notedAt < notedMs) return;
    notedAt = clock.monotonicMs();
    save();
    const ids = [...used];
    used.clear();
    if (ids.length > 0) await recordKeysUsed(ctx, ids);
  }

  async function check(): Promise<void> {
    checkedAt = clock.monotonicMs();
    const at = clock.now().getTime();
    try {
      const stamp = await readStamp(ctx);
      const changed = stamp !== content.stamp;
      if (changed) {
        content = await loadContent(ctx, stamp, turnPrompts(prompts));
        view = openContent(ctx, content, prompts);
      }
      confirmedAt = at;
      if (changed) save();
      if (failed) log.info('the gateway reads its configuration from PostgreSQL again');
      failed = false;
      await recordUsesPeriodically();
    } catch (error) {
      if (!failed)
        log.warn(
          { err: error },
          'PostgreSQL is unavailable: the gateway continues with its last configuration',
        );
      failed = true;
    } finally {
      checkedAt = null;
      expired = age() > ctx.env.gatewayHonourMs && Number.isFinite(confirmedAt);
    }
  }

  return {
    get view() {
      return view;
    },
    age,
    isUnavailable: () =>
      failed || (checkedAt !== null && clock.monotonicMs() - checkedAt > silentMs),
    isExpired: () => expired,
    recordUse: (keyId) => void used.add(keyId),
    refresh: createSingleFlight(check),
    save,
  };
}

function turnPrompts(prompts: PromptDefaults): readonly string[] {
  return [...prompts.values()].filter(({ kind }) => kind === 'turn').map(({ slug }) => slug);
}
