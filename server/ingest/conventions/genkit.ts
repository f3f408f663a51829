/**
 * Reads spans of Genkit. Each span is an action: its attributes `genkit:*` have the kind of the
 * action in `genkit:metadata:subtype`, and its input and output as JSON text. A call is a flow with
 * a span `generate` for each step; the actions of the model and of the tools are below these spans.
 * Source: firebase/genkit, js/core/src/tracing/instrumentation.ts and js/core/src/action.ts.
 */
import type { AttributeValue, Attributes, Span } from '../span';
import type { ConventionPart, RetrievedDocument, SpanRole } from './gen-span';
import { embedJson, isList, isMap, structured } from './json-value';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull } from './otel';
import { attributeText, countAt, membersOf, under, valueAt } from './read-attribute';

const ROLE_OF_KIND = new Map<string, SpanRole>([
  ['model', 'llm'],
  ['background-model', 'llm'],
  ['tool', 'tool'],
  ['tool.v2', 'tool'],
  ['retriever', 'retriever'],
  ['reranker', 'retriever'],
  ['embedder', 'embedding'],
  ['evaluator', 'evaluator'],
  ['agent', 'agent'],
  ['flow', 'chain'],
  ['prompt', 'chain'],
  ['executable-prompt', 'chain'],
  ['util', 'chain'],
  ['flowStep', 'chain'],
  ['helper', 'chain'],
]);
const METADATA_PREFIX = 'genkit:metadata:';
/** Genkit sets these keys of `genkit:metadata:`; the application sets the others. */
const GENKIT_KEYS = new Set(['subtype', 'context']);

export function readGenkit(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('genkit:'))) return null;
  const metadata = under(attributes, METADATA_PREFIX);
  const kind = attributeText(metadata, 'subtype') ?? attributeText(attributes, 'genkit:type') ?? '';
  const role = ROLE_OF_KIND.get(kind) ?? 'other';
  const name = attributeText(attributes, 'genkit:name') ?? span.name;
  const inputValue = valueAt(attributes, 'genkit:input');
  const outputValue = valueAt(attributes, 'genkit:output');
  const reply = membersOf(outputValue) ?? new Map<string, AttributeValue>();
  const usage = membersOf(reply.get('usage')) ?? new Map<string, AttributeValue>();
  const finish = attributeText(reply, 'finishReason');
  const isModel = role === 'llm';
  const isTool = role === 'tool';
  return {
    role,
    requestModel: isModel ? name : null,
    input: isModel ? readMessages(inputValue) : [],
    output: isModel ? readMessages(outputValue) : [],
    inputValue,
    outputValue,
    finishReasons: finish === null ? [] : [finish],
    toolName: isTool ? name : null,
    toolArguments: isTool ? embedOrNull(inputValue) : null,
    toolResult: isTool ? readToolOutput(outputValue).result : null,
    documents: role === 'retriever' ? documentsOf(reply) : [],
    sessionId: sessionOf(attributes, metadata),
    agentName: role === 'agent' ? name : null,
    inputTokens: isModel ? countAt(usage, 'inputTokens') : null,
    outputTokens: isModel ? countAt(usage, 'outputTokens') : null,
    metadata: new Map([...metadata].filter(([key]) => !GENKIT_KEYS.has(key))),
  };
}

/** The session of a chat: an attribute, or a member of the context or of the initial values. */
function sessionOf(
  attributes: Attributes,
  metadata: ReadonlyMap<string, AttributeValue>,
): string | null {
  const labelled =
    attributeText(attributes, 'genkit:sessionId') ??
    attributeText(metadata, 'sessionId', 'session_id');
  if (labelled !== null) return labelled;
  for (const source of [metadata.get('context'), attributes.get('genkit:init')]) {
    const members = membersOf(source);
    const session = members === null ? null : attributeText(members, 'sessionId', 'session_id');
    if (session !== null) return session;
  }
  return null;
}

/** The documents that a retriever returned. Each is a list of parts with metadata. */
function documentsOf(reply: ReadonlyMap<string, AttributeValue>): RetrievedDocument[] {
  const items = structured(reply.get('documents') ?? null);
  return (isList(items) ? items : []).filter(isMap).flatMap((document) => {
    const parts = structured(document.get('content') ?? null);
    const text = (isList(parts) ? parts : [])
      .filter(isMap)
      .flatMap((part) => attributeText(part, 'text') ?? [])
      .join('\n');
    const metadata = membersOf(document.get('metadata')) ?? new Map<string, AttributeValue>();
    return text === '' ? [] : [{ id: attributeText(metadata, 'id'), content: embedJson(text) }];
  });
}
