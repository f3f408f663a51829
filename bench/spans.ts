import { randomBytes } from 'node:crypto';

type Part = 'answer' | 'step' | 'tool';

/**
 * Attributes of one of an agent's spans, as an instrumented client sends them: about 2 KB of OTLP
 * JSON per span. An answer has a text, a step requests a tool, and the tool's span has its result.
 */
function attributes(salt: number, part: Part): readonly (readonly [string, string | number])[] {
  const question = `How full are the disks of the web hosts, and which of them needs attention first? Answer for host web-${salt % 40}.`;
  const rows = Array.from({ length: 6 }, (_, i) => ({
    host: `web-${i}`,
    disk_pct: ((salt * 7 + i * 13) % 1000) / 10,
    free_gb: (salt * 3 + i) % 512,
  }));
  const text = { type: 'text', content: `web-3 is at ${rows[3]?.disk_pct}% now.` };
  const call = { type: 'tool_call', id: `tc-${salt}`, name: 'disk', arguments: { cluster: 'web' } };
  if (part === 'tool') {
    return [
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', 'disk'],
      ['gen_ai.tool.call.id', `tc-${salt - 1}`],
      ['gen_ai.tool.call.result', JSON.stringify({ rows: [...rows, ...rows, ...rows] })],
      ['server.address', 'tools.example.org'],
    ];
  }
  return [
    ['gen_ai.operation.name', 'chat'],
    ['gen_ai.provider.name', 'openai'],
    ['gen_ai.request.model', 'gpt-4o'],
    ['gen_ai.response.model', 'gpt-4o-2024-08-06'],
    ['gen_ai.response.id', `chatcmpl-${salt}`],
    ['gen_ai.conversation.id', `s-${salt % 97}`],
    ['gen_ai.usage.input_tokens', 900 + (salt % 100)],
    ['gen_ai.usage.output_tokens', 40 + (salt % 10)],
    ['server.address', 'api.example.org'],
    ['server.port', 443],
    [
      'gen_ai.input.messages',
      JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: question }] },
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'tc1', name: 'disk', arguments: { cluster: 'web' } }],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'tc1', response: { rows } }] },
      ]),
    ],
    [
      'gen_ai.output.messages',
      JSON.stringify([
        {
          role: 'assistant',
          parts: [part === 'step' ? call : text],
          finish_reason: part === 'step' ? 'tool_calls' : 'stop',
        },
      ]),
    ],
  ];
}

export interface BenchSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startNs: bigint;
  readonly attributes: readonly (readonly [string, string | number])[];
}

/**
 * One trace of `count` spans: an agent's steps with their tools, and its answer at the root: one
 * turn.
 */
export function benchTrace(count: number, salt: number): BenchSpan[] {
  const traceId = randomBytes(16).toString('hex');
  const ids = Array.from({ length: count }, () => randomBytes(8).toString('hex'));
  return ids.map((spanId, i) => ({
    traceId,
    spanId,
    parentSpanId: i === 0 ? '' : (ids[0] ?? ''),
    name: i === 0 || i % 2 === 1 ? 'chat gpt-4o' : 'execute_tool disk',
    // The answer at the root comes last: its span starts after those of its steps.
    startNs:
      1_767_535_200_000_000_000n +
      BigInt(salt) * 1_000_000_000n +
      BigInt(i === 0 ? count : i) * 1_000_000n,
    attributes: attributes(salt * count + i, i === 0 ? 'answer' : i % 2 === 1 ? 'step' : 'tool'),
  }));
}

/** An ExportTraceServiceRequest as OTLP JSON. */
export function spansJson(spans: readonly BenchSpan[]): string {
  const value = (each: string | number): object =>
    typeof each === 'string' ? { stringValue: each } : { intValue: String(each) };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: [{ key: 'service.name', value: { stringValue: 'ops-assistant' } }],
        },
        scopeSpans: [
          {
            scope: { name: 'bench', version: '1.0.0' },
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === '' ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: 3,
              startTimeUnixNano: String(span.startNs),
              endTimeUnixNano: String(span.startNs + 1_000_000n),
              attributes: span.attributes.map(([key, each]) => ({ key, value: value(each) })),
              status: { code: 0 },
            })),
          },
        ],
      },
    ],
  });
}
