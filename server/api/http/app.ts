import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { ProjectCtx } from '../../access';
import { WireTurn } from '../../domain';
import { type Ctx, newId, notFound, pingStorage, refused } from '../../platform';
import { changeSettings } from '../../experiments';
import type { PromptDefaults } from '../../prompts';
import { getBoxReport, isSlowLaneAway } from '../../queue';
import { answerOnce } from '../../ingest';
import {
  getIntegrityState,
  getVerdict,
  listPending,
  listVerdicts,
  loadJudging,
  loadVerdicts,
  requireVerifier,
  verificationReply,
  verifyNow,
} from '../../verdicts';
import { answerError } from './answer';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import { addContractRoutes } from './contracts';
import { addDecisionRoutes } from './decisions';
import { addDeletionRoutes } from './deletions';
import { addDestinationRoutes } from './destinations';
import { apiInfo, describeRoutes } from './description';
import { createDoor } from './create-door';
import { type Door, parse, parseParts, readJson } from './door';
import { readIdempotencyKey } from './idempotency';
import { addGatewayRoutes } from './gateway-routes';
import { addImportRoutes } from './import';
import { addInstallationMetrics } from './installation-metrics';
import { createIntake, type Intake, intakePaths } from './intake';
import { addJobRoutes } from './jobs';
import { addJudgeMetricRoutes } from './judge-metrics';
import { addMetricRoutes } from './metrics';
import { answerAwaiting } from './await-answer';
import { addMissionRoutes } from './missions';
import { addOutcomeRoutes } from './outcomes';
import { addOverrideRoutes } from './overrides';
import { addPromptRoutes } from './prompts';
import { addProviderRoutes } from './providers';
import { referencePage, referencePolicy } from './reference';
import { addReportRoutes } from './reports';
import { addRuleRoutes } from './rules';
import { SettingsBody, VerificationsQuery, VerifyOptions } from './schemas';
import { addThresholdRoutes } from './thresholds';
import { addTraceRoutes } from './traces';
import { addTrialRoutes } from './trials';
import { refuseUnknown } from './unknown';
import { addVerifierRoutes } from './verifiers';
import { addVerifySubjectRoutes } from './verify-subject';
import { webIncoming } from './web-incoming';

/**
 * The HTTP API; `edge` serves it under `/`, `web` under `/api`. Each handler names the scope that
 * it needs.
 */
export function createApp(
  deps: HttpDeps,
  basePath = '',
  intake: Intake = createIntake(deps),
): OpenAPIHono {
  const base = new OpenAPIHono();
  const app = basePath === '' ? base : base.basePath(basePath);
  const { ctx } = deps;
  base.use('*', noSniffing);

  const door = createDoor(deps, basePath);
  for (const [path, route] of intakePaths) {
    // Where all stands below /api already, a path that begins so is found there once.
    const below =
      basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    app.post(below, async (c) => {
      const { status, headers, body } = await intake(route, webIncoming(c.req.raw));
      return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
        status,
        headers,
      });
    });
  }
  app.post(
    '/v1/verify/integrity',
    door('verify', (c, project) => postVerifyIntegrity(deps, c, project)),
  );
  app.get('/v1/verifications', door('read', getVerifications));
  app.get(
    '/v1/verifications/:id',
    door('read', async (c, project) =>
      c.json(verificationReply(project, await getVerdict(project, c.req.param('id') ?? ''))),
    ),
  );
  addSettingsRoutes(app, door, deps);
  addRuleRoutes(app, door, deps);
  addContractRoutes(app, door);
  addDecisionRoutes(app, door);
  addDeletionRoutes(app, door, deps);
  addDestinationRoutes(app, door);
  addJobRoutes(app, door, deps);
  addImportRoutes(app, door);
  addMissionRoutes(app, door);
  addOutcomeRoutes(app, door);
  addMetricRoutes(app, door);
  addJudgeMetricRoutes(app, door);
  addOverrideRoutes(app, door);
  addThresholdRoutes(app, door);
  addPromptRoutes(app, door, deps);
  addTrialRoutes(app, door, deps);
  addProviderRoutes(app, door);
  addReportRoutes(app, door);
  addGatewayRoutes(app, door);
  addVerifierRoutes(app, door, deps);
  addVerifySubjectRoutes(app, door, deps);
  addTraceRoutes(app, door);
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
    app.use(path, async (c, next) => {
      await refuseUnknown(c, basePath);
      await next();
    });
  }
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', (c) => readiness(ctx, c));
  addInstallationMetrics(app, ctx);
  addDescription(app);
  app.notFound((c) => answerError(c, notFound('route'), newId('req', ctx.clock.now()), ctx.log));
  app.onError((error, c) => answerError(c, error, newId('req', ctx.clock.now()), ctx.log));
  return app;
}

/** Browsers take no answer for another type than it says. */
const noSniffing: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('x-content-type-options', 'nosniff');
};

