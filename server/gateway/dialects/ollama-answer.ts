import type { ParsedAnswer, BufferedAnswer } from '../exchange';
import { isError } from './chat-answer';
import { callsOf } from './chat-request';
import type { StreamReader } from './dialect';
import { JsonView } from './json-view';
import { JsonLines, readLines } from './ndjson';
import type { SpokenToolCall } from './spoken';
import { changeEvents, type EventChange } from './sse';
import { applyEdits, replaceValue } from './splice';
import { TextTally } from './text-tally';

/**
 * Answers of Ollama's chat: one body `{model, message: {role, content, thinking?, tool_calls?},
 * done, prompt_eval_count?, eval_count?}`, or a stream of the same objects, one per line, with the
 * counts in the last, whose `done` is true. A failure is a line `{error}`.
 */

/** Null if it is not an answer of this API. */
export function readOllamaAnswer(body: Buffer): ParsedAnswer | null {
  const root = JsonView.parse(body);
  const message = root?.at('message');
  if (root == null || message?.isObject !== true) return null;
  return {
    text: message.stringAt('content') ?? '',
    toolCalls: callsOf(message),
    model: root.stringAt('model'),
    inputTokens: root.at('prompt_eval_count')?.count() ?? null,
    outputTokens: root.at('eval_count')?.count() ?? null,
    choices: 1,
    complete: true,
  };
}

export class OllamaStreamReader implements StreamReader {
  readonly #lines = new JsonLines((line) => this.#take(line.json, line.start));
  readonly #text = new TextTally();
  readonly #calls: SpokenToolCall[] = [];
  #model: string | null = null;
  #inputTokens: number | null = null;
  #outputTokens: number | null = null;
  lastEventAt: number | null = null;
  failed = false;
  begun = false;

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  get openBytes(): number {
    return this.#lines.openBytes;
  }

  get textBytes(): number {
    return this.#text.bytes;
  }

  get callsTool(): boolean {
    return this.#calls.length > 0;
  }

  read(): ParsedAnswer {
    this.#lines.finish();
    return {
      text: this.#text.text(),
      toolCalls: this.#calls.slice(),
      model: this.#model,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      choices: 1,
      complete: !this.failed && this.lastEventAt !== null,
    };
  }

  #take(line: JsonView, at: number): void {
    if (isError(line)) this.failed = true;
    this.#model ??= line.stringAt('model') || null;
    this.#inputTokens = line.at('prompt_eval_count')?.count() ?? this.#inputTokens;
    this.#outputTokens = line.at('eval_count')?.count() ?? this.#outputTokens;
    if (line.at('done')?.isTrue === true) this.lastEventAt ??= at;
    const message = line.at('message');
    if (message === null) return;
    const text = message.stringAt('content') ?? '';
    const calls = callsOf(message);
    this.begun ||= text !== '' || calls.length > 0 || (message.stringAt('thinking') ?? '') !== '';
    this.#text.add(text);
    this.#calls.push(...calls);
  }
}

/** Null if there is no text. Lines that contain only text are dropped after the first. */
export function withOllamaText(answer: BufferedAnswer, text: string): BufferedAnswer | null {
  const bytes = Buffer.concat(answer.chunks);
  const body = answer.form === 'json' ? withBodyText(bytes, text) : withStreamText(bytes, text);
  return body === null
    ? null
    : { chunks: [body], form: answer.form, read: { ...answer.read, text } };
}

function withBodyText(body: Buffer, text: string): Buffer | null {
  const content = JsonView.parse(body)?.at('message')?.at('content') ?? null;
  if (content === null || !content.string()) return null;
  return applyEdits(body, [replaceValue(content, JSON.stringify(text))]);
}

function withStreamText(stream: Buffer, text: string): Buffer | null {
  const changes: EventChange[] = [];
  for (const line of readLines(stream)) {
    const message = line.json.at('message');
    const content = message?.at('content') ?? null;
    if (message === null || content === null || !content.string()) continue;
    const newText = changes.length === 0 ? text : '';
    const stays =
      newText !== '' || line.json.at('done')?.isTrue === true || hasOtherContent(message);
    const json = stays
      ? applyEdits(line.data, [replaceValue(content, JSON.stringify(newText))])
      : null;
    changes.push({ event: line, json });
  }
  return changes.length === 0 ? null : changeEvents(stream, changes);
}

function hasOtherContent(message: JsonView): boolean {
  return (
    (message.stringAt('thinking') ?? '') !== '' ||
    (message.at('tool_calls')?.items() ?? []).length > 0
  );
}
