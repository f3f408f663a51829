import {
  jsonAsText,
  sliceItems,
  sliceMembers,
  subjectInput,
  type SubjectFile,
  type SubjectInput,
  type SubjectOf,
  type SubjectTool,
  type SubjectVerdict,
  type TurnContent,
} from '../../domain';
import { readFileEdits } from './file-edits';
import { isObject, parseJson, structuredValue, textAt, valueOf } from './json-value';

/** A stored turn, as `loadTurns` of `server/ingest` returns it, and its related data. */
export interface ReadTurn {
  readonly id: string;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly content: TurnContent;
  /**
   * The stored JSON text. It has the members that `content` omits: files, reference, cost, tokens,
   * errors and times of tools, calls within messages. Without it they are missing from the subject.
   */
  readonly payload?: string;
  /** US dollars, sent or computed; without it, as the payload has it. */
  readonly costUsd?: number | null;
  readonly missionId?: string | null;
  readonly verdicts?: Readonly<Record<string, SubjectVerdict>>;
}

/** Metadata key under which clients without a member for a mission or a task send its id. */
const ASSAY = 'assay';

export function fromTurn(turn: ReadTurn): SubjectOf<'turn'> {
  const { content } = turn;
  const sent = readPayload(turn.payload);
  const metadata = parseJson(content.metadata);
  const assay = isObject(metadata) ? metadata[ASSAY] : null;
  const tools = content.tools.map((tool, at): SubjectTool => toolOf(tool, sent.tools[at]));
  const tokens = sent.value('tokens');
  const input = inputOf(content, sent);
  const files = filesOf(sent.value('files'));
  return {
    target: 'turn',
    id: turn.id,
    input,
    output: content.answer,
    tools,
    context: content.context.map(({ id, content: text, format }) => ({
      id,
      content: format === 'json' ? valueOf(text) : text,
    })),
    files:
      files.length > 0
        ? files
        : [...readFileEdits({ tools, output: content.answer, messages: input.messages }).files],
    reference: sent.value('reference') ?? null,
    model: turn.model,
    source: turn.source,
    session_id: turn.sessionId,
    trace_id: turn.traceId,
    mission_id: turn.missionId ?? textAt(assay, 'mission.id'),
    tags: [...content.tags],
    metadata: isObject(metadata) ? metadata : {},
    cost_usd: turn.costUsd ?? amountOf(sent.value('cost_usd')),
    tokens: {
      input: isObject(tokens) ? amountOf(tokens.input) : null,
      output: isObject(tokens) ? amountOf(tokens.output) : null,
    },
    latency_ms: content.gateway?.duration_ms ?? msBetween(turn.startedAt, turn.endedAt),
    steps: [],
    verdicts: { ...turn.verdicts },
  };
}

interface SentPayload {
  value(name: string): unknown;
  readonly tools: readonly unknown[];
}

const nothingSent: SentPayload = { value: () => undefined, tools: [] };

function readPayload(payload: string | undefined): SentPayload {
  if (payload === undefined) return nothingSent;
  const members = sliceMembers(payload);
  const tools = members.get('tools');
  return {
    value(name) {
      const slice = members.get(name);
      return slice === undefined ? undefined : parseJson(payload.slice(slice.start, slice.end));
    },
    // Arguments and results come from the content: only the members that it omits are read here.
    tools:
      tools === undefined
        ? []
        : sliceItems(payload, tools.start).map(({ start }) => {
            const own = sliceMembers(payload, start);
            return Object.fromEntries(
              ['error', 'is_error', 'started_at', 'duration_ms'].flatMap((name) => {
                const slice = own.get(name);
                return slice === undefined
                  ? []
                  : [[name, parseJson(payload.slice(slice.start, slice.end))]];
              }),
            );
          }),
  };
}

/** Messages as sent, with their tool calls; if they were not stored, only their texts. */
function inputOf({ input }: TurnContent, sent: SentPayload): SubjectInput {
  const messages = sent.value('input');
  if (messages !== undefined && messages !== null) return subjectInput(messages);
  return subjectInput(
    input.map(({ role, content, format }) => ({
      role,
      content: format === 'json' ? valueOf(content) : content,
    })),
  );
}

function toolOf(tool: TurnContent['tools'][number], sent: unknown): SubjectTool {
  const result = tool.format === 'json' ? valueOf(tool.result) : tool.result;
  const reported = isObject(sent) ? sent.error : null;
  const failed = isObject(sent) && sent.is_error === true;
  return {
    id: tool.id,
    name: tool.name,
    arguments: argumentsOf(tool.arguments),
    result,
    error:
      reported === undefined || reported === null || reported === false
        ? failed
          ? jsonAsText(result) || 'the tool failed'
          : null
        : jsonAsText(reported),
    started_at: textAt(sent, 'started_at'),
    duration_ms: isObject(sent) ? amountOf(sent.duration_ms) : null,
  };
}

/** Arguments are JSON; some clients send them as a JSON string. */
export function argumentsOf(text: string | null): unknown {
  const value = valueOf(text);
  return typeof value === 'string' ? structuredValue(value) : value;
}

function filesOf(value: unknown): SubjectFile[] {
  return (Array.isArray(value) ? value : []).flatMap((file: unknown) =>
    isObject(file) && typeof file.path === 'string' && typeof file.content === 'string'
      ? [{ path: file.path, content: file.content }]
      : [],
  );
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null;
}

function msBetween(from: Date | null, to: Date | null): number | null {
  const ms = from === null || to === null ? null : to.getTime() - from.getTime();
  return ms === null || ms < 0 ? null : ms;
}
