import type { ProjectCtx } from '../../access';
import { conflict, type Database, forbidden } from '../../platform';
import { lockPrompt, moveLabelIn, type PromptDefaults } from '../../prompts';
import { lockVersions } from '../../catalog';
import { updateSettingsIn } from '../../verdicts';
import { readJudgeList } from '../trials/judge-list';
import { decidePromotion, promotionRefusal } from './decide-promotion';
import {
  endPromotion,
  getStored,
  labelledVersion,
  lockPromotion,
  currentJudges,
  type StoredPromotion,
} from './promotion-rows';
import { readJudgeGate, readPromptGate } from './read-gate';

/**
 * Approves a request that waits for a second person. Takes later changes into account: a trial with
 * a worse result, or another judge without a trial.
 * @throws AssayError not_found, forbidden (one's own request), conflict (the request no longer
 * waits, or the current version or judge has changed), refused (the option has lost a trial since)
 */
export async function approvePromotion(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  { id }: { readonly id: string },
): Promise<StoredPromotion> {
  const request = await getStored(ctx, id);
  if (request.state === 'promoted' && request.approvedBy === ctx.actor.label) return request;
  if (request.state !== 'waiting')
    throw conflict(`the promotion is no longer pending: it is ${request.state.replace('_', ' ')}`);
  if (await isOwn(ctx, request))
    throw forbidden('the person who requested a promotion cannot approve it');
  const { slug, after } = request;
  const gate =
    slug === ''
      ? await readJudgeGate(ctx, defaults, after)
      : await readPromptGate(ctx, defaults, { slug, version: Number(after) });
  const { verdict } = gate.findings;
  if (
    verdict === 'worse' ||
    (request.trialId !== null && decidePromotion('require', verdict, false) === 'refused')
  )
    throw promotionRefusal(
      slug === '' ? after : `version ${after} of ${slug}`,
      'require',
      gate.findings,
    );
  return ctx.db.transaction(async (tx) => {
    const running = await lockRunning(ctx, tx, slug);
    const now = await lockPromotion(ctx, tx, id);
    if (now.state !== 'waiting')
      throw conflict(`the promotion is no longer pending: it is ${now.state.replace('_', ' ')}`);
    if (running !== now.before)
      throw conflict('production changed since the promotion was requested; request it again');
    if (slug === '')
      await updateSettingsIn(ctx, tx, {
        ...readJudgeList(after),
        jury: [...readJudgeList(after).jury],
      });
    else
      await moveLabelIn(ctx, tx, defaults, {
        slug,
        label: 'production',
        version: Number(after),
        detail: { promotion: id },
      });
    return endPromotion(ctx, tx, now, { state: 'promoted', approvedBy: ctx.actor.label });
  });
}

/** The current version or judges, locked until `tx` ends. */
export async function lockRunning(ctx: ProjectCtx, tx: Database, slug: string): Promise<string> {
  if (slug === '') {
    await lockVersions(ctx, tx);
    return currentJudges(ctx, tx);
  }
  await lockPrompt(ctx, tx, slug);
  return String(await labelledVersion(ctx, tx, slug));
}

/** Requests made with an API key belong to the creator of the key. */
async function isOwn(
  { sql, projectId, actor }: ProjectCtx,
  { createdBy }: StoredPromotion,
): Promise<boolean> {
  if (createdBy === actor.label) return true;
  const rows = await sql<{ id: string }[]>`
    select id from api_keys where project_id = ${projectId} and 'key "' || name || '"' = ${createdBy} and created_by = ${actor.label} limit 1`;
  return rows.length > 0;
}
