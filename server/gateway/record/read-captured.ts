import type { GatewayRecord, SourceSettings } from '../../domain';
import type { Price } from '../../llm';
import { createMasker, maskJson, type MaskedCounts, type MaskRules } from '../../masking';
import type { Ctx } from '../../platform';
import type { PreparedTurn } from '../../ingest';
import { dialectOf, readChunks } from '../dialects/dialects';
import { readWithSources } from '../dialects/named-sources';
import type { Captured } from '../proxy/captured';
import type {
  ExchangeRequest,
  ParsedAnswer,
  FinishedAnswer,
  VerificationHeaders,
} from '../exchange';
import { decodeContent } from './decode-content';
import { type AnsweredExchange, traceOf, turnFactsOf } from './exchange-turn';
import type { ExchangeFacts } from './plan-verifications';
import type { NewCallRow } from './store-calls';
import { maskedModel, SESSION_CHARS, turnOf } from './turn-text';

/** A call, ready to store. */
export interface ReadCall {
  readonly projectId: string;
  /** Null if the call has no turn, since it has no final answer. */
  readonly turn: PreparedTurn | null;
  readonly exchange: ExchangeFacts;
  readonly row: NewCallRow;
  readonly toolFollowup: boolean;
  readonly masked: MaskedCounts;
}

/** The captured facts of a call without its request; plain data that can be sent to a thread. */
export interface CapturedCall extends Omit<Captured, 'route' | 'request' | 'unread' | 'finished'> {
  readonly projectId: string;
  readonly routeName: string;
  readonly prices: ReadonlyMap<string, Price>;
  readonly sources: SourceSettings;
  readonly masks: MaskRules | null;
  readonly finished:
    | (Pick<FinishedAnswer, 'episode' | 'integrity' | 'routed' | 'plainText' | 'envelope'> & {
        readonly read: ParsedAnswer;
      })
    | null;
}

export interface ReadCapturedCall {
  readonly turn: PreparedTurn | null;
  readonly row: NewCallRow;
  readonly callsTools: boolean;
  readonly toolFollowup: boolean;
  readonly masked: MaskedCounts;
}

type Request = Omit<ExchangeRequest, 'route'>;

/**
 * Parses a captured call. `yieldToCalls` is called between steps, each of which takes milliseconds
 * for a large request.
 * @throws Error if it cannot become a turn
 */
export async function readCaptured(
  ctx: Pick<Ctx, 'clock'>,
  captured: Captured,
  yieldToCalls: () => Promise<void>,
): Promise<ReadCall> {
  return asCapturedCall(
    ctx,
    captured,
    await readCapturedCall(captured.request(), toCapturedCall(captured), yieldToCalls),
  );
}

export function toCapturedCall(captured: Captured): CapturedCall {
  const { route, finished } = captured;
  return {
    projectId: route.project.id,
    routeName: route.name,
    prices: route.provider?.prices ?? noPrices,
    sources: route.settings.integrity.sources,
    masks: route.project.masks,
    requestBytes: captured.requestBytes,
    startedOn: captured.startedOn,
    status: captured.status,
    outcome: captured.outcome,
    chunks: captured.chunks,
    contentEncoding: captured.contentEncoding,
    form: captured.form,
    truncated: captured.truncated,
    partial: captured.partial,
    firstByteMs: captured.firstByteMs,
    durationMs: captured.durationMs,
    deliveryDelayMs: captured.deliveryDelayMs,
    units: captured.units,
    counter: captured.counter,
    finished: finished && {
      read: finished.answer.read,
      episode: finished.episode,
      integrity: finished.integrity,
      routed: finished.routed ?? null,
      plainText: finished.plainText,
      envelope: finished.envelope,
    },
  };
}

const noPrices: ReadonlyMap<string, Price> = new Map();

/** Pure. @throws Error if it cannot become a turn */
export async function readCapturedCall(
  request: Request,
  call: CapturedCall,
  yieldToCalls: () => Promise<void>,
): Promise<ReadCapturedCall> {
  const { finished } = call;
  const answer = finished?.read ?? (await readDelivered(request, call));
  const text = finished?.plainText ?? answer?.text ?? '';
  const callsTools = (answer?.toolCalls.length ?? 0) > 0;
  // A truncated capture has no end, even if the answer had one.
  const isPartial = call.partial || (answer?.complete === false && !call.truncated);
  const isTurn =
    answer !== null && (finished?.episode != null || (text.trim() !== '' && !callsTools));
  const model = answer?.model ?? request.model;
  await yieldToCalls();
  const made = isTurn
    ? await makeTurn(request, call, { answer, text, model, isPartial }, yieldToCalls)
    : null;
  return {
    turn: made?.turn ?? null,
    row: maskRow(
      call.masks,
      rowOf(request, call, {
        turnId: made?.turn.id ?? null,
        model,
        isPartial,
        ...tokensOf(answer),
      }),
    ),
    callsTools,
    toolFollowup: request.toolFollowup,
    masked: made?.masked ?? [],
  };
}