function addDescription(app: OpenAPIHono): void {
  app.get('/docs', (c) =>
    c.html(referencePage(), 200, { 'content-security-policy': referencePolicy }),
  );
  app.doc31('/openapi.json', apiInfo);
  describeRoutes(app);
}

async function postVerifyIntegrity(
  deps: HttpDeps,
  c: Context,
  project: ProjectCtx,
): Promise<Response> {
  const { bytes, validUtf8 } = await readBody(webIncoming(c.req.raw));
  const key = readIdempotencyKey(webIncoming(c.req.raw));
  const { options } = parseParts(
    { options: VerifyOptions, turn: WireTurn },
    readJson(bytes),
    'body',
  );
  if (typeof options.threshold === 'number' && (options.threshold < 0 || options.threshold > 1)) {
    throw refused(`threshold: ${options.threshold} is out of range, 0 to 1`, [
      { path: 'threshold', message: 'must be 0 to 1' },
    ]);
  }
  if (options.verifier !== undefined) await requireVerifier(project, options.verifier, 'integrity');
  const answer = await answerOnce(project, key, '/v1/verify/integrity', bytes, async () => {
    const verdict = await verifyNow(project, deps.writer, {
      body: bytes,
      validUtf8,
      idempotencyKey: key,
      verifier: 'integrity',
      mode: options.mode,
      owner: deps.owner,
      signal: c.req.raw.signal,
    });
    return {
      status: verdict.state === 'settled' ? 200 : 202,
      body: verificationReply(project, verdict),
    };
  });
  return answerAwaiting(deps, c, project, answer, options.mode === 'sync' ? options.wait_ms : 0);
}

async function getVerifications(c: Context, project: ProjectCtx): Promise<Response> {
  const query = parse(VerificationsQuery, c.req.query(), 'query');
  const filters = {
    kind: query.kind,
    outcome: query.outcome === undefined ? undefined : [query.outcome],
    verifier: query.verifier,
    model: query.model,
    session: query.session_id,
    turn: query.turn_id,
    trace: query.trace_id,
    subject: query.subject_id,
    mission: query.mission_id,
    task: query.task_id,
    from: query.from,
    to: query.to,
    cursor: query.cursor,
    limit: query.limit,
  };
  if (query.state === 'pending') {
    const pending = await listPending(project, filters);
    return c.json({
      data: pending.items.map((each) => verificationReply(project, each)),
      next_cursor: pending.nextCursor,
    });
  }
  const page = await listVerdicts(project, filters);
  const verdicts = await loadVerdicts(
    project,
    page.items.map((row) => row.id),
  );
  return c.json({
    data: verdicts.map((verdict) => verificationReply(project, verdict)),
    next_cursor: page.nextCursor,
  });
}

function addSettingsRoutes(app: OpenAPIHono, door: Door, { prompts }: HttpDeps): void {
  app.get(
    '/v1/settings',
    door('read', async (c, project) => c.json(await settingsReply(project))),
  );
  app.put(
    '/v1/settings',
    door('write', (c, project) => putSettings(c, project, prompts)),
  );
}

async function putSettings(
  c: Context,
  project: ProjectCtx,
  prompts: PromptDefaults,
): Promise<Response> {
  const { bytes } = await readBody(webIncoming(c.req.raw));
  const body = parse(SettingsBody, readJson(bytes), 'body');
  const { promotion } = await changeSettings(project, prompts, {
    integrityEnabled: body.integrity_enabled,
    allowUserFigures: body.allow_user_figures,
    derivedCountsAsSourced: body.derived_counts_as_sourced,
    defaultJudge: body.default_judge,
    jury: body.jury,
    bypassBelowUsd: body.bypass_below_usd,
    costBudgetShare: body.cost_budget_share,
    retries: body.retries,
    neutralProof: body.neutral_proof,
    semanticJudge: body.semantic_judge,
    promotionGate: body.promotion_gate,
    force: body.force,
    reason: body.reason,
  });
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
    neutral_proof: judging.neutralProof,
    semantic_judge: judging.semanticJudge,
    promotion_gate: judging.promotionGate,
  };
}

/**
 * Ready means: it can store what it is sent. Liveness never depends on PostgreSQL, readiness does
 * (R-103).
 */
async function readiness(ctx: Ctx, c: Context): Promise<Response> {
  try {
    await pingStorage(ctx, 1000);
    // Told and not decisive: what is taken in is stored all the same.
    const queue = (await isSlowLaneAway(ctx)) ? 'away' : 'ok';
    const { state: box, level: boxLevel } = await getBoxReport(ctx);
    return c.json({
      status: 'ready',
      postgres: 'ok',
      queue,
      box,
      ...(boxLevel !== undefined && { box_level: boxLevel }),
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'not ready');
    return c.json({ status: 'not ready', postgres: 'away' }, 503, { 'retry-after': '1' });
  }
}
