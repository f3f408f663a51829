import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noSourceSettings } from '../../domain';
import { until } from '../../../testing/until';
import { bundleThread, type ThreadBundle } from '../../../testing/gateway-thread';
import { threadOf, type ThreadRole } from '../thread';
import type { ScanQuestion } from './deps';
import { createFigureScan, type FigureScan } from './figure-scan';
import { requestBody, testDeps } from './verify-fixture';
import { readSources, scanTurn, scanSubject } from './scan-turn';
import { createSourceCache } from './source-cache';

let bundle: ThreadBundle<ThreadRole>;
const workers: Worker[] = [];

beforeAll(async () => {
  bundle = await bundleThread(threadOf);
});
afterAll(() => bundle.close());

function openScan(): FigureScan {
  return createFigureScan(testDeps().deps, (role) => {
    const worker = bundle.start(role);
    workers.push(worker);
    return worker;
  });
}

let calls = 0;

function question(rows: number, output: string, more: Partial<ScanQuestion> = {}): ScanQuestion {
  const result = JSON.stringify({
    rows: Array.from({ length: rows }, (_, at) => ({ host: `web-${at}`, disk_pct: 1000 + at })),
  });
  const messages = [
    { role: 'user', content: 'How full are my 77 hosts?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'tc1', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'tc1', content: result },
  ];
  return {
    projectId: 'prj_1',
    callId: `call_${++calls}`,
    dialect: 'chat',
    body: requestBody('chat', false, { messages }),
    output,
    envelope: null,
    repromptUsed: false,
    allowUserFigures: false,
    sources: noSourceSettings,
    derivedCountsAsSourced: false,
    ...more,
  };
}

const small = question(3, 'It is at 55%.');
const large = (): ScanQuestion => question(20_000, 'It is at 55%, or 1007.');
const found = {
  state: 'done',
  detail: { unsourced: 1, figures: [{ text: '55%', sourced: false }, { sourced: true }] },
};

test('R-62 a large turn is scanned in a thread with the same result, without blocking the event loop', async () => {
  const { scan } = openScan();
  const here = await scan(small, 50);
  expect(here).toMatchObject({ state: 'done', detail: { unsourced: 1, mode: 'fallback_scan' } });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const asked = large();
  const there = await scan(asked, 60_000);
  clearInterval(timer);
  expect(there).toMatchObject(found);
  expect(turns).toBeGreaterThan(3);
  const inOneGo = await scanTurn(scanSubject(readSources(asked), false), asked, false);
  expect(there).toEqual({ state: 'done', detail: inOneGo });
});

test('R-62 sources read ahead are not sent again, and both answers have the same result', async () => {
  const { scan, readAhead } = openScan();
  const asked = large();
  readAhead(asked);
  const without = { ...asked, body: Buffer.alloc(asked.body.length) };
  expect(await scan(without, 60_000)).toMatchObject(found);
  expect(
    await scan({ ...without, output: 'It is at 1007.', repromptUsed: true }, 60_000),
  ).toMatchObject({ detail: { unsourced: 0 } });
});

test('R-62 a scan past its deadline is late', async () => {
  const { scan } = openScan();
  const huge = question(120_000, 'It is at 12.345%. '.repeat(500));
  expect(await scan(huge, 50)).toEqual({ state: 'late' });
});

test('R-104 beyond 32 long answers of a project or 64 in total, scans are busy at once, and possible again later', async () => {
  const { scan } = openScan();
  const asked = Array.from({ length: 40 }, () => large());
  const states = async (projectId: string): Promise<readonly string[]> =>
    (await Promise.all(asked.map((each) => scan({ ...each, projectId }, 60_000)))).map(
      ({ state }) => state,
    );
  const [first, second, third] = await Promise.all([
    states('prj_1'),
    states('prj_2'),
    states('prj_3'),
  ]);
  expect(first).toEqual([...Array<string>(32).fill('done'), ...Array<string>(8).fill('busy')]);
  expect(second).toEqual(first);
  expect(third).toEqual(Array<string>(40).fill('busy'));
  expect(await scan({ ...large(), projectId: 'prj_3' }, 60_000)).toMatchObject(found);
});

test('a thread that dies breaks its scans; the next scan starts a new thread and sends its sources again', async () => {
  const { scan, readAhead } = openScan();
  const next = large();
  readAhead(next);
  await scan(small, 50);
  const broken = scan(question(120_000, 'It is at 55%.'), 60_000);
  const dead = workers.at(-1);
  await dead?.terminate();
  expect(await broken).toEqual({ state: 'broken' });
  expect(
    await until('a new thread', async () =>
      (await scan(next, 60_000)).state === 'done' ? true : null,
    ),
  ).toBe(true);
  expect(workers.at(-1)).not.toBe(dead);
});

test('a source file is not a thread', () => {
  expect(threadOf(import.meta.url)).toBeNull();
});

describe('cached sources', () => {
  test('equal results are parsed once for all calls, and separately with user messages', () => {
    const cache = createSourceCache();
    const first = cache.put(question(20, ''));
    expect(cache.put(question(20, ''))).toBe(first);
    const withUser = cache.put(question(20, '', { allowUserFigures: true }));
    expect([withUser === first, cache.size]).toEqual([false, 2]);
    expect(cache.put(question(21, ''))).not.toBe(first);
    expect(cache.find('unknown')).toBeNull();
  });

  test('the 64 most recently used are kept, for five minutes', () => {
    let now = 0;
    const cache = createSourceCache(() => now);
    const asked = Array.from({ length: 66 }, (_, at) => question(at + 1, ''));
    for (const each of asked.slice(0, 64)) cache.put(each);
    now = 200_000;
    const kept = cache.find(asked[0]?.callId ?? '');
    for (const each of asked.slice(64)) cache.put(each);
    expect([cache.size, kept !== null, cache.find(asked[0]?.callId ?? '') === kept]).toEqual([
      64,
      true,
      true,
    ]);
    expect([cache.find(asked[1]?.callId ?? ''), cache.find(asked[2]?.callId ?? '')]).toEqual([
      null,
      null,
    ]);
    now = 400_000;
    cache.sweep();
    expect(cache.size).toBe(3);
  });
});
