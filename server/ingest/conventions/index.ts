import type { Span } from '../span';
import { readAiSdk } from './ai-sdk';
import { readAssay } from './assay';
import { readClaudeCode } from './claude-code';
import { readCodex } from './codex';
import { type ConventionPart, type GenSpan, noMetadata } from './gen-span';
import { readGenkit } from './genkit';
import { readHelicone } from './helicone';
import { readLaminar } from './laminar';
import { readLangfuse } from './langfuse';
import { readLangSmith } from './langsmith';
import { readLangWatch } from './langwatch';
import { modelName } from './model-name';
import { readOpenInference } from './openinference';
import { readOtel } from './otel';
import { readOtelLegacy } from './otel-legacy';
import { attributeText } from './read-attribute';
import { readMastra } from './mastra';
import { matchResults } from './match-results';
import { withTokenParts } from './token-parts';
import { readTraceloop } from './traceloop';

/**
 * The first convention wins, field by field. Values that a person set for one product (Langfuse)
 * precede those of an instrumentation, and an instrumentation that keeps the whole conversation
 * precedes one that only counts. A new convention is one line here.
 */
const CONVENTIONS: readonly (readonly [string, (span: Span) => ConventionPart | null])[] = [
  ['langfuse', readLangfuse],
  ['langsmith', readLangSmith],
  ['genkit', readGenkit],
  ['ai-sdk', readAiSdk],
  ['openinference', readOpenInference],
  ['otel', readOtel],
  ['otel-legacy', readOtelLegacy],
  ['traceloop', readTraceloop],
  ['laminar', readLaminar],
  ['langwatch', readLangWatch],
  ['mastra', readMastra],
  ['helicone', readHelicone],
  ['claude-code', readClaudeCode],
  ['codex', readCodex],
];

/** Reads a span into Assay's own terms, from all conventions it follows. Never throws. */
export function readGenSpan(span: Span): GenSpan {
  const named = CONVENTIONS.map(([name, read]) => ({ name, part: read(span) }));
  const parts = named.map(({ part }) => part).filter((part) => part !== null);
  const assay = readAssay(span);
  const provider = first(parts, (part) => part.provider);
  const tokens = withTokenParts(span, {
    provider,
    input: first(parts, (part) => part.inputTokens),
    output: first(parts, (part) => part.outputTokens),
    cacheRead: first(parts, (part) => part.cacheReadTokens),
    cacheWrite: first(parts, (part) => part.cacheWriteTokens),
    reasoning: first(parts, (part) => part.reasoningTokens),
  });
  return {
    conventions: named.filter(({ part }) => part !== null).map(({ name }) => name),
    role: first(parts, (part) => part.role) ?? 'other',
    isStep: first(parts, (part) => part.isStep) ?? false,
    model: modelName(
      provider,
      first(parts, (part) => part.responseModel) ?? first(parts, (part) => part.requestModel),
    ),
    responseId: first(parts, (part) => part.responseId),
    input: matchResults(firstList(parts, (part) => part.input)),
    output: firstList(parts, (part) => part.output),
    inputValue: first(parts, (part) => part.inputValue),
    outputValue: first(parts, (part) => part.outputValue),
    finishReasons: firstList(parts, (part) => part.finishReasons),
    toolName: first(parts, (part) => part.toolName),
    toolCallId: first(parts, (part) => part.toolCallId),
    toolArguments: first(parts, (part) => part.toolArguments),
    toolResult: first(parts, (part) => part.toolResult),
    documents: firstList(parts, (part) => part.documents),
    sessionId:
      assay.get('session.id') ??
      first(parts, (part) => part.sessionId) ??
      attributeText(span.attributes, 'session.id'),
    userId:
      first(parts, (part) => part.userId) ??
      attributeText(span.attributes, 'user.id', 'enduser.id'),
    agentName: first(parts, (part) => part.agentName),
    promptName: first(parts, (part) => part.promptName),
    inputTokens: tokens.input,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    outputTokens: tokens.output,
    reasoningTokens: tokens.reasoning,
    costUsd: first(parts, (part) => part.costUsd),
    tags: firstList(parts, (part) => part.tags),
    metadata: new Map(parts.toReversed().flatMap((part) => [...(part.metadata ?? noMetadata)])),
    assay,
  };
}

function first<Value>(
  parts: readonly ConventionPart[],
  of: (part: ConventionPart) => Value | null | undefined,
): Value | null {
  for (const part of parts) {
    const value = of(part);
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** For lists, the first non-empty one wins. */
function firstList<Item>(
  parts: readonly ConventionPart[],
  of: (part: ConventionPart) => readonly Item[] | null | undefined,
): readonly Item[] {
  return first(parts, (part) => ((of(part)?.length ?? 0) > 0 ? of(part) : null)) ?? [];
}
