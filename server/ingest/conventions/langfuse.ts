/**
 * Langfuse's own attributes. Input and output are text or JSON text in any form; session, user,
 * tags and metadata of the trace are repeated on each span. Source: Langfuse, "OpenTelemetry",
 * property mapping.
 */
import type { Attributes, AttributeValue, Span } from '../span';
import type { ConventionPart, SpanRole } from './gen-span';
import { isConversation, readMessages, readToolOutput } from './messages';
import { embedOrNull, readDocuments } from './otel';
import {
  amountAt,
  countAt,
  membersOf,
  attributeText,
  attributeTexts,
  under,
  valueAt,
} from './read-attribute';

/** The scope of spans that were sent to Langfuse's ingestion API. */
export const langfuseScope = 'langfuse';

const ROLES = new Map<string, SpanRole>([
  ['generation', 'llm'],
  ['tool', 'tool'],
  ['agent', 'agent'],
  ['chain', 'chain'],
  ['retriever', 'retriever'],
  ['embedding', 'embedding'],
  ['evaluator', 'evaluator'],
]);

export function readLangfuse(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('langfuse.'))) return null;
  const type = attributeText(attributes, 'langfuse.observation.type');
  const role = type === null ? null : (ROLES.get(type.toLowerCase()) ?? null);
  const input = valueAt(attributes, 'langfuse.observation.input', 'langfuse.trace.input');
  const output = valueAt(attributes, 'langfuse.observation.output', 'langfuse.trace.output');
  const usage =
    membersOf(attributes.get('langfuse.observation.usage_details')) ??
    new Map<string, AttributeValue>();
  const isTool = role === 'tool';
  // Clients of the ingestion API have no type for tools: they record them as spans.
  const isStep = span.scope.name === langfuseScope && type === 'span' && mayBeCall(input, output);
  const reported = readToolOutput(isTool ? output : null);
  return {
    role,
    isStep,
    requestModel: attributeText(attributes, 'langfuse.observation.model.name'),
    input: readMessages(input),
    output: readMessages(output),
    inputValue: input,
    outputValue: output,
    toolName: isTool ? span.name : null,
    toolCallId: reported.callId,
    toolArguments: isTool ? embedOrNull(input) : null,
    toolResult: reported.result,
    documents: role === 'retriever' ? documents(output) : [],
    sessionId: attributeText(attributes, 'langfuse.session.id', 'session.id'),
    userId: attributeText(attributes, 'langfuse.user.id', 'user.id'),
    agentName: role === 'agent' ? span.name : null,
    promptName: attributeText(attributes, 'langfuse.observation.prompt.name'),
    inputTokens: countAt(usage, 'input', 'input_tokens', 'prompt_tokens', 'promptTokens'),
    outputTokens: countAt(
      usage,
      'output',
      'output_tokens',
      'completion_tokens',
      'completionTokens',
    ),
    costUsd: cost(attributes),
    tags: attributeTexts(attributes.get('langfuse.trace.tags')),
    metadata: new Map([
      ...under(attributes, 'langfuse.trace.metadata.'),
      ...under(attributes, 'langfuse.observation.metadata.'),
    ]),
  };
}

/** Whether a span may be a tool's call: a framework's steps pass on a conversation instead. */
function mayBeCall(input: AttributeValue, output: AttributeValue): boolean {
  if (output === null || isConversation(input)) return false;
  return !isConversation(output) || readToolOutput(output).callId !== null;
}

/** A list of documents, or an object that contains one. */
function documents(output: AttributeValue): ReturnType<typeof readDocuments> {
  const members = membersOf(output);
  return readDocuments(
    members === null ? output : valueAt(members, 'documents', 'results', 'output'),
  );
}

/** `total`, else the sum of the parts. */
function cost(attributes: Attributes): number | null {
  const details = membersOf(attributes.get('langfuse.observation.cost_details'));
  if (details === null) return null;
  const total = amountAt(details, 'total');
  if (total !== null) return total;
  const parts = [...details.keys()]
    .map((key) => amountAt(details, key))
    .filter((part) => part !== null);
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0);
}
