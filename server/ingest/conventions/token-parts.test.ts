import { expect, test } from 'vitest';
import { type Plain, sketchSpan } from '../span-fixture';
import { readGenSpan } from './index';

/** Expected counts: input, read from a cache, written to it, output, reasoning. */
type Counts = readonly (number | null)[];

const gen = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const ai = (provider: string) => ({
  'ai.operationId': 'ai.generateText.doGenerate',
  'ai.model.provider': provider,
});

test.each<[string, Readonly<Record<string, Plain>>, Counts]>([
  [
    'OpenTelemetry',
    {
      ...gen,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation.input_tokens': 30,
      'gen_ai.usage.reasoning.output_tokens': 5,
    },
    [100, 60, 30, 20, 5],
  ],
  [
    'OpenTelemetry with an input that leaves out the cache',
    {
      ...gen,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation.input_tokens': 30,
    },
    [100, 60, 30, null, null],
  ],
  [
    'OpenLLMetry',
    {
      'gen_ai.system': 'Anthropic',
      'llm.request.type': 'chat',
      'gen_ai.usage.prompt_tokens': 100,
      'gen_ai.usage.completion_tokens': 20,
      'gen_ai.usage.cache_read_input_tokens': 60,
      'gen_ai.usage.cache_creation_input_tokens': 30,
      'llm.usage.reasoning_tokens': 5,
    },
    [100, 60, 30, 20, 5],
  ],
  [
    'OpenInference',
    {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 100,
      'llm.token_count.completion': 20,
      'llm.token_count.prompt_details.cache_read': 60,
      'llm.token_count.prompt_details.cache_write': 30,
      'llm.token_count.completion_details.reasoning': 5,
    },
    [100, 60, 30, 20, 5],
  ],
  [
    'AI SDK 6',
    {
      ...ai('anthropic.messages'),
      'ai.usage.inputTokens': 100,
      'ai.usage.outputTokens': 20,
      'ai.usage.cachedInputTokens': 60,
      'ai.usage.inputTokenDetails.cacheReadTokens': 60,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 30,
      'ai.usage.outputTokenDetails.reasoningTokens': 5,
    },
    [100, 60, 30, 20, 5],
  ],
  [
    'AI SDK 5, OpenAI',
    {
      ...ai('openai.responses'),
      'ai.usage.inputTokens': 100,
      'ai.usage.outputTokens': 20,
      'ai.usage.cachedInputTokens': 60,
      'ai.usage.reasoningTokens': 5,
    },
    [100, 60, null, 20, 5],
  ],
  [
    'AI SDK 5, Anthropic: the input leaves out the cache',
    {
      ...ai('anthropic.messages'),
      'ai.usage.inputTokens': 100,
      'ai.usage.outputTokens': 20,
      'ai.usage.cachedInputTokens': 60,
    },
    [160, 60, null, 20, null],
  ],
  [
    'Langfuse: keys are disjoint',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details':
        '{"input":40,"input_cached_tokens":60,"output":15,"output_reasoning_tokens":5,"total":120}',
    },
    [100, 60, null, 20, 5],
  ],
  [
    'Langfuse, Anthropic',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details':
        '{"input":10,"cache_read_input_tokens":60,"cache_creation_input_tokens":30,"output":20}',
    },
    [100, 60, 30, 20, null],
  ],
  ['no usage', gen, [null, null, null, null, null]],
])('tokens with their parts: %s', (_, attributes, counts) => {
  const read = readGenSpan(sketchSpan({ id: 1, attributes }));
  expect([
    read.inputTokens,
    read.cacheReadTokens,
    read.cacheWriteTokens,
    read.outputTokens,
    read.reasoningTokens,
  ]).toEqual(counts);
});
