import { createAsk, createEndpoints } from '../server/llm';
import { createRuntime } from '../server/runtime';

/**
 * A process that calls a model once for each message `{ ask, model, deadlineMs }` and answers `{
 * [answer<ask>]: errorClass | 'answered' }`. Its memory is that of the model calls alone. It
 * uses the providers of the project `HARNESS_PROJECT`.
 */
const runtime = createRuntime('worker');
const ask = createAsk(
  runtime.ctx,
  { ...runtime.asking, endpoints: createEndpoints(runtime.ctx) },
  {
    projectId: process.env.HARNESS_PROJECT ?? '',
    verdictId: null,
  },
);
const never = new AbortController().signal;

async function answer(message: {
  readonly ask: number;
  readonly model: string;
  readonly deadlineMs: number;
}): Promise<void> {
  const result = await ask({
    model: message.model,
    system: 'Judge.',
    messages: [{ role: 'user', content: 'Is it so?' }],
    reply: null,
    maxOutputTokens: 100,
    deadlineMs: message.deadlineMs,
    signal: never,
    purpose: 'memory',
    promptVersion: null,
  });
  process.send?.({
    [`answer${message.ask}`]: result.state === 'answered' ? 'answered' : result.errorClass,
  });
}

process.on('message', (message) => void answer(message as Parameters<typeof answer>[0]));
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
