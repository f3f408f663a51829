import {
  type GatewayRecord,
  type ModelUsage,
  skipSpace,
  skipValue,
  type WireTurn,
} from '../../domain';
import { inputExcerptOf, type PreparedTurn, writtenTurn } from '../../ingest';
import { maskJson, type Masker, maskMember, startPaths } from '../../masking';
import type { ReadRequest, SpokenTool } from '../dialects/dialect';

/** An exchange as a turn: the question, the model's context and the delivered answer. */
export interface TurnFacts {
  /** The id of the call. */
  readonly id: string;
  readonly sessionId: string;
  readonly traceId: string | null;
  readonly model: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Null if it could not be parsed, and the turn has neither input nor sources. */
  readonly request: ReadRequest | null;
  /** The delivered text, without marks and footer. */
  readonly output: string;
  /** The envelope as the model sent it. */
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
  /** The usage of the call, at most one entry; its cost only at a price of the route's provider. */
  readonly usage: readonly ModelUsage[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly record: GatewayRecord | null;
  /** Null if masking is off. */
  readonly masker: Masker | null;
}

/** Length limit of session names, the same for calls and turns. */
export const SESSION_CHARS = 200;
const ID_CHARS = 200;
const MODEL_CHARS = 300;
const TOOL_NAME_CHARS = 500;
/** Turns may nest 64 levels. Only tool results nest deeply: beyond this depth they become text. */
const TOOL_DEPTH_MAX = 56;

/** The turn, ready to store. */
export function turnOf(facts: TurnFacts): PreparedTurn {
  const { id, sessionId, traceId, model, startedAt, endedAt, request, output, envelope, metadata } =
    facts;
  const text = turnText(facts);
  const masked = facts.masker === null ? null : (JSON.parse(text) as WireTurn);
  return writtenTurn(
    {
      id,
      sessionId: sessionId.slice(0, SESSION_CHARS) || null,
      traceId,
      source: TURN_SOURCE,
      model: maskedModel(facts.masker, model),
      startedAt,
      endedAt,
      answerChars: Math.max(output.length, envelope?.length ?? 0),
      hasSources: request !== null && request.tools.length + (request.context?.length ?? 0) > 0,
      inputExcerpt: inputExcerptOf(masked === null ? request?.messages : masked.input),
      metadata: masked === null ? metadata : (masked.metadata ?? {}),
      usage: facts.usage.map((each) => ({
        ...each,
        model: maskedModel(facts.masker, each.model),
      })),
    },
    text,
  );
}

/** The source of turns that the gateway stores. */
export const TURN_SOURCE = 'gateway';

/**
 * The JSON of a turn as `POST /v1/turns` accepts it, masked. Tool arguments and results keep their
 * exact digits, since the answer's figures are traced to them.
 */
export function turnText(facts: TurnFacts): string {
  const { masker, id, record } = facts;
  const text = plainText(facts);
  if (masker === null) return text;
  // Assay's own ids stay: others refer to them.
  const ownIds = new Set([id, record?.verification_id]);
  const states = startPaths(masker.rules.paths);
  const bytes = Buffer.from(text);
  const isKept = (_member: string, value: string): boolean => ownIds.has(value);
  const masked = maskJson(bytes, { masker, states, isKept });
  return masked === bytes ? text : masked.toString('utf8');
}

/** The name of a model as stored. */
export function maskedModel(masker: Masker | null, model: string | null): string | null {
  const name = model?.slice(0, MODEL_CHARS) ?? null;
  return name === null || masker === null ? name : maskMember(masker, 'model', name);
}

function plainText(facts: TurnFacts): string {
  const { request, usage } = facts;
  const front = JSON.stringify({
    id: facts.id,
    session_id: facts.sessionId.slice(0, SESSION_CHARS) || undefined,
    trace_id: facts.traceId ?? undefined,
    source: TURN_SOURCE,
    model: facts.model?.slice(0, MODEL_CHARS),
    started_at: facts.startedAt,
    ended_at: facts.endedAt,
    input: request?.messages,
  });
  const tools =
    request === null || request.tools.length === 0
      ? ''
      : `"tools":[${request.tools.map(toolText).join(',')}],`;
  const blocks = request?.context ?? [];
  const context = blocks.length === 0 ? '' : `"context":[${blocks.map(contextText).join(',')}],`;
  const back = JSON.stringify({
    output: facts.output,
    envelope: facts.envelope ?? undefined,
    reprompt_used: facts.repromptUsed || undefined,
    cost_usd: usage[0]?.costUsd ?? undefined,
    tokens: usage.map(wireTokens)[0],
    metadata: facts.metadata,
    gateway: facts.record ?? undefined,
  });
  return `${front.slice(0, -1)},${tools}${context}${back.slice(1)}`;
}

const wireTokens = (tokens: ModelUsage) => ({
  input: tokens.input,
  output: tokens.output,
  cache_read: tokens.cacheRead ?? undefined,
  cache_write: tokens.cacheWrite ?? undefined,
  reasoning: tokens.reasoning ?? undefined,
});

function text(value: string | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function contextText({ id, text: block }: { readonly id: string; readonly text: string }): string {
  return `{"id":${JSON.stringify(id.slice(0, ID_CHARS))},"content":${jsonPart(block) ?? '""'}}`;
}

function toolText(tool: SpokenTool, at: number): string {
  const members: [string, string | null][] = [
    ['id', text(tool.id.slice(0, ID_CHARS) || `tools[${at}]`)],
    ['name', text(tool.name.slice(0, TOOL_NAME_CHARS))],
    ['arguments', jsonPart(tool.arguments)],
    ['result', jsonPart(tool.result)],
  ];
  return `{${members.flatMap(([name, value]) => (value === null ? [] : [`"${name}":${value}`])).join(',')}}`;
}

/** Valid JSON unchanged; anything else, and deeper nesting, as a string. */
function jsonPart(sent: string | null): string | null {
  if (sent === null) return null;
  try {
    JSON.parse(sent);
    return skipValue(sent, skipSpace(sent, 0)).depth <= TOOL_DEPTH_MAX
      ? sent
      : JSON.stringify(sent);
  } catch {
    return JSON.stringify(sent);
  }
}
