import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCaller } from '../testing/call';
import { createTestProject } from '../testing/database';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, compareRollups, createLedger } from '../testing/ledger';
import { type Child, endAll, waitForMessage, startEdge, startWorker } from '../testing/processes';
import { createRandom } from '../testing/seed';
import { replayQuarantined } from '../testing/replay-quarantined';
import {
  backends,
  createSlowStack,
  lacks,
  runsRowTests,
  type SlowStack,
} from '../testing/slow-stack';
import { long, sampleTurn } from '../testing/stack';
import { until } from '../testing/until';
import { timeFactor } from '../testing/time-factor';
import { createKey } from '../server/access';
import { getBacklog, replayWork } from '../server/queue';

describe.each(backends)('slow lane on %s', (backend) => {
  describe.skipIf(lacks(backend))('workers that die, freeze and stop', () => {
    let stack: SlowStack;

    beforeAll(async () => {
      stack = await createSlowStack(inject('databaseUrl'), backend, {
        ASSAY_LEASE_MS: '1000',
        ASSAY_JUDGES_AT_ONCE: '8',
      });
    });

    afterEach(() => endAll());
    afterAll(() => stack.close());

    const slowWorker = (more: Readonly<Record<string, string>> = {}): Promise<Child> =>
      startWorker({ ...stack.variables, ...more }, 'slow-worker');

    /** Records every claim, so that the attempt rows can be compared with the claims. */
    async function noteClaims(): Promise<void> {
      await stack.sql.unsafe(`
        create table test_claims (id text, fence bigint);
        create function note_claim() returns trigger language plpgsql as $$
        begin insert into test_claims values (new.id, new.fence); return new; end $$;
        create trigger note_claim after update on work for each row when (new.fence > old.fence) execute function note_claim()`);
    }

    async function expectCleanBook(): Promise<void> {
      const { projectId } = stack.project;
      const sent = new Set(
        (
          await stack.sql<{ id: string }[]>`select id from turns where project_id = ${projectId}`
        ).map((row) => row.id),
      );
      expect(
        await closeLedger(stack.sql, projectId, { sent, acked: sent, faults: [] }),
      ).toMatchObject(clean);
    }

    test(
      'R-12 workers killed while judges answer: nothing lost, nothing twice, each re-run has its attempt row',
      async () => {
        const turns = long ? 2000 : 30;
        const kills = long ? 30 : 1;
        const random = createRandom(`R-12 slow ${backend}`);
        const began = performance.now();
        const edge = await startEdge(stack.variables);
        await noteClaims();
        const delay = { HARNESS_DELAY_MS: '150' };
        const inHand = async (): Promise<true | null> =>
          (await stack.sql`select 1 from work where owner is not null limit 1`).length > 0
            ? true
            : null;
        const workers = await Promise.all([slowWorker(delay), slowWorker(delay)]);
        const ledger = createLedger({ url: edge.url, key: stack.key });
        let next = 0;
        for (let kill = 0; kill < kills; kill++) {
          const count = Math.min(Math.ceil(turns / kills), turns - next);
          await ledger.postUntilAcked(
            Array.from({ length: count }, () => sampleTurn(`r12-${next++}`)),
          );
          // A slow machine starts late, so the first kill waits until work is in progress, and
          // kills both workers.
          if (kill === 0) await until('work is in hand', inHand);
          else await new Promise((resolve) => setTimeout(resolve, random.between(50, 500)));
          const victims = kill === 0 ? [0, 1] : [random.between(0, 1)];
          await Promise.all(victims.map(async (victim) => workers[victim]?.kill()));
          for (const victim of victims) workers[victim] = await slowWorker(delay);
        }
        await stack.drained(300_000);
        const setAside = await replayQuarantined(stack.project);
        expect(setAside).toBeLessThanOrEqual(2 * kills);
        await stack.drained();
        const balance = await closeLedger(stack.sql, stack.project.projectId, ledger);
        expect(balance).toMatchObject({
          ...clean,
          sent: turns,
          acked: turns,
          stored: turns,
          verdicts: turns,
        });
        const [runs] = await stack.sql<{ claims: number; lost: number; other: number }[]>`
          select (select count(*)::int from test_claims) as claims, count(*) filter (where "end" = 'lost')::int as lost,
            count(*) filter (where "end" <> 'lost')::int as other from work_attempts`;
        // A claimed row without a slot is returned before it runs, which is a claim without a run.
        expect(runs?.claims).toBeGreaterThanOrEqual(turns + (runs?.lost ?? 0));
        expect(runs?.other).toBe(0);
        expect(runs?.lost).toBeGreaterThan(0);
        expect((await getBacklog(stack.project)).quarantined).toEqual([]);
        reportFigure(`R-12 slow ${backend}`, {
          turns,
          kills,
          seed: random.seed,
          lost: 0,
          twice: 0,
          reruns: runs?.lost ?? 0,
          'set aside and replayed': setAside,
          seconds: ((performance.now() - began) / 1000).toFixed(1),
        });
      },
      long ? 420_000 : 300_000,
    );

    test.runIf(runsRowTests(backend))(
      'R-12 X-10 workers killed while a rule waits for another verdict: each decision ends with one verdict',
      async () => {
        const project = await createTestProject(stack.runtime);
        const { key } = await createKey(project, {
          name: 'k',
          scopes: ['ingest', 'read', 'write'],
        });
        const call = createCaller(stack.runtime, key);
        // A check decides, so that the verdict does not depend on a judge.
        const mapping = { success_criteria: { value: [{ check: 'regex', value: '.' }] } };
        const rules = {
          integrity: { verifier: 'integrity' },
          tasks: {
            verifier: 'task',
            mapping,
            filter: { verdict: { verifier: 'integrity', outcome: ['passed', 'failed'] } },
          },
        };
        for (const [name, rule] of Object.entries(rules))
          expect((await call(`/v1/rules/${name}`, rule, {}, 'PUT')).status).toBe(200);
        const delay = { HARNESS_DELAY_MS: '100' };
        const turns = Array.from({ length: 20 }, (_, at) => sampleTurn(`rules-${at}`));
        let worker = await slowWorker(delay);
        expect((await call('/v1/turns', { turns })).body).toMatchObject({ accepted: 20 });
        for (let kill = 0; kill < (long ? 3 : 1); kill++) {
          await until('work is in progress', async () => {
            const rows = await stack.sql`select 1 from work where owner is not null limit 1`;
            return rows.length > 0 ? true : null;
          });
          await worker.kill();
          worker = await slowWorker(delay);
        }
        await stack.drained(120_000);
        await replayQuarantined(project);
        await stack.drained(120_000);
        const decisions = await stack.sql`
        select d.rule, d.state, count(*)::int as decisions, count(distinct v.id)::int as verdicts
        from decisions d left join verdicts v on v.project_id = d.project_id and v.id = d.verdict_id
        where d.project_id = ${project.projectId} group by 1, 2 order by 1`;
        expect([...decisions]).toEqual(
          ['integrity', 'tasks'].map((rule) => ({
            rule,
            state: 'run',
            decisions: 20,
            verdicts: 20,
          })),
        );
        const stored = await stack.sql`
        select count(*)::int as n from verdicts where project_id = ${project.projectId}`;
        expect([...stored]).toEqual([{ n: 40 }]);
        expect(await compareRollups(stack.sql, project.projectId)).toEqual([]);
      },
      300_000,
    );

    test.runIf(runsRowTests(backend))(
      'R-13 a subject that kills its worker is quarantined after three deaths; its neighbours are verified',
      async () => {
        const call = createCaller(stack.runtime, stack.key);
        const others = Array.from({ length: 12 }, (_, i) => sampleTurn(`r13-${i}`));
        others.splice(5, 0, sampleTurn('r13-poison', { output: 'POISON 5 GB' }));
        expect((await call('/v1/turns', { turns: others })).body).toMatchObject({ accepted: 13 });
        const abort = { ASSAY_LEASE_MS: '2500', HARNESS_KIND: 'abort' };
        let deaths = 0;
        let watching = true;
        let worker = await slowWorker(abort);
        const keeping = (async () => {
          while (watching) {
            await worker.exited;
            if (!watching) return;
            deaths++;
            worker = await slowWorker(abort);
          }
        })();
        const [quarantined] = await until(
          'quarantined',
          async () => {
            const backlog = await getBacklog(stack.project);
            return backlog.quarantined.length > 0 && backlog.waiting === 0
              ? backlog.quarantined
              : null;
          },
          100_000,
        );
        watching = false;
        await worker.kill();
        await keeping;
        expect(deaths).toBe(3);
        expect(quarantined).toMatchObject({
          subjectId: 'r13-poison',
          reason: 'its worker died 3 times while verifying it',
        });
        expect(
          await stack.sql`select subject_id from verdicts where subject_id like 'r13-%'`,
        ).toHaveLength(12);
        await replayWork(stack.project, { subjectId: 'r13-poison', verifier: 'integrity' });
        const sound = await slowWorker();
        await stack.drained();
        await sound.kill();
        await expectCleanBook();
      },
    );

    async function freezeOne(turn: string): Promise<void> {
      const call = createCaller(stack.runtime, stack.key);
      await call('/v1/turns', { turns: [sampleTurn(turn)] });
      const zombie = await slowWorker({ HARNESS_KIND: 'hold', HARNESS_ANSWER: 'sourced' });
      await waitForMessage(zombie, 'holds');
      zombie.signal('SIGSTOP');
      const other = await slowWorker({ HARNESS_ANSWER: 'unsourced' });
      const verdict = await until('the other settles', () => findVerdict(turn));
      expect(verdict.verdict).toBe('unsourced');
      zombie.send({ go: true });
      zombie.signal('SIGCONT');
      const attempts = await until('the refusal is noted', async () => {
        const rows = await stack.sql<{ end: string; attempt: number }[]>`
          select "end", attempt from work_attempts where work_id = ${verdict.id} order by attempt desc`;
        return rows.some((row) => row.end === 'refused')
          ? rows.map((row) => [row.end, row.attempt])
          : null;
      });
      expect(attempts).toEqual([
        ['lost', 1],
        ['refused', -1],
      ]);
      expect(await findVerdict(turn)).toEqual(verdict);
      await Promise.all([zombie.kill(), other.kill()]);
    }

    test.runIf(runsRowTests(backend))(
      'R-17 R-57 a worker frozen past its lease wakes with another answer: the first committed verdict is kept, both attempts are recorded',
      async () => {
        const rounds = long ? 20 : 1;
        for (let round = 0; round < rounds; round++) await freezeOne(`r17-${round}`);
        reportFigure(`R-17 slow ${backend}`, { rounds, 'late answers refused': rounds });
        const [refused] = await stack.sql<
          { n: number }[]
        >`select count(*)::int as n from work_attempts where "end" = 'refused'`;
        expect(refused?.n).toBe(rounds);
        await expectCleanBook();
      },
    );

    test.runIf(runsRowTests(backend))(
      'R-57 killed between answer and commit: the next answer is the verdict, and the lost attempt is recorded',
      async () => {
        const call = createCaller(stack.runtime, stack.key);
        await call('/v1/turns', { turns: [sampleTurn('r57')] });
        const first = await slowWorker({ HARNESS_KIND: 'hold', HARNESS_ANSWER: 'sourced' });
        await waitForMessage(first, 'holds');
        await first.kill();
        const second = await slowWorker({ HARNESS_ANSWER: 'unsourced' });
        const verdict = await until('settled', () => findVerdict('r57'));
        expect(verdict.verdict).toBe('unsourced');
        const ends =
          await stack.sql`select "end", attempt from work_attempts where work_id = ${verdict.id}`;
        expect(ends.map((row) => ({ ...row }))).toEqual([{ end: 'lost', attempt: 1 }]);
        await second.kill();
        await expectCleanBook();
      },
    );

    test('R-16 a worker that is asked to stop returns its work in progress, uncounted, and another continues at once', async () => {
      const call = createCaller(stack.runtime, stack.key);
      await call('/v1/turns', { turns: [sampleTurn('r16')] });
      const leaving = await slowWorker({ HARNESS_KIND: 'hold', ASSAY_LEASE_MS: '60000' });
      await waitForMessage(leaving, 'holds');
      const began = performance.now();
      leaving.signal('SIGTERM');
      expect(await leaving.exited).toBe(0);
      expect(performance.now() - began).toBeLessThan(timeFactor * 9_000);
      const [row] =
        await stack.sql`select owner, attempts, deaths from work where subject_id = 'r16'`;
      expect({ ...row }).toEqual({ owner: null, attempts: 0, deaths: 0 });
      const next = await slowWorker();
      await until('settled', () => findVerdict('r16'));
      await next.kill();
      await expectCleanBook();
    });

    async function findVerdict(
      turn: string,
    ): Promise<{ id: string; verdict: string | null; settled_at: string } | null> {
      const rows = await stack.sql<{ id: string; verdict: string | null; settled_at: string }[]>`
        select id, verdict, settled_at from verdicts where subject_id = ${turn}`;
      if (rows.length > 1) throw new Error('more than one verdict');
      return rows[0] === undefined ? null : { ...rows[0] };
    }
  });
});
