// Some answers of the ops assistant as an OpenTelemetry exporter sends them: a span for the
// agent, one for its tool, and one for its model.
import { createHash } from 'node:crypto';

/** @typedef {import('./make-turns.mjs').DemoTurn} DemoTurn */

/** @param {string} text @param {number} digits @returns {string} hex */
const idOf = (text, digits) => createHash('sha256').update(text).digest('hex').slice(0, digits);

/** @param {Record<string, string | number>} attributes */
const listed = (attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** @param {string} role @param {string} content */
const spoken = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/**
 * An ExportTraceServiceRequest with a trace for each turn; a trace's turn has the same answer and
 * the same sources as the turn it is made from.
 * @param {readonly DemoTurn[]} turns @returns {Record<string, unknown>}
 */
export function makeTraces(turns) {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: listed({ 'service.name': 'ops-assistant', 'assay.simulated': 'true' }),
        },
        scopeSpans: [{ scope: { name: 'assay.demo' }, spans: turns.flatMap(spansOf) }],
      },
    ],
  };
}

/** @param {DemoTurn} made */
function spansOf({ id, turn, endedAt }) {
  const [tool] = /** @type {{ name: string, result: unknown }[]} */ (turn.tools);
  const [asked] = /** @type {{ content: string }[]} */ (turn.input);
  const end = (endedAt ?? new Date()).getTime();
  const traceId = idOf(id, 32);
  const span = (
    /** @type {string} */ name,
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {Record<string, string | number>} */ attributes,
  ) => ({
    traceId,
    spanId: idOf(`${id} ${name}`, 16),
    ...(name.startsWith('invoke_agent') ? {} : { parentSpanId: idOf(`${id} ${root}`, 16) }),
    name,
    kind: 1,
    startTimeUnixNano: `${end - from}000000`,
    endTimeUnixNano: `${end - to}000000`,
    attributes: listed(attributes),
    status: {},
  });
  const output = String(turn.output);
  return [
    span(root, 2_400, 0, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'ops-assistant',
      'assay.session.id': String(turn.session_id),
    }),
    span(`execute_tool ${tool?.name}`, 2_300, 1_900, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool?.name ?? '',
      'gen_ai.tool.call.id': 'tc1',
      'gen_ai.tool.call.arguments': '{}',
      'gen_ai.tool.call.result': JSON.stringify(tool?.result),
    }),
    span(`chat ${String(turn.model)}`, 1_800, 20, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': String(turn.model),
      'gen_ai.input.messages': spoken('user', asked?.content ?? ''),
      'gen_ai.output.messages': spoken('assistant', output),
      'gen_ai.usage.input_tokens': 300 + output.length,
      'gen_ai.usage.output_tokens': Math.ceil(output.length / 4),
    }),
  ];
}

const root = 'invoke_agent ops-assistant';
