import type { GatewayRecord, SourceSettings } from '../../domain';
import { costOf, type Price } from '../../llm';
import type { Ctx } from '../../platform';
import type { PreparedTurn } from '../../ingest';
import { dialectOf, readChunks } from '../dialects/dialects';
import { readWithSources } from '../dialects/named-sources';
import type { Captured } from '../proxy/captured';
import type { ExchangeRequest, ReadAnswer, Settled } from '../exchange';
import { decodeContent } from './decode-content';
import type { ExchangeFacts } from './plan-exchange';
import type { CallRow } from './store-calls';
import { SESSION_CHARS, turnOf } from './turn-text';

/** A call as it is stored. */
export interface ReadCall {
  readonly projectId: string;
  /** Null: the call left no turn, for it has no answer that someone reads. */
  readonly turn: PreparedTurn | null;
  readonly owing: ExchangeFacts;
  readonly row: CallRow;
}

/**
 * What was kept of a call in addition to its request: data alone, so that a thread can be sent it.
 */
export interface CallData extends Omit<Captured, 'route' | 'request' | 'unread' | 'settled'> {
  readonly projectId: string;
  readonly routeName: string;
  readonly prices: ReadonlyMap<string, Price>;
  readonly sources: SourceSettings;
  readonly settled:
    | (Pick<Settled, 'episode' | 'integrity' | 'plainText' | 'envelope'> & {
        readonly read: ReadAnswer;
      })
    | null;
}

/** A call as it reads. */
export interface ReadCallData {
  readonly turn: PreparedTurn | null;
  readonly row: CallRow;
  readonly callsTools: boolean;
}

type Request = Omit<ExchangeRequest, 'route'>;

/**
 * Reads what was kept of a call. `giveWay` is called between its parts, each of which takes
 * milliseconds for a large request.
 * @throws Error for what cannot be made a turn
 */
export async function readCaptured(
  ctx: Pick<Ctx, 'clock'>,
  captured: Captured,
  giveWay: () => Promise<void>,
): Promise<ReadCall> {
  return asCall(
    ctx,
    captured,
    await readCallData(captured.request(), callDataOf(captured), giveWay),
  );
}

export function callDataOf(captured: Captured): CallData {
  const { route, settled } = captured;
  return {
    projectId: route.project.id,
    routeName: route.name,
    prices: route.provider?.prices ?? noPrices,
    sources: route.settings.integrity.sources,
    requestBytes: captured.requestBytes,
    startedOn: captured.startedOn,
    status: captured.status,
    verification: captured.verification,
    chunks: captured.chunks,
    contentEncoding: captured.contentEncoding,
    form: captured.form,
    truncated: captured.truncated,
    partial: captured.partial,
    firstByteMs: captured.firstByteMs,
    durationMs: captured.durationMs,
    bufferedMs: captured.bufferedMs,
    units: captured.units,
    counter: captured.counter,
    settled: settled && {
      read: settled.answer.read,
      episode: settled.episode,
      integrity: settled.integrity,
      plainText: settled.plainText,
      envelope: settled.envelope,
    },
  };
}

const noPrices: ReadonlyMap<string, Price> = new Map();

/** Pure. @throws Error for what cannot be made a turn */
export async function readCallData(
  request: Request,
  data: CallData,
  giveWay: () => Promise<void>,
): Promise<ReadCallData> {
  const { settled } = data;
  const answer = settled?.read ?? (await readDelivered(request, data));
  const text = settled?.plainText ?? answer?.text ?? '';
  const callsTools = (answer?.toolCalls.length ?? 0) > 0;
  // A capture that was cut off has no end, whatever the answer had.
  const isPartial = data.partial || (answer?.complete === false && !data.truncated);
  const isTurn =
    answer !== null && (settled?.episode != null || (text.trim() !== '' && !callsTools));
  const model = answer?.model ?? request.model;
  await giveWay();
  const turn = isTurn
    ? await makeTurn(request, data, { answer, text, model, isPartial }, giveWay)
    : null;
  return {
    turn,
    row: rowOf(request, data, { turnId: turn?.id ?? null, model, isPartial }),
    callsTools,
  };
}

