import { hasRequestedTools } from './find-answers';
import type { Node } from './span-tree';

/** How clients of each convention enable content capture. */
const SWITCHES = new Map([
  ['ai-sdk', 'set recordInputs and recordOutputs of experimental_telemetry to true'],
  ['openinference', 'unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and their kin'],
  ['langfuse', 'let the Langfuse client capture input and output'],
  ['traceloop', 'set TRACELOOP_TRACE_CONTENT to true'],
  [
    'otel',
    'set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT to true, or the option of your instrumentation; if it sends texts as log records, export logs to /v1/logs too (OTEL_EXPORTER_OTLP_LOGS_ENDPOINT)',
  ],
]);

/** Data that coding agents do not send as log records; each gap is noted once in a trace. */
const NEVER_SENT = new Map([
  [
    'claude-code',
    'Claude Code sent no text of its answer; set OTEL_LOG_USER_PROMPTS=1 and OTEL_LOG_ASSISTANT_RESPONSES=1 (version 2.1.193 or later)',
  ],
  [
    'codex',
    'Codex sends prompts, tool results and token counts, but never the text of its answers, so its traces have no turns',
  ],
]);
const CLAUDE_CODE_TOOLS =
  'Claude Code does not send the results of its tools as log records, so figures from them count as unsourced';

/** Whether a reason applies to the client, and is therefore noted once in a trace. */
export function isNotedOnce(reason: string): boolean {
  return reason === CLAUDE_CODE_TOOLS || [...NEVER_SENT.values()].includes(reason);
}

/**
 * The reason why a model span produced no turn, for people to read; null when nothing is wrong: it
 * has text, or it requested tools.
 */
export function explainMissing({ gen, span }: Node): string | null {
  const hasOutput = gen.output.some(({ text, calls }) => text.trim() !== '' || calls.length > 0);
  if (gen.role !== 'llm' || hasOutput || hasRequestedTools(gen)) return null;
  if (typeof gen.outputValue === 'string' && gen.outputValue.trim() !== '') return null;
  if (span.status.code === 2)
    return `the call failed: ${span.status.message || 'no reason was sent'}`;
  for (const name of gen.conventions) {
    const neverSent = NEVER_SENT.get(name);
    if (neverSent !== undefined) return neverSent;
  }
  // OpenLLMetry's model spans look like OTel's except for the type of the request.
  const isTraceloop =
    gen.conventions.includes('traceloop') || span.attributes.has('llm.request.type');
  const known = isTraceloop
    ? 'traceloop'
    : (gen.conventions.find((name) => SWITCHES.has(name)) ?? 'otel');
  const silent = span.events.some(({ name }) => name.startsWith('gen_ai.'))
    ? 'its events contain no text of the answer'
    : 'the span does not contain the answer';
  return `content capture is off: ${silent}; ${SWITCHES.get(known) ?? ''}`;
}

/**
 * A tool result that was not sent cannot be a source: the answer's figures from it count as
 * unsourced.
 */
export function explainTool({ gen, span }: Node): string | null {
  if (gen.role !== 'tool' || gen.toolResult !== null || span.status.code === 2) return null;
  if (gen.conventions.includes('claude-code')) return CLAUDE_CODE_TOOLS;
  return `the result of the tool ${gen.toolName ?? span.name} did not come with its span`;
}
