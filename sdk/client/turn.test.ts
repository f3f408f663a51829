import { expect, test } from 'vitest';
import type { WireTurn } from '../../server/ingest/wire';
import type { Turn } from './turn';

/** JSON turns dates into text; everything else is sent as typed. */
type Sent = Omit<Turn, 'started_at' | 'ended_at'> & {
  started_at?: string | null | undefined;
  ended_at?: string | null | undefined;
};
/** Verify calls name one member differently. */
type Known = Omit<WireTurn, 'executor_model'>;

test("a client's turn has the members of the server's, with types that the server accepts", () => {
  const takes = (turn: Sent): WireTurn => turn;
  const missing: Exclude<keyof Known, keyof Turn>[] = [];
  const invented: Exclude<keyof Turn, keyof WireTurn>[] = [];
  expect(takes({ output: 'x', tools: [{ id: 'a', result: 1 }] })).toEqual({
    output: 'x',
    tools: [{ id: 'a', result: 1 }],
  });
  expect([...missing, ...invented]).toEqual([]);
});
