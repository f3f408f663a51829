import { expect } from '@playwright/test';
import { readInstance, readKey } from './instance';

/** OTLP JSON as an exporter sends it, with an example of everything that a trace page can show. */
interface Sketch {
  readonly id: number;
  readonly parent?: number;
  readonly name: string;
  /** Milliseconds after the start of the trace. */
  readonly at: number;
  readonly ms: number;
  readonly error?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

const startMs = Date.now() - 60_000;
const ns = (ms: number): string => `${startMs + ms}000000`;
export const spanId = (id: number): string => id.toString(16).padStart(16, '0');

const listed = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

const spoken = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const chat = (question: string, answer: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.input.messages': spoken('user', question),
  'gen_ai.output.messages': spoken('assistant', answer),
  'gen_ai.usage.input_tokens': 412,
  'gen_ai.usage.output_tokens': 38,
});

export const agentTrace = 'a1'.repeat(16);
export const hostileTrace = 'b2'.repeat(16);
export const silentTrace = 'c3'.repeat(16);
export const largeTrace = 'd4'.repeat(16);
const externalTrace = 'e5'.repeat(16);
export const externalSession = 'from-an-external-agent';

const agentSpans: readonly Sketch[] = [
  {
    id: 1,
    name: 'invoke_agent ops-assistant',
    at: 0,
    ms: 2400,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'ops-assistant',
      'assay.session.id': 'night-watch',
    },
  },
  {
    id: 2,
    parent: 1,
    name: 'execute_tool disk',
    at: 120,
    ms: 340,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'disk',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.call.arguments': '{"host":"web-3"}',
      'gen_ai.tool.call.result': '{"rows":[{"host":"web-3","disk_pct":63.2,"free_gib":71.5}]}',
    },
  },
  {
    id: 3,
    parent: 2,
    name: 'GET /metrics',
    at: 150,
    ms: 280,
    attributes: { 'http.request.method': 'GET' },
  },
  {
    id: 4,
    parent: 1,
    name: 'execute_tool uptime',
    at: 500,
    ms: 90,
    error: 'connection refused by web-3:9100',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'uptime',
      'gen_ai.tool.call.arguments': '{"host":"web-3"}',
    },
  },
  {
    id: 5,
    parent: 1,
    name: 'chat gpt-4o',
    at: 700,
    ms: 1650,
    attributes: chat(
      'How full is web-3, and how long is it up?',
      'web-3 is at 63.2% with 71.5 GiB free, and up for 41 days.',
    ),
  },
];

const hostileSpans: readonly Sketch[] = [
  {
    id: 1,
    name: '<img src=x onerror=alert(1)> \u202E and \u0000',
    at: 0,
    ms: 10,
    // In an object literal it would set the prototype instead of an attribute.
    attributes: Object.fromEntries([
      ...Object.entries(
        chat('<script>alert(1)</script>', '[click](javascript:alert(1)) costs 77 \u202E euro'),
      ),
      ['__proto__', 'polluted'],
    ]),
  },
];

/** Content capture is off: a call without its messages. */
const silentSpans: readonly Sketch[] = [
  {
    id: 1,
    name: 'chat gpt-4o-mini',
    at: 0,
    ms: 800,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': 90,
      'gen_ai.usage.output_tokens': 12,
    },
  },
];

/** Work of an agent without a verifier, as its own telemetry reports it. */
const externalSpans: readonly Sketch[] = [
  {
    id: 1,
    name: 'chat gpt-4o',
    at: 0,
    ms: 900,
    attributes: {
      ...chat('Create server.py with a route', 'It is written.'),
      'assay.session.id': externalSession,
    },
  },
];

const largeSpans: readonly Sketch[] = Array.from({ length: 1500 }, (_, at) => ({
  id: at + 1,
  ...(at > 0 && { parent: Math.floor((at - 1) / 6) + 1 }),
  name: at === 0 ? 'nightly batch' : `step ${at}`,
  at: at * 3,
  ms: at === 0 ? 4600 : 40,
}));

function exported(traceId: string, service: string, spans: readonly Sketch[]) {
  return {
    resource: { attributes: listed({ 'service.name': service }) },
    scopeSpans: [
      {
        scope: { name: 'e2e' },
        spans: spans.map((span) => ({
          traceId,
          spanId: spanId(span.id),
          ...(span.parent !== undefined && { parentSpanId: spanId(span.parent) }),
          name: span.name,
          kind: 1,
          startTimeUnixNano: ns(span.at),
          endTimeUnixNano: ns(span.at + span.ms),
          attributes: listed(span.attributes ?? {}),
          ...(span.error !== undefined && { status: { code: 2, message: span.error } }),
        })),
      },
    ],
  };
}

export async function sendTraces(): Promise<void> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [
        exported(largeTrace, 'batch', largeSpans),
        exported(silentTrace, 'summariser', silentSpans),
        exported(hostileTrace, 'evil/<b>service</b>', hostileSpans),
        exported(externalTrace, 'claude-code', externalSpans),
        exported(agentTrace, 'ops-assistant', agentSpans),
      ],
    }),
  });
  expect(response.status).toBe(200);
}
