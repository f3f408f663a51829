/**
 * LangSmith's export over OpenTelemetry: the kind of a run in `langsmith.span.kind`, its inputs and
 * outputs as JSON text in `gen_ai.prompt` and `gen_ai.completion`, and its metadata as
 * `langsmith.metadata.*`. Source: LangSmith, "Trace with OpenTelemetry", supported attributes; and
 * langchain-ai/langsmith-sdk, js/src/experimental/otel/translator.ts.
 */
import type { AttributeValue, Attributes, Span } from '../span';
import type { ConventionPart, SpanRole } from './gen-span';
import { unwrapReported } from './langchain';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull, readDocuments } from './otel';
import { attributeText, countAt, membersOf, under, valueAt } from './read-attribute';

const ROLES = new Map<string, SpanRole>([
  ['llm', 'llm'],
  ['tool', 'tool'],
  ['chain', 'chain'],
  ['agent', 'agent'],
  ['retriever', 'retriever'],
  ['embedding', 'embedding'],
  ['prompt', 'other'],
  ['parser', 'other'],
]);

export function readLangSmith(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('langsmith.'))) return null;
  const kind = attributeText(attributes, 'langsmith.span.kind', 'langsmith.span.type');
  const role = kind === null ? null : (ROLES.get(kind.toLowerCase()) ?? 'other');
  const name = attributeText(attributes, 'gen_ai.tool.name', 'langsmith.trace.name') ?? span.name;
  const input = valueAt(attributes, 'gen_ai.prompt', 'inputs', 'langsmith.inputs');
  const output = valueAt(attributes, 'gen_ai.completion', 'outputs', 'langsmith.outputs');
  const metadata = under(attributes, 'langsmith.metadata.');
  const usage =
    membersOf(attributes.get('langsmith.usage_metadata') ?? metadata.get('usage_metadata')) ??
    new Map<string, AttributeValue>();
  const isTool = role === 'tool';
  const isModel = role === 'llm';
  const reported = readToolOutput(isTool ? unwrapReported(output, 'output', 'outputs') : null);
  return {
    role,
    provider: isModel ? attributeText(metadata, 'ls_provider') : null,
    requestModel: isModel ? attributeText(metadata, 'ls_model_name') : null,
    input: isTool ? [] : readMessages(input),
    output: isTool ? [] : readMessages(output),
    inputValue: unwrapReported(input, 'input', 'inputs'),
    outputValue: unwrapReported(output, 'output', 'outputs'),
    toolName: isTool ? name : null,
    toolCallId: attributeText(attributes, 'gen_ai.tool.call.id') ?? reported.callId,
    toolArguments: isTool ? embedOrNull(unwrapReported(input, 'input', 'inputs')) : null,
    toolResult: reported.result,
    documents: role === 'retriever' ? documents(output) : [],
    sessionId: sessionOf(attributes, metadata),
    userId: attributeText(metadata, 'user_id'),
    inputTokens: countAt(usage, 'input_tokens'),
    outputTokens: countAt(usage, 'output_tokens'),
    tags: tagsOf(attributes),
    metadata,
  };
}

/**
 * A thread is a metadata key of one of three names. `langsmith.trace.session_id` comes last: the
 * SDKs put the id of the tracing project there, other clients that of a conversation.
 */
function sessionOf(
  attributes: Attributes,
  metadata: ReadonlyMap<string, AttributeValue>,
): string | null {
  return (
    attributeText(metadata, 'session_id', 'thread_id', 'conversation_id') ??
    attributeText(attributes, 'langsmith.trace.session_id')
  );
}

/** One text with commas. */
function tagsOf(attributes: Attributes): string[] {
  const text = attributeText(attributes, 'langsmith.span.tags') ?? '';
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function documents(output: AttributeValue): ReturnType<typeof readDocuments> {
  const members = membersOf(output);
  return readDocuments(
    members === null ? output : valueAt(members, 'documents', 'output', 'outputs'),
  );
}
