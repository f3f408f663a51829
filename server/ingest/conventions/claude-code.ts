/**
 * Claude Code's log events: `claude_code.user_prompt`, `assistant_response`, `api_request`,
 * `api_error`, `tool_decision`, `tool_result`. Events of one prompt have the same `prompt.id`.
 * Prompts and answers are `<REDACTED>` unless the user enables them; results of tools are never
 * part of them. Source: Claude Code, "Monitoring", events.
 */
import type { Attributes, Span, SpanEvent } from '../span';
import type { AgentLog } from './agent-log';
import type { ConventionPart, Message } from './gen-span';
import { embedJson } from './json-value';
import { textMessage } from './messages';
import { amountAt, attributeText, countAt, valueAt } from './read-attribute';

const PREFIX = 'claude_code.';
const REQUESTS: readonly string[] = ['api_request', 'api_error', 'api_refusal'];
const TOOLS: readonly string[] = ['tool_decision', 'tool_result'];
/** Calls of the model that answer no user: summaries, titles, work of subagents. */
const SIDE_WORK = /agent|compact|title|summar|hook|auxiliary/i;
const REDACTED = '<REDACTED>';

export function placeClaudeCode(
  name: string,
  attributes: Attributes,
  timeNs: string,
): AgentLog | null {
  if (!name.startsWith(PREFIX)) return null;
  const event = name.slice(PREFIX.length);
  const session = attributeText(attributes, 'session.id');
  const prompt = attributeText(attributes, 'prompt.id');
  const group = prompt ?? '';
  const common = {
    trace: session === null && prompt === null ? null : `claude_code\n${session ?? ''}\n${group}`,
    parent: `${group}\nprompt`,
    durationMs: amountAt(attributes, 'duration_ms'),
    error: null,
  };
  const fallback = attributeText(attributes, 'event.sequence') ?? timeNs;
  if (event === 'user_prompt' || event === 'assistant_response')
    return {
      ...common,
      span: common.parent,
      parent: null,
      name: 'claude_code.prompt',
      durationMs: null,
    };
  if (REQUESTS.includes(event)) {
    const id = attributeText(attributes, 'request_id', 'client_request_id') ?? fallback;
    return {
      ...common,
      span: `${group}\nrequest\n${id}`,
      name: 'claude_code.api_request',
      error:
        event === 'api_error' ? (attributeText(attributes, 'error') ?? 'the call failed') : null,
    };
  }
  if (!TOOLS.includes(event)) return null;
  const tool = attributeText(attributes, 'tool_name') ?? 'tool';
  const failed =
    attributes.get('success') === false || attributeText(attributes, 'success') === 'false';
  return {
    ...common,
    span: `${group}\ntool\n${attributeText(attributes, 'tool_use_id') ?? fallback}`,
    name: `execute_tool ${tool}`,
    error: failed ? (attributeText(attributes, 'error', 'error_type') ?? 'the tool failed') : null,
  };
}

export function readClaudeCode(span: Span): ConventionPart | null {
  const events = span.events.filter(({ name }) => name.startsWith(PREFIX));
  if (events.length === 0) return null;
  const named = (...names: readonly string[]): SpanEvent[] =>
    events.filter(({ name }) => names.includes(name.slice(PREFIX.length)));
  const all = new Map(events.flatMap(({ attributes }) => [...attributes]));
  const common = {
    sessionId: attributeText(all, 'session.id'),
    userId: attributeText(all, 'user.account_uuid', 'user.id'),
  };
  const prompts = named('user_prompt');
  const answers = named('assistant_response');
  if (prompts.length > 0 || answers.length > 0)
    return {
      ...common,
      role: 'agent',
      agentName: 'Claude Code',
      input: prompts.flatMap((event) => message('user', event, 'prompt')),
      output: replyIn(answers),
    };
  if (named(...TOOLS).length > 0)
    return {
      ...common,
      role: 'tool',
      toolName: attributeText(all, 'tool_name'),
      toolCallId: attributeText(all, 'tool_use_id'),
      toolArguments: argumentsIn(all),
    };
  if (named(...REQUESTS).length === 0) return null;
  return {
    ...common,
    role: 'llm',
    provider: 'anthropic',
    requestModel: attributeText(all, 'model'),
    responseId: attributeText(all, 'request_id'),
    inputTokens: inputTokens(all),
    outputTokens: countAt(all, 'output_tokens'),
    cacheReadTokens: countAt(all, 'cache_read_tokens'),
    cacheWriteTokens: countAt(all, 'cache_creation_tokens'),
    costUsd: amountAt(all, 'cost_usd'),
  };
}

function message(role: string, { attributes }: SpanEvent, key: string): Message[] {
  const text = attributeText(attributes, key);
  return text === null ? [] : [textMessage(role, text)];
}

/** The last answer to the user: earlier ones accompany the use of tools. */
function replyIn(answers: readonly SpanEvent[]): Message[] {
  const sent = answers.filter(
    ({ attributes }) => ![null, REDACTED].includes(attributeText(attributes, 'response')),
  );
  const main = sent.findLast(
    ({ attributes }) => !SIDE_WORK.test(attributeText(attributes, 'query_source') ?? ''),
  );
  return main === undefined ? [] : message('assistant', main, 'response');
}

/** Cache reads and writes are input too, but Anthropic counts them separately. */
function inputTokens(attributes: Attributes): number | null {
  const input = countAt(attributes, 'input_tokens');
  if (input === null) return null;
  return ['cache_read_tokens', 'cache_creation_tokens'].reduce(
    (sum, key) => sum + (countAt(attributes, key) ?? 0),
    input,
  );
}

function argumentsIn(attributes: Attributes): string | null {
  const sent = valueAt(attributes, 'tool_input', 'tool_parameters');
  return sent === null ? null : embedJson(sent);
}
