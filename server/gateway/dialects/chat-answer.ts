import type { BufferedAnswer, ParsedAnswer, TokenParts } from '../exchange';
import { callArguments, callsOf } from './chat-request';
import type { StreamReader } from './dialect';
import { JsonView } from './json-view';
import { partsOf, textOfPart } from './parts';
import { changeEvents, type EventChange, readEvents, SseEvents } from './sse';
import { applyEdits, type Edit, replaceValue } from './splice';
import { TextTally } from './text-tally';

/**
 * Answers of OpenAI chat completions: one body `{model, choices: [{message, finish_reason}],
 * usage}`, or a stream of `chat.completion.chunk` with `choices: [{index, delta, finish_reason}]`,
 * a final one with `usage` and no choices if it was requested, and `[DONE]`. Mistral may answer with
 * `content` in parts.
 */

/** Null if it is not an answer of this API. A refusal counts as text if there is no other. */
export function readChatAnswer(body: Buffer): ParsedAnswer | null {
  const root = JsonView.parse(body);
  const choices = root?.at('choices');
  if (root == null || choices?.isArray !== true) return null;
  const all = choices.items();
  const message = all[0]?.at('message') ?? null;
  return {
    text: message === null ? '' : spokenText(message),
    toolCalls: message === null ? [] : callsOf(message),
    model: root.stringAt('model'),
    ...tokensOf(root),
    choices: all.length,
    complete: message !== null,
  };
}

function spokenText(message: JsonView): string {
  return answerText(message.at('content')) || (message.stringAt('refusal') ?? '');
}

/** Some compatible upstreams answer in parts, which are joined without a separator. */
function answerText(content: JsonView | null): string {
  if (content?.isArray !== true) return content?.string() ?? '';
  return partsOf(content)
    .map((part) => (textOfPart(part, 'type') === 'text' ? (textOfPart(part, 'text') ?? '') : ''))
    .join('');
}

function tokensOf(
  root: JsonView,
): Pick<ParsedAnswer, 'inputTokens' | 'outputTokens' | 'tokenParts'> {
  const usage = root.at('usage');
  return {
    inputTokens: usage?.at('prompt_tokens')?.count() ?? null,
    outputTokens: usage?.at('completion_tokens')?.count() ?? null,
    ...tokenPartsOf(usage, 'prompt_tokens_details', 'completion_tokens_details'),
  };
}

/**
 * The parts of the tokens that OpenAI's APIs report; nothing without usage. A cache write is
 * reported by some routers only.
 */
export function tokenPartsOf(
  usage: JsonView | null,
  inputDetails: string,
  outputDetails: string,
): Pick<ParsedAnswer, 'tokenParts'> {
  const input = usage?.at(inputDetails) ?? null;
  const output = usage?.at(outputDetails) ?? null;
  if (input === null && output === null) return {};
  return {
    tokenParts: {
      cacheRead: input?.at('cached_tokens')?.count() ?? null,
      cacheWrite: input?.at('cache_write_tokens')?.count() ?? null,
      reasoning: output?.at('reasoning_tokens')?.count() ?? null,
    },
  };
}

export class ChatStreamReader implements StreamReader {
  readonly #events = new SseEvents((event) => this.#take(event.json, event.start));
  readonly #text = new TextTally();
  readonly #refusal = new TextTally();
  readonly #calls = new Map<number, { id: string; name: string; pieces: string[] }>();
  readonly #open = new Map<number, boolean>();
  #model: string | null = null;
  #inputTokens: number | null = null;
  #outputTokens: number | null = null;
  #tokenParts: TokenParts | null = null;
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

  get callsTool(): boolean {
    return this.#calls.size > 0;
  }

  /**
   * The answer is also complete without `[DONE]`, which some upstreams omit, once every choice has
   * finished.
   */
  read(): ParsedAnswer {
    this.#events.finish();
    const finished = this.#open.size > 0 && [...this.#open.values()].every((open) => !open);
    return {
      text: this.#text.text() || this.#refusal.text(),
      toolCalls: [...this.#calls]
        .toSorted(([a], [b]) => a - b)
        .map(([, { pieces, ...call }]) => ({ ...call, arguments: pieces.join('') })),
      model: this.#model,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      ...(this.#tokenParts !== null && { tokenParts: this.#tokenParts }),
      choices: this.#open.size,
      complete: !this.failed && (this.lastEventAt !== null || finished),
    };
  }

  #take(chunk: JsonView | null, at: number): void {
    if (chunk === null) {
      this.lastEventAt ??= at;
      return;
    }
    if (isError(chunk)) this.failed = true;
    this.#model ??= chunk.stringAt('model') || null;
    const { inputTokens, outputTokens, tokenParts } = tokensOf(chunk);
    this.#tokenParts = tokenParts ?? this.#tokenParts;
    this.#inputTokens = inputTokens ?? this.#inputTokens;
    this.#outputTokens = outputTokens ?? this.#outputTokens;
    for (const choice of chunk.at('choices')?.items() ?? []) this.#takeChoice(choice);
  }

