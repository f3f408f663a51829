import type { BufferedAnswer, ParsedAnswer } from '../exchange';
import { isError, tokenPartsOf } from './chat-answer';
import type { StreamReader } from './dialect';
import { JsonView } from './json-view';
import { partsOf, textOfPart } from './parts';
import type { SpokenToolCall } from './spoken';
import { changeEvents, type EventChange, readEvents, SseEvents } from './sse';
import { applyEdits, type Edit, replaceValue } from './splice';
import { TextTally } from './text-tally';

/**
 * Answers of OpenAI's responses API: one body `{model, status, output: [items], usage}`, or a
 * stream of events whose `type` names them: `response.output_text.delta {output_index,
 * content_index, delta}`, its `.done` with the whole text, items and parts as they begin and end,
 * and a final `response.completed`, `.incomplete` or `.failed` with the whole response.
 */

/** Final states of a response; `incomplete`: it reached its token limit. */
const finalStates = new Set(['completed', 'incomplete']);
const lastEvents = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Null if it is not an answer of this API. */
export function readResponsesAnswer(body: Buffer): ParsedAnswer | null {
  const root = JsonView.parse(body);
  return root === null ? null : readResponse(root);
}

function readResponse(response: JsonView): ParsedAnswer | null {
  const output = response.at('output');
  if (output?.isArray !== true) return null;
  const items = output.items();
  const usage = response.at('usage');
  const status = response.stringAt('status');
  return {
    text: textOf(items),
    toolCalls: items.flatMap(callOf),
    model: response.stringAt('model'),
    inputTokens: usage?.at('input_tokens')?.count() ?? null,
    outputTokens: usage?.at('output_tokens')?.count() ?? null,
    ...tokenPartsOf(usage, 'input_tokens_details', 'output_tokens_details'),
    choices: 1,
    complete: status === null || finalStates.has(status),
  };
}

/** A refusal counts as text if there is no other. */
function textOf(items: readonly JsonView[]): string {
  const parts = items.flatMap((item) =>
    item.stringAt('type') === 'message' ? partsOf(item.at('content')) : [],
  );
  const text = parts
    .map((part) =>
      textOfPart(part, 'type') === 'output_text' ? (textOfPart(part, 'text') ?? '') : '',
    )
    .join('');
  return text || parts.map((part) => textOfPart(part, 'refusal') ?? '').join('');
}

function isText(part: JsonView): boolean {
  return part.stringAt('type') === 'output_text';
}

/** Only calls that the client must answer; the provider has already run its own tools. */
function callOf(item: JsonView): SpokenToolCall[] {
  const type = item.stringAt('type');
  if (type !== 'function_call' && type !== 'custom_tool_call') return [];
  const rawArguments = item.stringAt('arguments') ?? item.stringAt('input') ?? '';
  return [
    {
      id: item.stringAt('call_id') ?? item.stringAt('id') ?? '',
      name: item.stringAt('name') ?? '',
      arguments: rawArguments,
    },
  ];
}

export class ResponsesStreamReader implements StreamReader {
  readonly #events = new SseEvents((event) => this.#take(event.json, event.start));
  readonly #text = new TextTally();
  readonly #refusal = new TextTally();
  readonly #calls: SpokenToolCall[] = [];
  #model: string | null = null;
  #last: ParsedAnswer | null = null;
  #ended = false;
  callsTool = false;
  lastEventAt: number | null = null;
  failed = false;
  begun = false;

  push(chunk: Buffer): void {
    this.#events.push(chunk);
  }

  get openBytes(): number {
    return this.#events.openBytes;
  }

  get textBytes(): number {
    return this.#text.bytes + this.#refusal.bytes;
  }

  /**
   * The complete response of the last event; until it arrives, or if it has no output, the events
   * so far.
   */
  read(): ParsedAnswer {
    this.#events.finish();
    const last = this.#last;
    const text = this.#text.text() || this.#refusal.text();
    return {
      text: last === null || last.text === '' ? text : last.text,
      toolCalls:
        last === null || last.toolCalls.length === 0 ? this.#calls.slice() : last.toolCalls,
      model: this.#model,
      inputTokens: last?.inputTokens ?? null,
      outputTokens: last?.outputTokens ?? null,
      ...(last?.tokenParts !== undefined && { tokenParts: last.tokenParts }),
      choices: 1,
      complete: !this.failed && this.#ended,
    };
  }

