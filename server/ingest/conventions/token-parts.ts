/**
 * Parts of the tokens that conventions count: read from and written to a cache, and reasoning.
 * Sources: OpenTelemetry's GenAI attribute registry and its earlier forms, OpenLLMetry's
 * `SpanAttributes`, OpenInference's semantic conventions, the AI SDK's telemetry, and Langfuse's
 * usage details.
 *
 * In all of them the parts are included in their sum, with two exceptions. The keys of Langfuse's
 * usage details are disjoint: `input` does not include `input_cached_tokens`. Before version 6, the
 * AI SDK passed on the input of Anthropic and Bedrock, which does not include cached tokens.
 */
import { coverParts, type TokenUsage } from '../../domain';
import type { Attributes, Span } from '../span';
import { countAt, membersOf } from './read-attribute';

const cacheReadKeys = [
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'gen_ai.usage.input_tokens.cached',
  'gen_ai.usage.input_cached_tokens',
  'gen_ai.usage.cached_tokens',
  'llm.usage.cache_read_input_tokens',
  'llm.token_count.prompt_details.cache_read',
  'ai.usage.inputTokenDetails.cacheReadTokens',
  'ai.usage.cachedInputTokens',
];
const cacheWriteKeys = [
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens',
  'gen_ai.usage.input_tokens.cache_write',
  'llm.usage.cache_creation_input_tokens',
  'llm.token_count.prompt_details.cache_write',
  'ai.usage.inputTokenDetails.cacheWriteTokens',
];
const reasoningKeys = [
  'gen_ai.usage.reasoning.output_tokens',
  'gen_ai.usage.reasoning_tokens',
  'gen_ai.usage.output_tokens.reasoning',
  'llm.usage.reasoning_tokens',
  'llm.token_count.completion_details.reasoning',
  'ai.usage.outputTokenDetails.reasoningTokens',
  'ai.usage.reasoningTokens',
];

/** A convention's data for a span: the provider, the sums, and the included parts. */
interface SpanSums extends TokenUsage {
  readonly provider: string | null;
}

/** The tokens of a span with their parts, the parts included in their sums. */
export function withTokenParts({ attributes }: Span, sums: SpanSums): TokenUsage {
  const details = membersOf(attributes.get('langfuse.observation.usage_details'));
  if (details !== null && countAt(details, 'input', 'output') !== null)
    return ofLangfuse(details, sums);
  const { input, output, provider } = sums;
  const cacheRead = countAt(attributes, ...cacheReadKeys) ?? sums.cacheRead;
  const cacheWrite = countAt(attributes, ...cacheWriteKeys) ?? sums.cacheWrite;
  const reasoning = countAt(attributes, ...reasoningKeys) ?? sums.reasoning;
  const isPart = !excludesCache(attributes, provider);
  return coverParts({
    input: isPart || input === null ? input : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output,
    cacheRead,
    cacheWrite,
    reasoning,
  });
}

function excludesCache(attributes: Attributes, provider: string | null): boolean {
  return (
    attributes.has('ai.usage.cachedInputTokens') &&
    !attributes.has('ai.usage.inputTokenDetails.cacheReadTokens') &&
    /anthropic|bedrock/i.test(provider ?? '')
  );
}

function ofLangfuse(details: Attributes, { input, output }: SpanSums): TokenUsage {
  const cacheRead = countAt(
    details,
    'input_cached_tokens',
    'cache_read_input_tokens',
    'input_cache_read',
    'input_cached',
  );
  const cacheWrite = countAt(
    details,
    'cache_creation_input_tokens',
    'input_cache_creation',
    'input_cache_write',
  );
  const reasoning = countAt(details, 'output_reasoning_tokens', 'output_reasoning');
  return {
    input: sum(input, cacheRead, cacheWrite),
    output: sum(output, reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

function sum(...counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
