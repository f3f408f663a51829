import {
  cleanText,
  cleanValue,
  GatewayRecord,
  isJsonContainer,
  type JsonSlice,
  sliceItems,
  sliceMembers,
  type TurnContent,
  type TurnTool,
} from '../../domain';

/**
 * A stored payload in the form that verifiers and pages use. Strings are cleaned; JSON parts stay
 * JSON text, so that digits are as sent. An id that the client omitted is the position: `tools[0]`,
 * `context[1]`.
 *
 * @param fromGateway the gateway itself stored exactly this payload: only then is its record read,
 * since any client can write that member
 */
export function readTurn(payload: string, fromGateway = false): TurnContent {
  const members = sliceMembers(payload);
  const value = (name: string): unknown => {
    const slice = members.get(name);
    return slice === undefined
      ? null
      : (JSON.parse(payload.slice(slice.start, slice.end)) as unknown);
  };
  const id = value('id');
  return {
    clientId: typeof id === 'string' ? asString(id) : null,
    input: readInput(payload, members.get('input')),
    tools: readItems(payload, members.get('tools')).map(readTool),
    context: readItems(payload, members.get('context')).map((item, index) => {
      const part = readPart(item.text('content'));
      return {
        id: item.string('id') ?? `context[${index}]`,
        content: part.text,
        format: part.format,
      };
    }),
    output: asString(value('output')),
    answer: asString(sentAnswer(payload)),
    envelope: cleanValue(value('envelope')),
    relayedFrom: cleanValue(value('relayed_from')),
    repromptUsed: value('reprompt_used') === true,
    tags: asStrings(value('tags')),
    metadata: textOf(payload, members.get('metadata')) ?? '{}',
    gateway: fromGateway
      ? (GatewayRecord.safeParse(cleanValue(value('gateway'))).data ?? null)
      : null,
  };
}

/** The answer exactly as sent, including NULs and lone surrogates. */
export function sentAnswer(payload: string): string {
  const members = sliceMembers(payload);
  const output = parsed(textOf(payload, members.get('output')));
  if (typeof output === 'string' && output !== '') return output;
  const raw = textOf(payload, members.get('envelope'));
  const envelope = parsed(raw);
  if (raw === null || envelope === null) return '';
  const parsedEnvelope = typeof envelope === 'string' ? parsed(envelope) : envelope;
  if (
    typeof parsedEnvelope === 'object' &&
    parsedEnvelope !== null &&
    'answer' in parsedEnvelope &&
    typeof parsedEnvelope.answer === 'string'
  )
    return parsedEnvelope.answer;
  return typeof envelope === 'string' ? envelope : raw;
}

/** Null for a missing value or invalid JSON. */
function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Item {
  /** Raw JSON text of a member, null where it is missing or null. */
  text(name: string): string | null;
  string(name: string): string | null;
}

function readItems(payload: string, slice: JsonSlice | undefined): Item[] {
  if (slice === undefined) return [];
  return sliceItems(payload, slice.start).map((at) => {
    const members = sliceMembers(payload, at.start);
    const text = (name: string): string | null => {
      const raw = textOf(payload, members.get(name));
      return raw === 'null' ? null : raw;
    };
    return {
      text,
      string(name) {
        const raw = text(name);
        return raw === null || !raw.startsWith('"') ? null : asString(JSON.parse(raw));
      },
    };
  });
}

function readTool(item: Item, index: number): TurnTool {
  const result = readPart(item.text('result'));
  return {
    id: item.string('id') ?? `tools[${index}]`,
    name: item.string('name') ?? 'tool',
    arguments: item.text('arguments') ?? '{}',
    result: result.text,
    format: result.format,
  };
}

/**
 * A JSON string is text, unless its content is JSON text: then it is read as that (many clients
 * stringify results).
 */
function readPart(raw: string | null): { text: string; format: 'json' | 'text' } {
  if (raw === null) return { text: '', format: 'text' };
  if (!raw.startsWith('"')) return { text: raw, format: 'json' };
  const text = asString(JSON.parse(raw));
  return { text, format: isJsonContainer(text) ? 'json' : 'text' };
}

function readInput(payload: string, slice: JsonSlice | undefined): TurnContent['input'] {
  const raw = textOf(payload, slice);
  if (raw === null || raw === 'null') return [];
  if (raw.startsWith('"')) return [{ role: 'user', content: asString(JSON.parse(raw)) }];
  return readItems(payload, slice).map((item) => {
    const role = item.string('role') ?? 'unknown';
    const text = item.string('content');
    const json = text === null ? item.text('content') : null;
    return json === null ? { role, content: text ?? '' } : { role, content: json, format: 'json' };
  });
}

function textOf(payload: string, slice: JsonSlice | undefined): string | null {
  return slice === undefined ? null : payload.slice(slice.start, slice.end);
}

function asString(value: unknown): string {
  return typeof value === 'string' ? cleanText(value).text : '';
}

function asStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(asString) : [];
}