  #take(event: JsonView | null, at: number): void {
    const type = event?.stringAt('type') ?? '';
    if (event === null) return;
    // All output comes in deltas: text, refusals, reasoning, arguments of calls.
    this.begun ||= type.endsWith('.delta') && event.stringAt('delta') !== '';
    if (type === 'response.output_text.delta') this.#text.add(event.stringAt('delta') ?? '');
    else if (type === 'response.refusal.delta') this.#refusal.add(event.stringAt('delta') ?? '');
    const item = event.at('item');
    if (item !== null) this.#takeItem(item, type === 'response.output_item.done');
    if (type === 'response.failed' || isError(event)) this.failed = true;
    const response = event.at('response');
    this.#model ??= response?.stringAt('model') || null;
    if (!lastEvents.has(type)) return;
    this.lastEventAt ??= at;
    this.#ended = true;
    this.#last = response === null ? null : readResponse(response);
  }

  /** An item arrives twice: at its start, and complete. */
  #takeItem(item: JsonView, isWhole: boolean): void {
    const calls = callOf(item);
    this.callsTool ||= calls.length > 0;
    this.begun ||= calls.length > 0;
    if (isWhole) this.#calls.push(...calls);
  }
}

/**
 * Null if there is no text. The new text goes into the first part with text; the others become
 * empty.
 */
export function withResponsesText(answer: BufferedAnswer, text: string): BufferedAnswer | null {
  const bytes = Buffer.concat(answer.chunks);
  const body = answer.form === 'json' ? withBodyText(bytes, text) : withStreamText(bytes, text);
  return body === null
    ? null
    : { chunks: [body], form: answer.form, read: { ...answer.read, text } };
}

function withBodyText(body: Buffer, text: string): Buffer | null {
  const root = JsonView.parse(body);
  const first = root === null ? null : firstPart(root);
  if (root === null || first === null) return null;
  return applyEdits(body, responseEdits(root, first, text));
}

/** Position of a text part: the indexes of the output item and of the part in its content. */
type PartKey = string;

function partKeyOf(output: number, content: number): PartKey {
  return `${String(output)}.${String(content)}`;
}

function firstPart(response: JsonView): PartKey | null {
  for (const [i, item] of (response.at('output')?.items() ?? []).entries()) {
    if (item.stringAt('type') !== 'message') continue;
    const j = (item.at('content')?.items() ?? []).findIndex(
      (part) => isText(part) && part.stringAt('text') !== '',
    );
    if (j !== -1) return partKeyOf(i, j);
  }
  return null;
}

function responseEdits(response: JsonView, first: PartKey, text: string): Edit[] {
  const edits = (response.at('output')?.items() ?? []).flatMap((item, i) =>
    itemEdits(item, i, first, text),
  );
  const gathered = response.at('output_text');
  return gathered?.isString === true
    ? [...edits, replaceValue(gathered, JSON.stringify(text))]
    : edits;
}

function itemEdits(item: JsonView, output: number, first: PartKey, text: string): Edit[] {
  if (item.stringAt('type') !== 'message') return [];
  return (item.at('content')?.items() ?? []).flatMap((part, j) =>
    isText(part) ? partEdits(part, partKeyOf(output, j) === first, text) : [],
  );
}

/**
 * Edits a part, or an event with the text of a part. The log probabilities belong to the old text.
 */
function partEdits(part: JsonView, isFirst: boolean, text: string, member = 'text'): Edit[] {
  const old = part.at(member);
  const logprobs = part.at('logprobs');
  const edits = old === null ? [] : [replaceValue(old, JSON.stringify(isFirst ? text : ''))];
  return logprobs?.isArray === true ? [...edits, replaceValue(logprobs, '[]')] : edits;
}

function withStreamText(stream: Buffer, text: string): Buffer | null {
  const events = readEvents(stream);
  const begins = events.find(
    ({ json }) =>
      json?.stringAt('type') === 'response.output_text.delta' && json.stringAt('delta') !== '',
  )?.json;
  if (begins == null) return null;
  const first = eventPartKey(begins);
  const changes: EventChange[] = [];
  for (const event of events) {
    if (event.json === null) continue;
    const type = event.json.stringAt('type');
    if (type === 'response.output_text.delta') {
      const getsText = event.json === begins;
      changes.push({
        event,
        json: getsText ? applyEdits(event.data, partEdits(event.json, true, text, 'delta')) : null,
      });
      continue;
    }
    const edits = eventEdits(event.json, type, first, text);
    if (edits.length > 0) changes.push({ event, json: applyEdits(event.data, edits) });
  }
  return changeEvents(stream, changes);
}

function eventPartKey(event: JsonView): PartKey {
  return partKeyOf(event.at('output_index')?.count() ?? 0, event.at('content_index')?.count() ?? 0);
}

function eventEdits(event: JsonView, type: string | null, first: PartKey, text: string): Edit[] {
  const isFirst = eventPartKey(event) === first;
  const part = event.at('part');
  const item = event.at('item');
  const response = event.at('response');
  if (type === 'response.output_text.done') return partEdits(event, isFirst, text);
  if (type === 'response.content_part.done')
    return part !== null && isText(part) ? partEdits(part, isFirst, text) : [];
  if (type === 'response.output_item.done')
    return item === null
      ? []
      : itemEdits(item, event.at('output_index')?.count() ?? 0, first, text);
  return type !== null && lastEvents.has(type) && response !== null
    ? responseEdits(response, first, text)
    : [];
}
