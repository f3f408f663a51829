import type { ParsedAnswer, TokenParts } from '../exchange';
import { isError } from './chat-answer';
import { ANSWER_NAME } from './chat-request';
import type { StreamReader } from './dialect';
import { JsonView } from './json-view';
import { callOf } from './messages-request';
import { partsOf, textOfPart } from './parts';
import type { SpokenToolCall } from './spoken';
import { SseEvents } from './sse';
import { TextTally } from './text-tally';

/**
 * Answers of Anthropic's messages API: one body `{model, content: [blocks], stop_reason, usage}`,
 * or a stream of `message_start`, for each block `content_block_start {index, content_block}`,
 * `content_block_delta {index, delta}` and `content_block_stop`, then `message_delta {delta:
 * {stop_reason}, usage}` and `message_stop`. If a response schema was requested through a forced
 * tool (INT-17), that tool's input is the text.
 */

/** Null if it is not an answer of this API. */
export function readMessagesAnswer(body: Buffer): ParsedAnswer | null {
  const root = JsonView.parse(body);
  const content = root?.at('content');
  if (root == null || content?.isArray !== true) return null;
  const parts = partsOf(content);
  const calls = parts
    .flatMap((part, at) =>
      textOfPart(part, 'type') === 'tool_use' ? (content.item(at) ?? []) : [],
    )
    .flatMap(callOf);
  const text = parts
    .map((part) => (textOfPart(part, 'type') === 'text' ? (textOfPart(part, 'text') ?? '') : ''))
    .join('');
  const usage = root.at('usage');
  return {
    ...asAnswer(text, calls),
    model: root.stringAt('model'),
    inputTokens: inputTokensOf(usage),
    outputTokens: usage?.at('output_tokens')?.count() ?? null,
    ...cachePartsOf(usage),
    choices: 1,
    complete: true,
  };
}

/** The answer sent as a tool's input, if no other tool was called. */
function asAnswer(
  text: string,
  calls: readonly SpokenToolCall[],
): { text: string; toolCalls: readonly SpokenToolCall[] } {
  const isAnswer = calls.length > 0 && calls.every(({ name }) => name === ANSWER_NAME);
  // Calling it twice is a malformed answer, but it is still not one of the client's tools.
  if (isAnswer) return { text: calls.map((call) => call.arguments).join(''), toolCalls: [] };
  return { text, toolCalls: calls };
}

/** Cache reads and writes are input too, but this API counts them separately. */
function inputTokensOf(usage: JsonView | null): number | null {
  const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map(
    (name) => usage?.at(name)?.count() ?? null,
  );
  return counts[0] === null ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

function cachePartsOf(usage: JsonView | null): Pick<ParsedAnswer, 'tokenParts'> {
  const cacheRead = usage?.at('cache_read_input_tokens')?.count() ?? null;
  const cacheWrite = usage?.at('cache_creation_input_tokens')?.count() ?? null;
  return cacheRead === null && cacheWrite === null
    ? {}
    : { tokenParts: { cacheRead, cacheWrite, reasoning: null } };
}

interface Block {
  readonly id: string;
  readonly name: string;
  /** Input in the block's start, empty in most streams. */
  readonly initialInput: string;
  readonly pieces: string[];
}

export class MessagesStreamReader implements StreamReader {
  readonly #events = new SseEvents((event) => {
    if (event.json !== null) this.#take(event.json, event.start);
  });
  readonly #text = new TextTally();
  readonly #blocks = new Map<number, Block>();
  #inputBytes = 0;
  #model: string | null = null;
  #inputTokens: number | null = null;
  #outputTokens: number | null = null;
  #tokenParts: TokenParts | null = null;
  #stopped = false;
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
    return this.#text.bytes + this.#inputBytes;
  }

  /** The answer is also complete without `message_stop`, once there is a stop reason. */
  read(): ParsedAnswer {
    this.#events.finish();
    const calls = [...this.#blocks.values()].map(({ id, name, initialInput, pieces }) => ({
      id,
      name,
      arguments: pieces.join('') || initialInput,
    }));
    return {
      ...asAnswer(this.#text.text(), calls),
      model: this.#model,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      ...(this.#tokenParts !== null && { tokenParts: this.#tokenParts }),
      choices: 1,
      complete: !this.failed && (this.#stopped || this.lastEventAt !== null),
    };
  }

  #take(event: JsonView, at: number): void {
    if (isError(event)) this.failed = true;
    switch (event.stringAt('type')) {
      case 'message_start': {
        const message = event.at('message');
        this.#model ??= message?.stringAt('model') ?? null;
        this.#takeUsage(message?.at('usage') ?? null);
        break;
      }
      case 'content_block_start':
        this.#begin(event.at('index')?.count() ?? 0, event.at('content_block'));
        break;
      case 'content_block_delta':
        this.#grow(event.at('index')?.count() ?? 0, event.at('delta'));
        break;
      case 'message_delta':
        this.#stopped ||= event.at('delta')?.stringAt('stop_reason') != null;
        this.#takeUsage(event.at('usage'));
        break;
      case 'message_stop':
        this.lastEventAt ??= at;
        break;
      default:
    }
  }

  #takeUsage(usage: JsonView | null): void {
    this.#inputTokens = inputTokensOf(usage) ?? this.#inputTokens;
    this.#tokenParts = cachePartsOf(usage).tokenParts ?? this.#tokenParts;
    this.#outputTokens = usage?.at('output_tokens')?.count() ?? this.#outputTokens;
  }

  #begin(index: number, block: JsonView | null): void {
    const type = block?.stringAt('type');
    if (block === null) return;
    const initialText = (block.stringAt('text') ?? '') + (block.stringAt('thinking') ?? '');
    this.begun ||= type?.endsWith('tool_use') === true || initialText !== '';
    if (type === 'text') this.#text.add(block.stringAt('text') ?? '');
    if (type !== 'tool_use') return;
    this.callsTool ||= block.stringAt('name') !== ANSWER_NAME;
    const input = block.at('input')?.json() ?? '';
    this.#blocks.set(index, {
      id: block.stringAt('id') ?? '',
      name: block.stringAt('name') ?? '',
      initialInput: input,
      pieces: [],
    });
  }

  #grow(index: number, delta: JsonView | null): void {
    const block = this.#blocks.get(index);
    this.begun ||= deltaMembers.some((name) => (delta?.stringAt(name) ?? '') !== '');
    if (delta?.stringAt('type') === 'text_delta') this.#text.add(delta.stringAt('text') ?? '');
    if (delta?.stringAt('type') !== 'input_json_delta' || block === undefined) return;
    const piece = delta.stringAt('partial_json') ?? '';
    block.pieces.push(piece);
    if (block.name === ANSWER_NAME) this.#inputBytes += Buffer.byteLength(piece);
  }
}

/** Members of a block's delta that contain model output. */
const deltaMembers = ['text', 'partial_json', 'thinking'];
