import { askedForTools } from './find-answers';
import type { Node } from './span-tree';

/** How clients of each convention enable content capture. */
const SWITCHES = new Map([
  ['ai-sdk', 'set recordInputs and recordOutputs of experimental_telemetry to true'],
  ['openinference', 'unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and their kin'],
  ['langfuse', 'let the Langfuse client capture input and output'],
  ['traceloop', 'set TRACELOOP_TRACE_CONTENT to true'],
  [
    'otel',
    'set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT to true (or to SPAN_ONLY), or the option of your instrumentation',
  ],
]);

/**
 * Why a model span gave no turn, for people to read; null when nothing is wrong: it has text, or it
 * asked for tools.
 */
export function explainMissing({ gen, span }: Node): string | null {
  const hasOutput = gen.output.some(({ text, calls }) => text.trim() !== '' || calls.length > 0);
  if (gen.role !== 'llm' || hasOutput || askedForTools(gen)) return null;
  if (typeof gen.outputValue === 'string' && gen.outputValue.trim() !== '') return null;
  if (span.status.code === 2)
    return `the call failed: ${span.status.message || 'no reason was sent'}`;
  // OpenLLMetry's model spans look like OTel's except for the type of the request.
  const isTraceloop =
    gen.conventions.includes('traceloop') || span.attributes.has('llm.request.type');
  const known = isTraceloop
    ? 'traceloop'
    : (gen.conventions.find((name) => SWITCHES.has(name)) ?? 'otel');
  return `content capture is off: the span says nothing of what the model answered; ${SWITCHES.get(known) ?? ''}`;
}

/**
 * A tool result that was not sent cannot be a source: the answer's figures from it count as
 * unsourced.
 */
export function explainTool({ gen, span }: Node): string | null {
  if (gen.role !== 'tool' || gen.toolResult !== null || span.status.code === 2) return null;
  return `the result of the tool ${gen.toolName ?? span.name} did not come with its span`;
}
