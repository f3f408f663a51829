import { setTimeout as pause } from 'node:timers/promises';
import { residentMiB } from '../cpu';
import { bound, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { type GatewaySetup, startGatewaySetup, requestBody, type Side } from './setup';
import { openWire, type Wire } from './wire-client';

const sampleMs = 100;

/** G6: clients that disconnect, and clients that do not read. */
export const g6: RowMaker = {
  name: 'G6',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    const [one, all] = [
      await disconnectInTurn(setup, settings.smoke ? 10 : 100),
      await disconnectTogether(setup, settings.smoke ? 10 : 100),
    ];
    settings.log({ row: 'G6 leave', inTurnMs: Math.max(...one), atOnceMs: all });
    const slow = await slowReaders(setup.assay, settings);
    const floor = await slowReaders(setup.floor, settings);
    settings.log({ row: 'G6 slow', assay: slow, floor });
    return rows([...one, all], slow, floor);
  },
};

function rows(left: readonly number[], slow: number, floor: number): Row[] {
  return [
    bound({
      figure: 'G6 from a client that leaves its stream to the end of the upstream connection',
      unit: 'ms',
      assayValues: left,
      goal: { max: 50 },
      notes: ['one after the other, and the last of as many that disconnect at once'],
    }),
    bound({
      figure: 'G6 memory a stream whose client does not read, at its peak',
      unit: 'MiB',
      assayValues: [slow],
      goal: { max: 1 },
      notes: [`floor ${floor.toFixed(2)} MiB; the upstream sends as fast as it is read`],
    }),
  ];
}

/** Opens a stream and resolves with its first bytes. */
async function openStream(side: Side, mode: 'open' | 'endless'): Promise<Wire> {
  const wire = await openWire(side.port);
  const first = new Promise<void>((resolve) => wire.socket.once('data', () => resolve()));
  void wire.send({ request: side.message(mode, 'openai', requestBody({ stream: true })) });
  await first;
  return wire;
}

interface MockReport {
  readonly open: number;
  readonly closedAt: bigint;
}

async function readMockReport(control: Wire): Promise<MockReport> {
  const { body } = await control.send({
    request: Buffer.from('GET /seen/ HTTP/1.1\r\nhost: mock\r\n\r\n'),
    keepsBody: true,
  });
  const { open, closedAt } = JSON.parse(body?.toString() ?? '{}') as {
    open: number;
    closedAt: string;
  };
  return { open, closedAt: BigInt(closedAt) };
}

/**
 * @throws Error if the mock still has an open stream after ten seconds, which voids the run
 */
async function whenNoneIsOpen(control: Wire): Promise<bigint> {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const { open, closedAt } = await readMockReport(control);
    if (open === 0) return closedAt;
    await pause(5);
  }
  throw new Error('void: an upstream connection outlives its client');
}

/** Milliseconds from each disconnect to the end of its upstream connection. */
async function disconnectInTurn(setup: GatewaySetup, times: number): Promise<number[]> {
  const control = await openWire(setup.mock.port);
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const wire = await openStream(setup.assay, 'open');
    const leftAt = process.hrtime.bigint();
    wire.close();
    took.push(Number((await whenNoneIsOpen(control)) - leftAt) / 1e6);
  }
  control.close();
  await setup.assay.settle(times);
  return took;
}

/** The same for the last of many clients that disconnect at once. */
async function disconnectTogether(setup: GatewaySetup, count: number): Promise<number> {
  const control = await openWire(setup.mock.port);
  const wires = await Promise.all(
    Array.from({ length: count }, () => openStream(setup.assay, 'open')),
  );
  const leftAt = process.hrtime.bigint();
  for (const wire of wires) wire.close();
  const last = Number((await whenNoneIsOpen(control)) - leftAt) / 1e6;
  control.close();
  await setup.assay.settle(count);
  return last;
}

/** Peak MiB per stream above the memory of the idle process. */
async function slowReaders(side: Side, settings: Settings): Promise<number> {
  const count = settings.smoke ? 20 : 200;
  const before = residentMiB(side.pid);
  const wires = await Promise.all(
    Array.from({ length: count }, async () => {
      const wire = await openStream(side, 'endless');
      wire.socket.pause();
      return wire;
    }),
  );
  let peak = 0;
  for (
    const end = performance.now() + (settings.smoke ? 1_000 : 5_000);
    performance.now() < end;
    await pause(sampleMs)
  ) {
    peak = Math.max(peak, residentMiB(side.pid));
  }
  for (const wire of wires) wire.close();
  await side.settle(count);
  return (peak - before) / count;
}
