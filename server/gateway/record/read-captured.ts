import type { GatewayRecord } from '../../domain';
import { costOf } from '../../llm';
import type { Ctx } from '../../platform';
import { prepareTurn, type PreparedTurn } from '../../traces';
import { dialectOf, readChunks } from '../dialects/dialects';
import type { Captured } from '../door/captured';
import type { ExchangeRequest, ReadAnswer } from '../exchange';
import { decodeContent } from './decode-content';
import type { OwingExchange } from './owe-exchange';
import type { CallRow } from './store-calls';
import { SESSION_CHARS, turnText } from './turn-text';

/** A call as it is stored. */
export interface ReadCall {
  readonly projectId: string;
  /** Null: the call left no turn, for it has no answer that somebody reads. */
  readonly turn: PreparedTurn | null;
  readonly owing: OwingExchange;
  readonly row: CallRow;
}

/**
 * Reads what was kept of a call. `giveWay` is called between its parts, each of which takes milliseconds for a large request.
 * @throws Error for what cannot be made a turn: the row of the call is then all there is
 */
export async function readCaptured(ctx: Pick<Ctx, 'clock' | 'log'>, captured: Captured, giveWay: () => Promise<void>): Promise<ReadCall> {
  const request = captured.request();
  const { route, told, settled } = captured;
  const answer = settled?.answer.read ?? (await readDelivered(request, captured));
  const text = settled?.plainText ?? answer?.text ?? '';
  const callsTools = (answer?.toolCalls.length ?? 0) > 0;
  const episode = settled?.episode ?? null;
  // A capture that was cut off has no end, whatever the answer had.
  const isPartial = captured.partial || (answer?.complete === false && !captured.truncated);
  const isTurn = answer !== null && (episode !== null || (text.trim() !== '' && !callsTools));
  const model = answer?.model ?? request.model;
  const row = rowOf(request, captured, { model, isPartial });
  const owing: OwingExchange = {
    route,
    told,
    hasEpisode: episode !== null,
    heldFigures: settled !== null && episodeless(settled.integrity !== null, episode !== null, told.verificationId),
    callsTools,
    isWhole: !isPartial && !captured.truncated,
    now: ctx.clock.now(),
  };
  await giveWay();
  const turn = isTurn ? await makeTurn(request, captured, { answer, text, model, isPartial }, giveWay) : null;
  return { projectId: route.project.id, turn, owing, row: { ...row, turnId: turn?.id ?? null } };
}

/** A verdict on the figures was told of: it has its fields, or an id that is no episode's. */
function episodeless(hasFields: boolean, hasEpisode: boolean, verificationId: string | null): boolean {
  return hasFields || (!hasEpisode && verificationId !== null);
}

async function readDelivered({ dialect }: ExchangeRequest, captured: Captured): Promise<ReadAnswer | null> {
  const chunks = await decodeContent(captured.chunks, captured.contentEncoding);
  return chunks === null ? null : readChunks(dialectOf(dialect), chunks, captured.form);
}

interface AnswerFacts {
  readonly answer: ReadAnswer;
  readonly text: string;
  readonly model: string | null;
  readonly isPartial: boolean;
}

async function makeTurn(
  request: ExchangeRequest,
  captured: Captured,
  { answer, text, model, isPartial }: AnswerFacts,
  giveWay: () => Promise<void>,
): Promise<PreparedTurn> {
  const { route, settled, startedOn } = captured;
  const { inputTokens, outputTokens } = answer;
  const hasTokens = model !== null && (inputTokens !== null || outputTokens !== null);
  const price = model === null ? null : (route.provider?.prices.get(model) ?? null);
  const read = dialectOf(request.dialect).readRequest(request.body);
  await giveWay();
  const payload = turnText({
    id: request.id,
    sessionId: request.sessionId,
    traceId: traceOf(request.headers),
    model,
    startedAt: startedOn,
    endedAt: new Date(startedOn.getTime() + captured.durationMs),
    request: read,
    output: text,
    envelope: settled?.envelope ?? null,
    repromptUsed: settled?.integrity?.integrity_reprompt_used ?? false,
    inputTokens,
    outputTokens,
    costUsd: hasTokens ? costOf(model, inputTokens ?? 0, outputTokens ?? 0, price) : null,
    metadata: { gateway_route: route.name, ...(request.clientRequestId === null ? {} : { request_id: request.clientRequestId }) },
    record: recordOf(request, captured, isPartial),
  });
  await giveWay();
  return prepareTurn(Buffer.from(payload), true, { now: startedOn, idSeed: null });
}

function recordOf(request: ExchangeRequest, captured: Captured, isPartial: boolean): GatewayRecord {
  const { told, settled } = captured;
  return {
    call_id: request.id,
    route: captured.route.name,
    dialect: request.dialect,
    stream: request.stream,
    status: captured.status,
    verdict: told.verdict,
    reason: told.reason,
    verification_id: told.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    first_byte_ms: captured.firstByteMs,
    duration_ms: captured.durationMs,
    held_ms: captured.heldMs,
    episode: settled?.episode ?? null,
    integrity: settled?.integrity ?? null,
  };
}

function rowOf(
  request: ExchangeRequest,
  captured: Captured,
  { model, isPartial }: { readonly model: string | null; readonly isPartial: boolean },
): CallRow {
  const { told, settled } = captured;
  return {
    projectId: captured.route.project.id,
    id: request.id,
    turnId: null,
    route: captured.route.name,
    sessionId: request.sessionId.slice(0, SESSION_CHARS),
    dialect: request.dialect,
    model,
    stream: request.stream,
    status: captured.status,
    verdict: told.verdict,
    reason: told.reason,
    verificationId: told.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    units: captured.units,
    counter: captured.counter,
    firstByteMs: captured.firstByteMs,
    durationMs: captured.durationMs,
    heldMs: captured.heldMs,
    episode: settled?.episode ?? null,
    integrity: settled?.integrity ?? null,
    createdAt: captured.startedOn,
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace that the caller says its request belongs to (W3C Trace Context). */
function traceOf(headers: readonly string[]): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() !== 'traceparent') continue;
    const id = TRACEPARENT.exec(headers[at + 1] ?? '')?.[1];
    return id === undefined || /^0+$/.test(id) ? null : id;
  }
  return null;
}
