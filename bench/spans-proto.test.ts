import { describe, expect, it } from 'vitest';
import { decodeSegment, readExport } from '../server/ingest';
import { benchTrace, spansJson } from './spans';
import { spansProto } from './spans-proto';

describe('spans of the benches', () => {
  it('R-99 are the same in protobuf and in JSON', () => {
    const spans = benchTrace(20, 7);
    const decoded = decodeSegment('proto', spansProto(spans));
    expect(decoded).toHaveLength(20);
    expect(decoded).toEqual(decodeSegment('json', spansJson(spans)));
  });

  it('are one trace with a root and no bad span', () => {
    const read = readExport(spansProto(benchTrace(20, 7)), 'proto', true);
    expect(read).toMatchObject({
      spans: 20,
      rejected: [],
      segments: [{ isWhole: true, spans: 20, hasRoot: true }],
    });
  });
});
