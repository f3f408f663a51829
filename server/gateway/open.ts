import type { IncomingMessage, ServerResponse } from 'node:http';
import { createModelConnections } from '../llm';
import type { MaskBook } from '../masking';
import { type Ctx, dataHeaders, outboundPolicy } from '../platform';
import type { Pool } from '../pool';
import type { PromptDefaults } from '../prompts';
import { createPooledWriter, type PlanTurns, type TurnWriter } from '../ingest';
import { createBreakers } from './proxy/breakers';
import { createBodies } from './proxy/bodies';
import { createDeferredNotes } from './verify/deferred-notes';
import { createGateway } from './proxy/gateway';
import { createForward } from './proxy/forward';
import { pickPrompts } from './verify/deps';
import { createFigureScan } from './verify/figure-scan';
import { createPrepareCall, mayPrepare } from './verify/prepare-call';
import { retryDelaysMs, waitByTimer } from './verify/retry-transient';
import { createFinishAnswer } from './verify/finish-answer';
import { createShapeRefusals } from './verify/shape-refusals';
import { createJudge } from './verify/judge';
import { createRecorder } from './record/recorder';
import { createSnapshot } from './routes/snapshot';
import { type StartThread, threadOf } from './thread';
import { createTurns } from './verify/turns';
import { createTurnVerifier } from './verify/turn-verifier';

/** Dependencies of the gateway, from the process's runtime. */
export interface GatewayDeps {
  readonly ctx: Ctx;
  readonly writer: TurnWriter;
  readonly pool: Pool | null;
  readonly rules: { readonly planTurns: PlanTurns };
  readonly masks: Pick<MaskBook, 'note'>;
  readonly prompts: PromptDefaults;
}

export interface OpenGateway {
  /** Handles requests to `/gateway/…`; false for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Calls in progress. */
  readonly open: number;
  /** Resolves once no call is open. */
  drain(): Promise<void>;
  /** Stores pending records within seconds and releases all resources. Call `drain` first. */
  close(): Promise<void>;
}

const keepAliveMs = 10_000;
const readiness = /^\/gateway\/readyz(?:\?|$)/;

/**
 * Creates the gateway of one process. Resolves as soon as calls can be served, within about a
 * second, even if dependencies are unavailable. `moduleUrl`: the URL of the process's own
 * file, which is next to the file of its threads (`threadOf`).
 */
export async function openGateway(
  { ctx, writer, pool, rules, masks, prompts }: GatewayDeps,
  moduleUrl: string,
): Promise<OpenGateway> {
  const { env, clock, log } = ctx;
  const { replica, dataDir: dir } = env;
  const snapshot = await createSnapshot(ctx, { dir, replica, prompts });
  const turns = createTurns(ctx, { dir, replica });
  const breakers = createBreakers(ctx, { replica });
  const startThread = findThread(ctx, moduleUrl);
  const bodies = createBodies(ctx, startThread);
  const figures = createFigureScan(ctx, startThread);
  const recorder = createRecorder({
    ctx,
    writer: createPooledWriter(writer, pool),
    planVerifications: rules.planTurns,
    noteMasked: (projectId, masked) => masks.note(projectId, masked),
    turns,
    startThread,
  });
  const forward = createForward(outboundPolicy(env));
  const connections = createModelConnections(outboundPolicy(env));
  const deferred = createDeferredNotes();
  const shapes = createShapeRefusals();
  const promptsOf = (projectId: string) => pickPrompts(snapshot.promptsOf(projectId));
  const gateway = createGateway({
    snapshot,
    turns,
    breakers,
    finishAnswer: createFinishAnswer({
      clock,
      log,
      random: Math.random,
      wait: waitByTimer,
      callUpstream: (request) => forward.callUpstream(request),
      promptsOf,
      turns,
      breakers,
      judge: createJudge(ctx, connections, (call) => recorder.recordVerifierCall(call)),
      deferred,
      bodies,
      scan: figures.scan,
      turnVerifier: createTurnVerifier(ctx, () => snapshot.postgres() === 'away'),
    }),
    recorder,
    bodies,
    mayPrepare,
    prepare: createPrepareCall({
      bodies,
      deferred,
      promptsOf,
      readAhead: figures.readAhead,
      shapes,
    }),
    shapes,
    forward,
    clock,
    log,
    retryDelaysMs,
    keepAliveMs,
  });

  const parts = [turns, breakers, snapshot, bodies, forward, connections];
  return serveCalls(gateway, snapshot, async () => {
    await recorder.drain();
    await Promise.allSettled(parts.map((part) => part.close()));
  });
}

function findThread({ log }: Pick<Ctx, 'log'>, moduleUrl: string): StartThread | null {
  const startThread = threadOf(moduleUrl);
  if (startThread === null)
    log.warn(
      'the file of the gateway’s threads is not built: large calls are parsed on the event loop',
    );
  return startThread;
}

/** Routes calls to `gateway` and answers readiness from the snapshot. */
function serveCalls(
  gateway: ReturnType<typeof createGateway>,
  snapshot: Awaited<ReturnType<typeof createSnapshot>>,
  close: () => Promise<void>,
): OpenGateway {
  return {
    handle(request, response) {
      if (!readiness.test(request.url ?? '')) return gateway.handle(request, response);
      answerReadiness(response, { postgres: snapshot.postgres(), ageMs: snapshot.age() });
      return true;
    },
    get open() {
      return gateway.open;
    },
    drain: () => gateway.drain(),
    close,
  };
}

/**
 * Ready if calls can be forwarded, with or without PostgreSQL: keys and routes must have been
 * loaded once.
 */
function answerReadiness(
  response: ServerResponse,
  { postgres, ageMs }: { readonly postgres: 'ok' | 'away'; readonly ageMs: number },
): void {
  const ready = Number.isFinite(ageMs);
  const body = JSON.stringify({
    status: ready ? 'ready' : 'not ready',
    postgres,
    snapshot_age_ms: ready ? Math.round(ageMs) : null,
  });
  const headers = {
    'content-type': 'application/json',
    ...dataHeaders,
    'content-length': Buffer.byteLength(body),
  };
  response.writeHead(ready ? 200 : 503, ready ? headers : { ...headers, 'retry-after': '1' });
  response.end(body);
}
