import { describe, expect, it, test } from 'vitest';
import { exportAnswer, statusAnswer, statusCodes } from './answer';
import { exportJson } from './encode-json';
import { decodeSegment } from './decode-segment';
import { decodeMessage } from '../../../testing/otlp-library';

describe('answers of OTLP', () => {
  it('R-100 nothing rejected: no partial success in either encoding', () => {
    expect(exportAnswer('json', { rejected: 0, message: null }).toString()).toBe('{}');
    expect(exportAnswer('proto', { rejected: 0, message: null })).toHaveLength(0);
  });

  it('R-72 the rejected count, and the reason', () => {
    const answer = { rejected: 70_000, message: 'span 3: traceId \ud800' };
    expect(JSON.parse(exportAnswer('json', answer).toString())).toEqual({
      partialSuccess: { rejectedSpans: '70000', errorMessage: 'span 3: traceId \ufffd' },
    });
    expect(decodeMessage('ExportTraceServiceResponse', exportAnswer('proto', answer))).toEqual({
      partialSuccess: { rejectedSpans: '70000', errorMessage: 'span 3: traceId \ufffd' },
    });
  });

  it('a message without a rejected span is a warning', () => {
    const answer = { rejected: 0, message: 'slow down' };
    expect(decodeMessage('ExportTraceServiceResponse', exportAnswer('proto', answer))).toEqual({
      partialSuccess: { errorMessage: 'slow down' },
    });
    expect(JSON.parse(exportAnswer('json', answer).toString())).toEqual({
      partialSuccess: { errorMessage: 'slow down' },
    });
  });

  test.each(Object.entries(statusCodes))('R-83 an error is a Status: %s', (name, code) => {
    expect(JSON.parse(statusAnswer('json', code, name).toString())).toEqual({
      code,
      message: name,
    });
    expect(decodeMessage('RpcStatus', statusAnswer('proto', code, name))).toEqual({
      code,
      message: name,
    });
  });
});

test('exportJson writes what decodeSegment reads', () => {
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const attributes = new Map([
    [
      '__proto__',
      { 'a.b': [1, 2.5, Number.NaN, 2n ** 62n, true, null, 'text', new Map([['k', 'v']])] },
    ],
  ]);
  const text = exportJson({
    resource: { 'service.name': 'assay' },
    scope: { name: 'verdicts', version: '1' },
    spans: [
      {
        ...ids,
        name: 'verdict',
        startNs: '1',
        endNs: '2',
        attributes,
        events: [{ name: 'e', timeNs: '3', attributes: { a: 1 } }],
      },
    ],
  });
  const list = [
    { raw: '1' },
    { raw: '2.5' },
    { raw: 'NaN' },
    { raw: '4611686018427387904' },
    true,
    null,
    'text',
    new Map([['k', 'v']]),
  ];
  expect(decodeSegment('json', text)).toEqual([
    {
      ...ids,
      parentSpanId: null,
      parentIsRemote: false,
      name: 'verdict',
      kind: 1,
      startNs: '1',
      endNs: '2',
      status: { code: 0, message: '' },
      attributes: new Map([['__proto__', new Map([['a.b', list]])]]),
      events: [{ name: 'e', timeNs: '3', attributes: new Map([['a', { raw: '1' }]]) }],
      links: 0,
      dropped: { attributes: 0, events: 0, links: 0 },
      scope: { name: 'verdicts', version: '1' },
      resource: new Map([['service.name', 'assay']]),
      flags: [],
    },
  ]);
});
