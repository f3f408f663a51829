import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import { applicationKind, type PromptDefaults, requirePrompt } from '../../prompts';
import type { ProjectSettings } from '../../verdicts/input';
import { judgesAfter } from './change-settings';
import { decidePromotion } from './decide-promotion';
import type { PromotionCheck } from './promotion';
import { findCurrent, labelledVersion } from './promotion-rows';
import { type Gate, readPromotionSettings, readJudgeGate, readPromptGate } from './read-gate';

/**
 * The gate's decision on a version, before a promotion is requested.
 * @throws AssayError not_found (no such prompt), refused (a prompt of an application)
 */
export async function checkPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  { slug, version }: { readonly slug: string; readonly version: number },
): Promise<PromotionCheck> {
  if ((await requirePrompt(ctx, defaults, slug)).kind === applicationKind) {
    const message = `no gate applies to "${slug}", a prompt of an application: move the label`;
    throw refused(`slug: ${message}`, [{ path: 'slug', message }]);
  }
  const gate = await readPromptGate(ctx, defaults, { slug, version });
  const [running, current] = await ctx.db.transaction(async (tx) => {
    const now = String(await labelledVersion(ctx, tx, slug));
    return [now, await findCurrent(ctx, tx, { slug, running: now })] as const;
  });
  return checkOf(gate, { running, after: String(version), back: current?.before ?? null });
}

/** The gate's decision on another default judge or jury. */
export async function checkJudge(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: Pick<ProjectSettings, 'defaultJudge' | 'jury'>,
): Promise<PromotionCheck> {
  const { judges: running } = await readPromotionSettings(ctx);
  const after = judgesAfter(running, input);
  const gate = await readJudgeGate(ctx, defaults, after);
  const current = await ctx.db.transaction((tx) => findCurrent(ctx, tx, { slug: '', running }));
  return checkOf(gate, { running, after, back: current?.before ?? null });
}

function checkOf(
  gate: Gate,
  {
    running,
    after,
    back,
  }: { readonly running: string; readonly after: string; readonly back: string | null },
): PromotionCheck {
  const decided = decidePromotion(gate.mode, gate.findings.verdict, false);
  const requested = decided === 'forced' ? 'refused' : decided;
  return {
    ...gate,
    outcome: after === running ? 'runs_now' : after === back ? 'rolled_back' : requested,
  };
}
