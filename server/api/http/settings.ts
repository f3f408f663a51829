import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { changeSettings } from '../../experiments';
import { getIntegrityState, loadJudging, loadMasking } from '../../verdicts';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import { parse, readJsonBody } from './request-input';
import type { Route } from './route';
import { SettingsBody, SettingsReply } from './schemas';
import { webIncoming } from './web-incoming';

export const settingRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/settings',
    scope: 'read',
    summary: 'The project settings',
    answers: { 200: SettingsReply },
    handle: async (c, project) => c.json(await settingsReply(project)),
  },
  {
    method: 'put',
    path: '/v1/settings',
    scope: 'write',
    summary: 'Change project settings',
    body: SettingsBody,
    answers: { 200: SettingsReply },
    handle: putSettings,
  },
];

async function putSettings(
  c: Context,
  project: ProjectCtx,
  { prompts, masks }: HttpDeps,
): Promise<Response> {
  const { bytes } = await readBody(webIncoming(c.req.raw));
  const body = parse(SettingsBody, readJsonBody(bytes), 'body');
  const { promotion } = await changeSettings(project, prompts, {
    integrityEnabled: body.integrity_enabled,
    allowUserFigures: body.allow_user_figures,
    derivedCountsAsSourced: body.derived_counts_as_sourced,
    defaultJudge: body.default_judge,
    jury: body.jury,
    bypassBelowUsd: body.bypass_below_usd,
    costBudgetShare: body.cost_budget_share,
    retries: body.retries,
    sessionIdleSeconds: body.session_idle_seconds,
    neutralProof: body.neutral_proof,
    semanticJudge: body.semantic_judge,
    promotionGate: body.promotion_gate,
    masking: body.masking,
    force: body.force,
    reason: body.reason,
  });
  masks.forget(project.projectId);
  return c.json({
    ...(await settingsReply(project)),
    ...(promotion?.state === 'waiting' && { waiting_promotion: promotion.id }),
  });
}

async function settingsReply(project: ProjectCtx): Promise<Record<string, unknown>> {
  const state = await getIntegrityState(project);
  const judging = await loadJudging(project, project.projectId, 'task');
  return {
    integrity_enabled: state.state === 'on',
    integrity_off_by: state.offBy,
    allow_user_figures: state.allowUserFigures,
    derived_counts_as_sourced: state.derivedCountsAsSourced,
    default_judge: judging.defaultJudge,
    jury: judging.jury,
    bypass_below_usd: judging.bypassBelowUsd,
    cost_budget_share: judging.costBudgetShare,
    retries: judging.retries,
    session_idle_seconds: judging.sessionIdleSeconds,
    neutral_proof: judging.neutralProof,
    semantic_judge: judging.semanticJudge,
    promotion_gate: judging.promotionGate,
    masking: await loadMasking(project, project.projectId),
  };
}
