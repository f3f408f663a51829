import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createCaller } from '../testing/call';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger } from '../testing/ledger';
import { startLane } from '../testing/local-slow-lane';
import { createSlowStack } from '../testing/slow-stack';
import { createStack, long, sampleTurn } from '../testing/stack';
import { until } from '../testing/until';
import { type Clock, type Ctx, systemClock } from '../server/platform';
import { claimSlowBatch, claimWork } from '../server/queue';
import { runLane } from './lane';

const hourMs = 3_600_000;

/** The clock of a machine that is repeatedly set; durations are unaffected. */
function createJumpingClock(): { readonly clock: Clock; jump(ms: number): void } {
  let offsetMs = 0;
  return {
    clock: {
      now: () => new Date(systemClock.now().getTime() + offsetMs),
      monotonicMs: () => systemClock.monotonicMs(),
    },
    jump(ms) {
      offsetMs = ms;
    },
  };
}

const lanes = ['fast', 'slow'] as const;

describe.each(lanes)('%s lane', (lane) => {
  test('R-47 clocks of workers jump an hour ahead and back: leases end by the database alone, nothing lost, nothing twice', async () => {
    const turns = long ? 1_000 : 120;
    const create =
      lane === 'slow' ? () => createSlowStack(inject('databaseUrl'), 'postgres') : null;
    const stack = await (create?.() ?? createStack(inject('databaseUrl')));
    onTestFinished(() => stack.close());
    const { runtime, sql } = stack;
    const stopping = new AbortController();
    const start = (owner: string, ctx: Ctx): (() => Promise<void>) => {
      if (lane === 'slow') {
        const slow = startLane({ ...stack, runtime: { ...runtime, ctx } }, owner);
        return () => slow.stop();
      }
      const { rules, subjects } = runtime;
      const { signal } = stopping;
      const running = runLane(ctx, { owner, signal, rules, subjects, maxBatch: 8 });
      return () => {
        stopping.abort();
        return running;
      };
    };
    const call = createCaller(runtime, stack.key);
    const ids = Array.from({ length: turns }, (_, i) => `r47-${i}`);
    const sent = await call('/v1/turns', { turns: ids.map((id) => sampleTurn(id)) });
    expect(sent.body).toMatchObject({ accepted: turns });

    // A process that claims one piece of work and dies. Its lease expires by the database's clock.
    const dead = { ...runtime.ctx, env: { ...runtime.ctx.env, leaseMs: 1_000 } };
    const [row] = await sql<{ id: string }[]>`select id from work order by id limit 1`;
    const { projectId } = stack.project;
    const [lost] =
      lane === 'slow'
        ? await claimSlowBatch(dead, 'dead', [{ projectId, id: row?.id ?? '' }])
        : await claimWork(dead, { owner: 'dead', limit: 1 });

    const clocks = [createJumpingClock(), createJumpingClock()];
    const ends = clocks.map(({ clock }, n) => start(`worker ${n}`, { ...runtime.ctx, clock }));
    for (const part of [1, 2, 3, 4]) {
      await until(`part ${part} is settled`, async () => {
        const [done] = await sql<{ n: number }[]>`select count(*)::int as n from verdicts`;
        return (done?.n ?? 0) >= (part * turns) / 5 ? true : null;
      });
      const sign = part % 2 === 0 ? 1 : -1;
      clocks[0]?.jump(sign * hourMs);
      clocks[1]?.jump(-sign * hourMs);
    }
    await stack.drained();
    for (const end of ends) await end();
    const all = new Set(ids);
    expect(await closeLedger(sql, projectId, { sent: all, acked: all, faults: [] })).toMatchObject({
      ...clean,
      verdicts: turns,
    });
    // Only the dead process lost its lease.
    expect(await sql`select work_id, "end", worker from work_attempts`).toEqual([
      { work_id: lost?.id, end: 'lost', worker: 'dead' },
    ]);
    reportFigure(`R-47 ${lane}`, { turns, jumps: 8, lost: 0, twice: 0 });
  });
});
