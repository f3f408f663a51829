import { createBriefCache, type Ctx, unavailable } from '../platform';
import type { MaskingSettings } from './input';
import { createMaskedTally, type MaskedTally } from './masked-tally';
import { createMasker, type MaskRules, maskingKey } from './masker';
import { readMaskPath } from './paths';

/** The masking rules of all projects, cached per process. */
export interface MaskBook {
  /**
   * Null if masking is off.
   * @throws AssayError unavailable: storage is away, or the process has no ASSAY_SECRET
   */
  read(projectId: string): Promise<MaskRules | null>;
  /** Reads the rules again at the next call, after this process changed them. */
  forget(projectId: string): void;
  /** The text, masked and counted. @throws as `read` */
  text(projectId: string, text: string): Promise<string>;
  /** Counts the values that a masker replaced. Synchronous; never throws. */
  readonly note: MaskedTally['note'];
  /** Resolves when the counts so far are stored. */
  readonly idle: MaskedTally['idle'];
  readonly close: MaskedTally['close'];
}

export function createMaskBook(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'log' | 'env'>,
  load: (projectId: string) => Promise<MaskingSettings>,
): MaskBook {
  const cache = createBriefCache(ctx, 'the masking rules', async (projectId: string) => {
    const settings = await load(projectId);
    return settings === null ? null : maskRulesOf(ctx, projectId, settings);
  });
  const tally = createMaskedTally(ctx);
  return {
    read: (projectId) => cache.read(projectId),
    forget: (projectId) => cache.forget(projectId),
    async text(projectId, text) {
      const rules = await cache.read(projectId);
      if (rules === null) return text;
      const masker = createMasker(rules);
      const masked = masker.text(text);
      tally.note(projectId, masker.counts);
      return masked;
    },
    ...tally,
  };
}

/**
 * The rules of a project's settings.
 * @throws AssayError refused (a path that cannot be followed), unavailable (no ASSAY_SECRET)
 */
export function maskRulesOf(
  { env: { secret } }: Pick<Ctx, 'env'>,
  projectId: string,
  { types, regions, paths }: NonNullable<MaskingSettings>,
): MaskRules {
  if (secret === null)
    throw unavailable('masking: needs ASSAY_SECRET, which is not set in this process');
  return {
    types,
    regions,
    paths: paths.map((path, at) => readMaskPath(path, `masking.paths[${at}]`)),
    key: maskingKey(secret, projectId),
  };
}
