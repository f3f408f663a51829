// A span of an application's answer, with the results of two scorers as events.
import { SpanKind, trace } from '@opentelemetry/api';
import { Levenshtein, NumericDiff } from 'autoevals';
import { answer, assay, model, question, reading } from './conversation.mjs';
import { provider } from './tracing.mjs';

const scores = [
  await Levenshtein({ output: answer, expected: 'web-1 is 91.4% full.' }),
  await NumericDiff({ output: 91.4, expected: 91.4 }),
];
const call = { type: 'tool_call', id: 'call_1', name: 'disk', arguments: { host: 'web-1' } };
const span = trace.getTracer('app').startSpan(`chat ${model}`, {
  kind: SpanKind.CLIENT,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.conversation.id': assay.session,
    'gen_ai.usage.input_tokens': 60,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.input.messages': JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: question }] },
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: reading }] },
    ]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' },
    ]),
  },
});
for (const { name, score } of scores)
  span.addEvent('gen_ai.evaluation.result', {
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.value': score,
  });
span.end();
await provider.shutdown();