  #takeChoice(choice: JsonView): void {
    const index = choice.at('index')?.count() ?? 0;
    const reason = choice.at('finish_reason');
    this.#open.set(index, (this.#open.get(index) ?? true) && (reason === null || reason.isNull));
    const delta = choice.at('delta') ?? choice.at('message');
    this.begun ||= delta !== null && hasModelOutput(delta);
    if (index !== 0 || delta === null) return;
    this.#text.add(answerText(delta.at('content')));
    this.#refusal.add(delta.stringAt('refusal') ?? '');
    for (const call of delta.at('tool_calls')?.items() ?? []) {
      const id = call.stringAt('id');
      // Some compatible upstreams omit the index: a part with an id starts a call, one without an
      // id continues it.
      const place =
        call.at('index')?.count() ?? Math.max(0, this.#calls.size - (id === null ? 1 : 0));
      this.#takeCall(place, id, call.at('function') ?? call.at('custom'));
    }
    const older = delta.at('function_call');
    if (older?.isObject === true) this.#takeCall(0, null, older);
  }

  #takeCall(index: number, id: string | null, called: JsonView | null): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', pieces: [] };
    call.id ||= id ?? '';
    call.name ||= called?.stringAt('name') ?? '';
    call.pieces.push(callArguments(called) || (called?.stringAt('input') ?? ''));
    this.#calls.set(index, call);
  }
}

/** Members of a delta that contain model output; a role is not output. */
const spokenMembers = [
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'tool_calls',
  'function_call',
];

function hasModelOutput(delta: JsonView): boolean {
  return spokenMembers.some((name) => {
    const value = delta.at(name);
    if (value === null || value.isNull) return false;
    return value.isObject || (value.isArray ? value.items().length > 0 : value.string() !== '');
  });
}

/** An upstream reports a failure within a stream as an object or string under `error` (QV-36). */
export function isError(event: JsonView): boolean {
  const error = event.at('error');
  return (error !== null && !error.isNull) || event.stringAt('type') === 'error';
}

/** Null if there are several choices, or no text in the first. */
export function withChatText(answer: BufferedAnswer, text: string): BufferedAnswer | null {
  const bytes = Buffer.concat(answer.chunks);
  const body = answer.form === 'json' ? withBodyText(bytes, text) : withStreamText(bytes, text);
  return body === null
    ? null
    : { chunks: [body], form: answer.form, read: { ...answer.read, text } };
}

function withBodyText(body: Buffer, text: string): Buffer | null {
  const choices = JsonView.parse(body)?.at('choices')?.items() ?? [];
  const content = choices[0]?.at('message')?.at('content') ?? null;
  if (
    choices.length !== 1 ||
    choices[0] === undefined ||
    content === null ||
    answerText(content) === ''
  )
    return null;
  return applyEdits(body, [
    replaceValue(content, contentWith(content, text)),
    ...withoutLogprobs(choices[0]),
  ]);
}

/**
 * The first chunk with text gets all of the new text. Other chunks that contain only text are
 * dropped; all others stay byte for byte.
 */
function withStreamText(stream: Buffer, text: string): Buffer | null {
  const changes: EventChange[] = [];
  for (const event of readEvents(stream)) {
    const choices = event.json?.at('choices')?.items() ?? [];
    const choice = choices[0];
    if (choices.length > 1 || (choice?.at('index')?.count() ?? 0) > 0) return null;
    const content =
      choice?.at('delta')?.at('content') ?? choice?.at('message')?.at('content') ?? null;
    if (choice === undefined || content === null || answerText(content) === '') continue;
    const newText = changes.length === 0 ? text : '';
    const edits: Edit[] = [
      replaceValue(content, contentWith(content, newText)),
      ...withoutLogprobs(choice),
    ];
    const stays = newText !== '' || hasOtherContent(event.json, choice) || hasOtherParts(content);
    changes.push({ event, json: stays ? applyEdits(event.data, edits) : null });
  }
  return changes.length === 0 ? null : changeEvents(stream, changes);
}

/** The content with another text; parts that are not text, such as Mistral's `thinking`, stay. */
function contentWith(content: JsonView, text: string): string {
  if (!hasOtherParts(content)) return JSON.stringify(text);
  const others = content.items().filter((part) => part.stringAt('type') !== 'text');
  const parts = others.map((part) => part.json());
  return `[${[...parts, ...(text === '' ? [] : [JSON.stringify({ type: 'text', text })])].join(',')}]`;
}

function hasOtherParts(content: JsonView): boolean {
  return partsOf(content).some((part) => textOfPart(part, 'type') !== 'text');
}

/** The log probabilities belong to the old text. */
function withoutLogprobs(choice: JsonView): Edit[] {
  const logprobs = choice.at('logprobs');
  return logprobs === null || logprobs.isNull ? [] : [replaceValue(logprobs, 'null')];
}

/**
 * Whether the chunk has other content. Its role does not count: some upstreams repeat it in each
 * chunk.
 */
function hasOtherContent(chunk: JsonView | null, choice: JsonView): boolean {
  const delta = choice.at('delta');
  const others = [
    ...['refusal', 'tool_calls', 'function_call', 'reasoning_content', 'reasoning'].map((name) =>
      delta?.at(name),
    ),
    choice.at('finish_reason'),
    chunk?.at('usage'),
  ];
  return delta === null || others.some((value) => value != null && !value.isNull);
}
