/**
 * Genkit: attributes `genkit:*` with the kind of the action in `genkit:metadata:subtype`, and its
 * input and output as JSON text. A call is a flow, a span `generate` for each step, and the model's
 * and the tools' actions below them. Source: firebase/genkit,
 * js/core/src/tracing/instrumentation.ts and js/core/src/action.ts.
 */
import type { AttributeValue, Attributes, Span } from '../span';
import type { ConventionPart, RetrievedDocument, SpanRole } from './gen-span';
import { embedJson, isList, isMap, structured } from './json-value';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull } from './otel';
import { attributeText, countAt, membersOf, under, valueAt } from './read-attribute';

const ROLES = new Map<string, SpanRole>([
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
const METADATA = 'genkit:metadata:';
/** Read on their own, and not metadata of the application. */
const NOT_METADATA = new Set(['subtype', 'context']);

export function readGenkit(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('genkit:'))) return null;
  const metadata = under(attributes, METADATA);
  const kind = attributeText(metadata, 'subtype') ?? attributeText(attributes, 'genkit:type') ?? '';
  const role = ROLES.get(kind) ?? 'other';
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
    documents: role === 'retriever' ? documents(reply) : [],
    sessionId: sessionOf(attributes, metadata),
    agentName: role === 'agent' ? name : null,
    inputTokens: isModel ? countAt(usage, 'inputTokens') : null,
    outputTokens: isModel ? countAt(usage, 'outputTokens') : null,
    metadata: new Map([...metadata].filter(([key]) => !NOT_METADATA.has(key))),
  };
}

/** The label of a chat, or a member of the context or of the start values of an action. */
function sessionOf(
  attributes: Attributes,
  metadata: ReadonlyMap<string, AttributeValue>,
): string | null {
  const own =
    attributeText(attributes, 'genkit:sessionId') ??
    attributeText(metadata, 'sessionId', 'session_id');
  if (own !== null) return own;
  for (const source of [metadata.get('context'), attributes.get('genkit:init')]) {
    const members = membersOf(source);
    const session = members === null ? null : attributeText(members, 'sessionId', 'session_id');
    if (session !== null) return session;
  }
  return null;
}

/** A document is a list of parts with its metadata. */
function documents(reply: ReadonlyMap<string, AttributeValue>): RetrievedDocument[] {
  const sent = structured(reply.get('documents') ?? null);
  return (isList(sent) ? sent : []).filter(isMap).flatMap((document) => {
    const parts = structured(document.get('content') ?? null);
    const text = (isList(parts) ? parts : [])
      .filter(isMap)
      .flatMap((part) => attributeText(part, 'text') ?? [])
      .join('\n');
    const metadata = membersOf(document.get('metadata')) ?? new Map<string, AttributeValue>();
    return text === '' ? [] : [{ id: attributeText(metadata, 'id'), content: embedJson(text) }];
  });
}