/** The call with the facts that decide its verifications. */
export function asCapturedCall(
  { clock }: Pick<Ctx, 'clock'>,
  captured: Captured,
  { turn, row, callsTools, toolFollowup, masked }: ReadCapturedCall,
): ReadCall {
  const { route, outcome, finished } = captured;
  const hasEpisode = finished !== null && finished.episode !== null;
  const byRoute = byRouteOf(finished);
  const exchange: ExchangeFacts = {
    route,
    outcome,
    hasEpisode,
    checkedFigures:
      finished !== null &&
      episodeless(finished.integrity !== null, hasEpisode || byRoute?.verdictId != null, outcome),
    byRoute,
    callsTools,
    isWhole: !row.partial && !row.truncated,
    now: clock.now(),
  };
  return { projectId: row.projectId, turn, exchange, row, toolFollowup, masked };
}

function byRouteOf(finished: FinishedAnswer | null): ExchangeFacts['byRoute'] {
  if (finished?.routed == null) return null;
  const { verification, isOpen } = finished.routed;
  return { verdictId: verification.verdict_id, isOpen };
}

/** The client received a verdict on the figures: integrity fields, or an id of no other verdict. */
function episodeless(
  hasFields: boolean,
  isOfOther: boolean,
  { verificationId }: VerificationHeaders,
): boolean {
  return hasFields || (!isOfOther && verificationId !== null);
}

async function readDelivered(
  { dialect }: Request,
  captured: CapturedCall,
): Promise<ParsedAnswer | null> {
  const chunks = await decodeContent(captured.chunks, captured.contentEncoding);
  return chunks === null ? null : readChunks(dialectOf(dialect), chunks, captured.form);
}

interface AnswerFacts {
  readonly answer: ParsedAnswer;
  readonly text: string;
  readonly model: string | null;
  readonly isPartial: boolean;
}

async function makeTurn(
  request: Request,
  captured: CapturedCall,
  { answer, text, model, isPartial }: AnswerFacts,
  yieldToCalls: () => Promise<void>,
): Promise<{ readonly turn: PreparedTurn; readonly masked: MaskedCounts }> {
  const { finished, startedOn, durationMs, prices, routeName, sources, masks } = captured;
  const read = readWithSources(dialectOf(request.dialect), request.body, sources);
  await yieldToCalls();
  const exchange: AnsweredExchange = {
    request,
    traceId: traceOf(request.headers),
    routeName,
    prices,
    sources,
    masks,
    model,
    startedOn,
    durationMs,
    tokens: answer,
    text,
    envelope: finished?.envelope ?? null,
    repromptUsed: finished?.integrity?.integrity_reprompt_used ?? false,
    record: recordOf(request, captured, isPartial),
  };
  const facts = turnFactsOf(exchange, read);
  return { turn: turnOf(facts), masked: [...(facts.masker?.counts ?? [])] };
}

function recordOf(request: Request, captured: CapturedCall, isPartial: boolean): GatewayRecord {
  const { outcome, finished } = captured;
  return {
    call_id: request.id,
    route: captured.routeName,
    dialect: request.dialect,
    stream: request.stream,
    status: captured.status,
    verdict: outcome.verdict,
    reason: outcome.reason,
    verification_id: outcome.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    first_byte_ms: captured.firstByteMs,
    duration_ms: captured.durationMs,
    held_ms: captured.deliveryDelayMs,
    episode: finished?.episode ?? null,
    integrity: finished?.integrity ?? null,
    verification: finished?.routed?.verification ?? null,
  };
}

/** Paths name members of turns, so they do not apply to the row of a call. */
function maskRow(masks: MaskRules | null, row: NewCallRow): NewCallRow {
  if (masks === null) return row;
  const masker = createMasker(masks);
  const masked = <T>(value: T): T =>
    JSON.parse(
      maskJson(Buffer.from(JSON.stringify(value)), { masker, states: [] }).toString(),
    ) as T;
  return {
    ...row,
    model: maskedModel(masker, row.model),
    episode: row.episode === null ? null : masked(row.episode),
    integrity: row.integrity === null ? null : masked(row.integrity),
  };
}

function tokensOf(answer: ParsedAnswer | null): Pick<NewCallRow, 'inputTokens' | 'outputTokens'> {
  return { inputTokens: answer?.inputTokens ?? null, outputTokens: answer?.outputTokens ?? null };
}

function rowOf(
  request: Request,
  captured: CapturedCall,
  {
    isPartial,
    ...known
  }: Pick<NewCallRow, 'turnId' | 'model' | 'inputTokens' | 'outputTokens'> & {
    readonly isPartial: boolean;
  },
): NewCallRow {
  const { outcome, finished } = captured;
  return {
    projectId: captured.projectId,
    id: request.id,
    ...known,
    route: captured.routeName,
    sessionId: request.sessionId.slice(0, SESSION_CHARS),
    dialect: request.dialect,
    stream: request.stream,
    status: captured.status,
    verdict: outcome.verdict,
    reason: outcome.reason,
    verificationId: outcome.verificationId,
    truncated: captured.truncated,
    partial: isPartial,
    units: captured.units,
    counter: captured.counter,
    firstByteMs: captured.firstByteMs,
    durationMs: captured.durationMs,
    deliveryDelayMs: captured.deliveryDelayMs,
    episode: finished?.episode ?? null,
    integrity: finished?.integrity ?? null,
    createdAt: captured.startedOn,
  };
}
