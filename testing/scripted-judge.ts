import type { Ask, AskErrorClass, AskRequest, AskUsage, PromptText } from '../server/domain';
import type { EvaluatorContext } from '../server/evaluators';

/**
 * An in-process judge for tests: it receives the prompt of a judge call, and answers with a text or
 * a failure.
 */
export type Script = (seen: SeenQuestion) => string | { readonly errorClass: AskErrorClass };

export interface SeenQuestion {
  readonly request: AskRequest;
  readonly nonce: string;
  /** The prompt outside of data blocks. */
  readonly outside: string;
  /** Data blocks by name, decoded; repeated blocks are equal. */
  readonly data: ReadonlyMap<string, unknown>;
  /** The number of earlier calls. */
  readonly before: number;
}

const usage: AskUsage = {
  provider: 'scripted',
  model: 'judge-1',
  inputTokens: 900,
  outputTokens: 100,
  costUsd: 0.001,
  latencyMs: 5,
  calls: 1,
};

export function scriptedAsk(script: Script): {
  readonly ask: Ask;
  readonly requests: AskRequest[];
} {
  const requests: AskRequest[] = [];
  const ask: Ask = (request) => {
    const seen = readQuestion(request, requests.length);
    requests.push(request);
    const [, model = request.model] = /^(?:[^:]*:)?([^?]*)/.exec(request.model) ?? [];
    const answer = script(seen);
    return Promise.resolve(
      typeof answer === 'string'
        ? { state: 'answered', text: answer, usage: { ...usage, model } }
        : {
            state: 'failed',
            errorClass: answer.errorClass,
            message: `scripted ${answer.errorClass}`,
            retryAfterMs: null,
            usage: { ...usage, model },
          },
    );
  };
  return { ask, requests };
}

export function contextWith(ask: Ask | undefined): EvaluatorContext {
  const signal = new AbortController().signal;
  return { now: () => performance.now(), signal, ...(ask === undefined ? {} : { ask }) };
}

function readQuestion(request: AskRequest, before: number): SeenQuestion {
  const nonce = nonceIn(request.system);
  return { request, ...readFences(request.messages[0]?.content ?? '', nonce), before };
}

const nonceIn = (text: string): string => /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';

/**
 * Parses a prompt as a careful model would: data starts and ends at lines that are exactly the
 * delimiters with the nonce of the system prompt.
 */
export function readFences(
  text: string,
  nonce = nonceIn(text),
): Pick<SeenQuestion, 'nonce' | 'outside' | 'data'> {
  const opening = `<data nonce="${nonce}" name="`;
  const outside: string[] = [];
  const data = new Map<string, unknown>();
  let name: string | null = null;
  for (const line of text.split('\n')) {
    if (name === null && line.startsWith(opening) && line.endsWith('">'))
      name = line.slice(opening.length, -2);
    else if (line === `</data nonce="${nonce}">`) name = null;
    else if (name === null) outside.push(line);
    else data.set(name, JSON.parse(line));
  }
  return { nonce, outside: outside.join('\n'), data };
}

export const plainPrompt = (text: string): PromptText => ({
  version: 'test@1',
  text,
  examples: [],
});

/** A rubric reply with the given score for each criterion. */
export function rubricReply(
  nonce: string,
  scores: readonly number[],
  quality: readonly string[] = [],
  confidence = 0.9,
): string {
  return JSON.stringify({
    nonce,
    criteria: scores.map((score, i) => ({
      criterion: i + 1,
      reasoning: `Reason ${i + 1}.`,
      quotes: [],
      score,
      confidence,
    })),
    quality: quality.map((dimension) => ({ dimension, reasoning: 'Because.', score: 4 })),
    suggestions: [],
    confidence,
  });
}
