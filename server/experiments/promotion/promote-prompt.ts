import type { ProjectCtx } from '../../access';
import { cleanText } from '../../domain';
import { conflict, type Database, refused } from '../../platform';
import {
  applicationKind,
  lockPrompt,
  moveLabelIn,
  type PromptDefaults,
  requirePrompt,
  requireUsable,
} from '../../prompts';
import { decidePromotion, readWord, promotionRefusal } from './decide-promotion';
import type { GateWord } from './promotion-input';
import {
  endPromotion,
  findCurrent,
  labelledVersion,
  type StoredPromotion,
  storePromotion,
} from './promotion-rows';
import { type Gate, readPromptGate } from './read-gate';

interface PromotePrompt extends GateWord {
  readonly slug: string;
  readonly version: number;
}

/**
 * The gate's decision refers to the current version. If that changes in the meantime, the decision
 * is reevaluated, at most this many times.
 */
const attempts = 3;

/**
 * Promotes a version to production if the gate allows it, and records the result of the request.
 * Rolling back to the previous version is never gated, and neither is a prompt of an application.
 * Returns null if the version is already current, and for a prompt of an application.
 * @throws AssayError not_found (no such prompt), refused (no such version; one that this release
 * cannot use; one that the gate refuses, with its numbers; forced without a reason), forbidden
 * (forced by a key without the scope `promote`), conflict
 */
export async function promotePrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: PromotePrompt,
): Promise<StoredPromotion | null> {
  const { slug, version } = input;
  const word = readWord(ctx, input);
  const { kind } = await requirePrompt(ctx, defaults, slug);
  if (kind === applicationKind) {
    await moveUngated(ctx, defaults, { slug, version, ...word });
    return null;
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = await ctx.db.transaction((tx) => labelledVersion(ctx, tx, slug));
    const gate = await readPromptGate(ctx, defaults, { slug, version });
    const end = await ctx.db.transaction((tx) =>
      promoteIn(ctx, tx, defaults, { slug, version, before, gate, ...word }),
    );
    if (end === 'moved') continue;
    if (end?.state === 'refused')
      throw promotionRefusal(`version ${version} of ${slug}`, gate.mode, gate.findings);
    return end;
  }
  throw conflict('production changed during the check of the gate; try again');
}

async function moveUngated(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  {
    slug,
    version,
    isForced,
    reason,
  }: Pick<RequestedPromotion, 'slug' | 'version' | 'isForced' | 'reason'>,
): Promise<void> {
  if (isForced) {
    const message = 'no gate applies to a prompt of an application; leave it out';
    throw refused(`force: ${message}`, [{ path: 'force', message }]);
  }
  const detail = reason === null ? {} : { reason: cleanText(reason).text };
  await ctx.db.transaction((tx) =>
    moveLabelIn(ctx, tx, defaults, { slug, label: 'production', version, detail }),
  );
}

interface RequestedPromotion {
  readonly slug: string;
  readonly version: number;
  /** The version that the gate's decision refers to. */
  readonly before: number;
  readonly gate: Gate;
  readonly isForced: boolean;
  readonly reason: string | null;
}

async function promoteIn(
  ctx: ProjectCtx,
  tx: Database,
  defaults: PromptDefaults,
  requested: RequestedPromotion,
): Promise<StoredPromotion | 'moved' | null> {
  const { slug, version, before, gate, isForced, reason } = requested;
  await lockPrompt(ctx, tx, slug);
  await requireUsable(ctx, tx, defaults, { slug, version });
  if ((await labelledVersion(ctx, tx, slug)) !== before) return 'moved';
  const move = (detail: Record<string, unknown>) =>
    moveLabelIn(ctx, tx, defaults, { slug, label: 'production', version, detail });
  if (before === version) {
    await move({});
    return null;
  }
  const current = await findCurrent(ctx, tx, { slug, running: String(before) });
  if (current?.before === String(version)) {
    await move({ promotion: current.id });
    return endPromotion(ctx, tx, current, { state: 'rolled_back' });
  }
  const state = decidePromotion(gate.mode, gate.findings.verdict, isForced);
  const stored = await storePromotion(ctx, tx, {
    slug,
    before: String(before),
    after: String(version),
    state,
    gate,
    reason,
  });
  if (state === 'promoted' || state === 'forced') await move({ promotion: stored.id });
  return stored;
}
