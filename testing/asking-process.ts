import { createAsk, createEndpoints } from '../server/llm';
import { createRuntime } from '../server/runtime';

/**
 * A process that asks a model once for each message `{ ask, model, deadlineMs }` and answers `{
 * [answer<ask>]: errorClass | 'answered' }`: its memory is that of asking and of nothing else.
 * `HARNESS_PROJECT` is whose provider is asked.
 */
const runtime = createRuntime('worker');
const ask = createAsk(runtime.ctx, createEndpoints(runtime.ctx), {
  projectId: process.env.HARNESS_PROJECT ?? '',
  verdictId: null,
});
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
