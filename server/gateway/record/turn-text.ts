import { type GatewayRecord, skipSpace, skipValue } from '../../domain';
import type { ReadRequest, SpokenTool } from '../dialects/dialect';

/** An exchange as a turn: what was asked, what the model had, and the answer that was delivered. */
export interface TurnFacts {
  /** The call's. */
  readonly id: string;
  readonly sessionId: string;
  readonly traceId: string | null;
  readonly model: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Null: it could not be read, and the turn has neither input nor sources. */
  readonly request: ReadRequest | null;
  /** The delivered text, without marks and footer. */
  readonly output: string;
  /** The envelope as the model sent it. */
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly record: GatewayRecord | null;
}

/** Of a session's name; the rows of its calls and turns have the same. */
export const SESSION_CHARS = 200;
const ID_CHARS = 200;
const MODEL_CHARS = 300;
const TOOL_NAME_CHARS = 500;
/** Of a message's own parts nothing nests; what a tool sent may, and a turn takes 64: what is deeper goes in as text. */
const TOOL_DEPTH_MAX = 56;

/**
 * The JSON text of a turn as `POST /v1/turns` takes it. Arguments and results of tools stand in it as they were sent, digit by digit:
 * they are the sources that the answer's figures are traced to.
 */
export function turnText(facts: TurnFacts): string {
  const { request } = facts;
  const members: [string, string | null][] = [
    ['id', text(facts.id)],
    ['session_id', text(facts.sessionId.slice(0, SESSION_CHARS) || null)],
    ['trace_id', text(facts.traceId)],
    ['source', text('gateway')],
    ['model', text(facts.model?.slice(0, MODEL_CHARS) ?? null)],
    ['started_at', text(facts.startedAt.toISOString())],
    ['ended_at', text(facts.endedAt.toISOString())],
    ['input', request === null ? null : `[${request.messages.map((message) => JSON.stringify(message)).join(',')}]`],
    ['tools', request === null || request.tools.length === 0 ? null : `[${request.tools.map(toolText).join(',')}]`],
    ['output', text(facts.output)],
    ['envelope', text(facts.envelope)],
    ['reprompt_used', facts.repromptUsed ? 'true' : null],
    ['cost_usd', facts.costUsd === null ? null : JSON.stringify(facts.costUsd)],
    ['tokens', tokensText(facts)],
    ['metadata', JSON.stringify(facts.metadata)],
    ['gateway', facts.record === null ? null : JSON.stringify(facts.record)],
  ];
  return `{${members.flatMap(([name, value]) => (value === null ? [] : [`"${name}":${value}`])).join(',')}}`;
}

function text(value: string | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function tokensText({ inputTokens, outputTokens }: TurnFacts): string | null {
  return inputTokens === null && outputTokens === null ? null : JSON.stringify({ input: inputTokens, output: outputTokens });
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

/** JSON text as it is; what is none, or nests too deep, as a string of it. */
function jsonPart(sent: string | null): string | null {
  if (sent === null) return null;
  try {
    JSON.parse(sent);
    return skipValue(sent, skipSpace(sent, 0)).depth <= TOOL_DEPTH_MAX ? sent : JSON.stringify(sent);
  } catch {
    return JSON.stringify(sent);
  }
}
