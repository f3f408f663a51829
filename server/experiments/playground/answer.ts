import type { ProjectCtx } from '../../access';
import type { AskResult } from '../../domain';
import { createDirectAsk, loadProviders, type ModelConnections, recordCall } from '../../llm';
import { chatOf } from '../runs/call-target';
import { runItemOf } from '../runs/run-item';
import type { AnswerIn } from './playground-input';

/** The time limit of one answer, in milliseconds. */
const DEADLINE_MS = 300_000;

/** A part of an answer as it streams, or how it ended. */
export type AnswerPart = { readonly state: 'streaming'; readonly text: string } | AskResult;

/**
 * Calls one model, yields its answer in parts, and then the complete answer. One HTTP call without
 * retries, recorded with its cost; aborting `signal` ends it. Nothing else is stored.
 * @throws AssayError unavailable
 */
export async function* answerInPlayground(
  ctx: ProjectCtx,
  connections: ModelConnections,
  { model, messages, item, maxOutputTokens }: Omit<AnswerIn, 'project'>,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void> {
  const { projectId } = ctx;
  const recording: Promise<void>[] = [];
  const ask = createDirectAsk(ctx, {
    connections,
    providers: await loadProviders(ctx, projectId),
    otherwise: null,
    record: (call) => {
      const stored = recordCall(ctx, { projectId, verdictId: null, ...call });
      recording.push(
        stored.catch((error: unknown) => ctx.log.error({ err: error }, 'a call was not recorded')),
      );
    },
  });
  const texts = createTexts();
  const asking = ask({
    model,
    ...chatOf({ messages }, null, runItemOf('', item, [])),
    reply: null,
    maxOutputTokens,
    deadlineMs: DEADLINE_MS,
    signal,
    purpose: 'playground',
    promptVersion: null,
    onText: texts.add,
  }).finally(texts.end);
  for await (const text of texts.parts()) yield { state: 'streaming', text };
  yield await asking;
  await Promise.all(recording);
}

/** Texts from a callback, as an iterable: those that come while none is awaited are joined. */
function createTexts() {
  let waiting = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  return {
    add: (text: string): void => {
      waiting += text;
      wake();
    },
    end: (): void => {
      isOver = true;
      wake();
    },
    async *parts(): AsyncGenerator<string, void> {
      for (;;) {
        if (waiting !== '') {
          const text = waiting;
          waiting = '';
          yield text;
        } else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
