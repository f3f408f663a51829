/**
 * Codex CLI's log events: `codex.conversation_starts`, `user_prompt`, `sse_event`, `api_request`,
 * `tool_decision`, `tool_result`, each with its `conversation.id`. Prompts are `[REDACTED]` unless
 * the user enables them; answers are never part of them. Source: openai/codex, codex-rs/otel.
 */
import type { Attributes, Span } from '../span';
import type { AgentLog } from './agent-log';
import type { ConventionPart } from './gen-span';
import { embedJson } from './json-value';
import { textMessage } from './messages';
import { amountAt, attributeText, countAt, valueAt } from './read-attribute';

const PREFIX = 'codex.';
const CONVERSATION = 'conversation';
const TOOLS: readonly string[] = ['codex.tool_decision', 'codex.tool_result'];
const CALLS: readonly string[] = [
  'codex.sse_event',
  'codex.api_request',
  'codex.websocket_request',
];
const FAILED = 'the call failed';

export function placeCodex(name: string, attributes: Attributes, timeNs: string): AgentLog | null {
  if (!name.startsWith(PREFIX)) return null;
  const conversation = attributeText(attributes, 'conversation.id');
  const common = {
    trace: conversation === null ? null : `codex\n${conversation}`,
    parent: CONVERSATION,
    durationMs: amountAt(attributes, 'duration_ms'),
    error: null,
  };
  if (name === 'codex.conversation_starts')
    return { ...common, span: CONVERSATION, parent: null, name: 'codex.conversation' };
  if (name === 'codex.user_prompt')
    return { ...common, span: `prompt\n${timeNs}`, name: 'codex.user_prompt' };
  const isFalse =
    attributeText(attributes, 'success') === 'false' || attributes.get('success') === false;
  if (TOOLS.includes(name)) {
    const call = attributeText(attributes, 'call_id') ?? timeNs;
    const output = attributeText(attributes, 'output') ?? 'the tool failed';
    return {
      ...common,
      span: `tool\n${call}`,
      name: `execute_tool ${attributeText(attributes, 'tool_name') ?? 'tool'}`,
      error: isFalse ? output : null,
    };
  }
  if (!CALLS.includes(name)) return null;
  const error = attributeText(attributes, 'error.message') ?? (isFalse ? FAILED : null);
  // A stream has one such event per piece of the answer; the last one has the usage.
  if (error === null && attributeText(attributes, 'event.kind') !== 'response.completed')
    return null;
  return { ...common, span: `call\n${name}\n${timeNs}`, name, error };
}

export function readCodex(span: Span): ConventionPart | null {
  const events = span.events.filter(({ name }) => name.startsWith(PREFIX));
  if (events.length === 0) return null;
  const names = new Set(events.map(({ name }) => name));
  const all = new Map(events.flatMap(({ attributes }) => [...attributes]));
  const common = {
    sessionId: attributeText(all, 'conversation.id'),
    userId: attributeText(all, 'user.account_id'),
  };
  if (names.has('codex.conversation_starts'))
    return { ...common, role: 'agent', agentName: 'Codex' };
  if (names.has('codex.user_prompt')) {
    const prompt = attributeText(all, 'prompt');
    return {
      ...common,
      role: 'other',
      input: prompt === null ? [] : [textMessage('user', prompt)],
    };
  }
  if (TOOLS.some((name) => names.has(name)))
    return {
      ...common,
      role: 'tool',
      toolName: attributeText(all, 'tool_name'),
      toolCallId: attributeText(all, 'call_id'),
      toolArguments: embedded(all, 'arguments'),
      toolResult: embedded(all, 'output'),
    };
  if (!CALLS.some((name) => names.has(name))) return null;
  return {
    ...common,
    role: 'llm',
    provider: 'openai',
    requestModel: attributeText(all, 'model'),
    inputTokens: countAt(all, 'input_token_count'),
    outputTokens: countAt(all, 'output_token_count'),
    cacheReadTokens: countAt(all, 'cached_token_count'),
    reasoningTokens: countAt(all, 'reasoning_token_count'),
  };
}

function embedded(attributes: Attributes, key: string): string | null {
  const value = valueAt(attributes, key);
  return value === null ? null : embedJson(value);
}