/** A call that was read, with what says which verdicts it is owed. */
export function asCall(
  { clock }: Pick<Ctx, 'clock'>,
  captured: Captured,
  { turn, row, callsTools }: ReadCallData,
): ReadCall {
  const { route, verification, settled } = captured;
  const hasEpisode = settled !== null && settled.episode !== null;
  const owing: ExchangeFacts = {
    route,
    verification,
    hasEpisode,
    figuresBuffered:
      settled !== null &&
      episodeless(settled.integrity !== null, hasEpisode, verification.verificationId),
    callsTools,
    isWhole: !row.partial && !row.truncated,
    now: clock.now(),
  };
  return { projectId: row.projectId, turn, owing, row };
}

/** A verdict on the figures was told of: it has its fields, or an id that is no episode's. */
function episodeless(
  hasFields: boolean,
  hasEpisode: boolean,
  verificationId: string | null,
): boolean {
  return hasFields || (!hasEpisode && verificationId !== null);
}

async function readDelivered({ dialect }: Request, captured: CallData): Promise<ReadAnswer | null> {
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
  request: Request,
  captured: CallData,
  { answer, text, model, isPartial }: AnswerFacts,
  giveWay: () => Promise<void>,
): Promise<PreparedTurn> {
  const { settled, startedOn, prices, routeName } = captured;
  const { inputTokens, outputTokens } = answer;
  const hasTokens = model !== null && (inputTokens !== null || outputTokens !== null);
  const price = model === null ? null : (prices.get(model) ?? null);
  const read = readWithSources(dialectOf(request.dialect), request.body, captured.sources);
  await giveWay();
  return turnOf({
    id: request.id,
    sessionId: request.sessionId,
    traceId: traceOf(request.headers),
    model,
    startedAt: startedOn.toISOString(),
    endedAt: new Date(startedOn.getTime() + captured.durationMs).toISOString(),
    request: read,
    output: text,
    envelope: settled?.envelope ?? null,
    repromptUsed: settled?.integrity?.integrity_reprompt_used ?? false,
    inputTokens,
    outputTokens,
    costUsd: hasTokens ? costOf(model, inputTokens ?? 0, outputTokens ?? 0, price) : null,
    metadata: {
      gateway_route: routeName,
      ...(request.clientRequestId === null ? {} : { request_id: request.clientRequestId }),
    },
    record: recordOf(request, captured, isPartial),
  });
}

function recordOf(request: Request, captured: CallData, isPartial: boolean): GatewayRecord {
  const { verification, settled } = captured;
  return {
    call_id: request.id,
    route: captured.routeName,
    dialect: request.dialect,
    stream: request.stream,
    status: captured.status,
    verdict: verification.verdict,
    reason: verification.reason,
    verification_id: verification.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    first_byte_ms: captured.firstByteMs,
    duration_ms: captured.durationMs,
    held_ms: captured.bufferedMs,
    episode: settled?.episode ?? null,
    integrity: settled?.integrity ?? null,
  };
}

function rowOf(
  request: Request,
  captured: CallData,
  { turnId, model, isPartial }: Pick<CallRow, 'turnId' | 'model'> & { readonly isPartial: boolean },
): CallRow {
  const { verification, settled } = captured;
  return {
    projectId: captured.projectId,
    id: request.id,
    turnId,
    route: captured.routeName,
    sessionId: request.sessionId.slice(0, SESSION_CHARS),
    dialect: request.dialect,
    model,
    stream: request.stream,
    status: captured.status,
    verdict: verification.verdict,
    reason: verification.reason,
    verificationId: verification.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    units: captured.units,
    counter: captured.counter,
    firstByteMs: captured.firstByteMs,
    durationMs: captured.durationMs,
    bufferedMs: captured.bufferedMs,
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
