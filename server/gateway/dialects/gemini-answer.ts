import type { ParsedAnswer, TokenParts } from '../exchange';
import { isError } from './chat-answer';
import type { StreamReader } from './dialect';
import { geminiCalls, geminiParts, isGeminiText } from './gemini-request';
import { JsonView } from './json-view';
import { hasMember, textOfPart } from './parts';
import type { SpokenToolCall } from './spoken';
import { SseEvents } from './sse';
import { TextTally } from './text-tally';

/**
 * Answers of Google's generateContent: one body `{candidates: [{index?, content: {parts},
 * finishReason?}], promptFeedback?, usageMetadata, modelVersion}`, or a stream of the same objects
 * with further parts. A stream without `alt=sse` is one array of them. The last object has a finish
 * reason; there is no other end.
 */

/** Null if it is not an answer of this API. */
export function readGeminiAnswer(body: Buffer): ParsedAnswer | null {
  const root = JsonView.parse(body);
  const pieces = root?.isArray === true ? root.items() : root === null ? [] : [root];
  if (!pieces.some(isPiece)) return null;
  const tally = new GeminiTally();
  for (const piece of pieces) tally.add(piece);
  return tally.read();
}

function isPiece(piece: JsonView): boolean {
  return piece.at('candidates')?.isArray === true || piece.at('promptFeedback')?.isObject === true;
}

/** The answer so far. */
class GeminiTally {
  readonly text = new TextTally();
  readonly calls: SpokenToolCall[] = [];
  readonly #open = new Map<number, boolean>();
  #model: string | null = null;
  #inputTokens: number | null = null;
  #outputTokens: number | null = null;
  #tokenParts: TokenParts | null = null;
  #isBlocked = false;
  failed = false;
  begun = false;

  /** True if the object ends the answer's first candidate. */
  add(piece: JsonView): boolean {
    if (isError(piece)) this.failed = true;
    this.#model ??= piece.stringAt('modelVersion') || null;
    this.#takeUsage(piece.at('usageMetadata'));
    this.#isBlocked ||= piece.at('promptFeedback')?.stringAt('blockReason') != null;
    let ends = false;
    for (const candidate of piece.at('candidates')?.items() ?? []) {
      const index = candidate.at('index')?.count() ?? 0;
      const isOver = candidate.stringAt('finishReason') !== null;
      this.#open.set(index, (this.#open.get(index) ?? true) && !isOver);
      const parts = candidate.at('content')?.at('parts') ?? null;
      this.begun ||= geminiParts(parts).some(isModelOutput);
      if (index !== 0) continue;
      ends ||= isOver;
      for (const part of geminiParts(parts))
        if (isGeminiText(part)) this.text.add(textOfPart(part, 'text') ?? '');
      this.calls.push(...geminiCalls(parts));
    }
    return ends;
  }

  /** Thoughts are output too, but this API counts them separately. */
  #takeUsage(usage: JsonView | null): void {
    const written = ['candidatesTokenCount', 'thoughtsTokenCount'].flatMap(
      (name) => usage?.at(name)?.count() ?? [],
    );
    this.#inputTokens = usage?.at('promptTokenCount')?.count() ?? this.#inputTokens;
    if (written.length > 0) this.#outputTokens = written.reduce((sum, count) => sum + count, 0);
    const cacheRead = usage?.at('cachedContentTokenCount')?.count() ?? null;
    const reasoning = usage?.at('thoughtsTokenCount')?.count() ?? null;
    if (cacheRead !== null || reasoning !== null)
      this.#tokenParts = { cacheRead, cacheWrite: null, reasoning };
  }

  read(): ParsedAnswer {
    const isOver = this.#open.size > 0 && [...this.#open.values()].every((open) => !open);
    return {
      text: this.text.text(),
      toolCalls: this.calls.slice(),
      model: this.#model,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      ...(this.#tokenParts !== null && { tokenParts: this.#tokenParts }),
      choices: this.#open.size,
      complete: !this.failed && (isOver || this.#isBlocked),
    };
  }
}

function isModelOutput(part: unknown): boolean {
  const text = textOfPart(part, 'text');
  return text === null ? hasMember(part, 'functionCall') : text !== '';
}

export class GeminiStreamReader implements StreamReader {
  readonly #tally = new GeminiTally();
  readonly #events = new SseEvents(({ json, start }) => {
    if (json !== null && this.#tally.add(json)) this.lastEventAt = start;
  });
  lastEventAt: number | null = null;

  push(chunk: Buffer): void {
    this.#events.push(chunk);
  }

  get openBytes(): number {
    return this.#events.openBytes;
  }

  get textBytes(): number {
    return this.#tally.text.bytes;
  }

  get callsTool(): boolean {
    return this.#tally.calls.length > 0;
  }

  get begun(): boolean {
    return this.#tally.begun;
  }

  get failed(): boolean {
    return this.#tally.failed;
  }

  read(): ParsedAnswer {
    this.#events.finish();
    return this.#tally.read();
  }
}
