import { expect, test } from 'vitest';
import type { WireTurn } from '../../server/ingest/wire';
import type { Turn } from './turn';

/** JSON makes text of dates; all else goes over the wire as it is typed. */
type Sent = Omit<Turn, 'started_at' | 'ended_at'> & {
  started_at?: string | null | undefined;
  ended_at?: string | null | undefined;
};
/** An envelope under another name in verify calls. */
type Known = Omit<WireTurn, 'executor_model'>;

test("a client's turn has the members of the server's, with types that the server takes", () => {
  const takes = (turn: Sent): WireTurn => turn;
  const missing: Exclude<keyof Known, keyof Turn>[] = [];
  const invented: Exclude<keyof Turn, keyof WireTurn>[] = [];
  expect(takes({ output: 'x', tools: [{ id: 'a', result: 1 }] })).toEqual({
    output: 'x',
    tools: [{ id: 'a', result: 1 }],
  });
  expect([...missing, ...invented]).toEqual([]);
});
