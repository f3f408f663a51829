import fc from 'fast-check';
import { expect } from 'vitest';
import { testWith } from '../../testing/fixture';
import { type Call, firstState, type Lane, type ModelRow, stepsOf } from '../../testing/lane-model';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { type ClaimedWork, claimLostWork, claimWork, maxDeaths } from './claim';
import { dropWork, returnWork } from './release';

// The model of lane-model.test.ts against the statements of this folder: each walk of the model is
// executed in PostgreSQL, and after each step both have the same rows.

const test = testWith({});
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

const rowCount = 3;
const lane: Lane = { processes: [0, 0, 1], killers: new Set([0]), maxDeaths };
const faults = { crashes: 2, pauses: 2, storage: 2, lostClaims: 0 };
const idOf = (row: number): string => `row-${row}`;

/** The state of the processes of the walk. */
interface Walk {
  readonly lives: number[];
  readonly held: ClaimedWork[][];
}

const ownerOf = ({ lives }: Walk, process: number): string => `w${process} ${lives[process] ?? 0}`;

async function doCall(call: Call, walk: Walk): Promise<void> {
  const { ctx } = runtime;
  if (call.kind === 'crash') {
    lane.processes.forEach((process, loop) => {
      if (process === call.process) walk.held[loop] = [];
    });
    walk.lives[call.process] = (walk.lives[call.process] ?? 0) + 1;
    return;
  }
  if (call.kind === 'end lease') {
    await ctx.sql`update work set due_at = now() - interval '1 second' where id = ${idOf(call.row)}`;
    return;
  }
  if (call.kind === 'lose claim') throw new Error('the walk loses no claim');
  const owner = ownerOf(walk, lane.processes[call.loop] ?? 0);
  const held = walk.held[call.loop] ?? [];
  if (call.kind === 'claim') walk.held[call.loop] = await claimWork(ctx, { owner, limit: 100 });
  else if (call.kind === 'take over') walk.held[call.loop] = await claimLostWork(ctx, owner);
  else if (call.kind === 'return') await returnWork(ctx, owner, held);
  // It ends work under the same condition as `storeVerdicts`.
  else for (const work of held) await dropWork(ctx, owner, work);
}

type Shown = Pick<ModelRow, 'state' | 'owner' | 'deaths'> & { readonly fence: number | null };

/** The rows as the model describes them; work that has ended has no row. */
async function readRows(walk: Walk): Promise<Shown[]> {
  const stored = await runtime.ctx.sql<
    {
      id: string;
      state: 'waiting' | 'quarantined';
      owner: string | null;
      fence: string;
      deaths: number;
    }[]
  >`select id, state, owner, fence, deaths from work where project_id = ${project.projectId}`;
  return Array.from({ length: rowCount }, (_, row) => {
    const found = stored.find(({ id }) => id === idOf(row));
    if (found === undefined) return { state: 'done', owner: null, fence: null, deaths: 0 };
    const process = lane.processes.find((each) => ownerOf(walk, each) === found.owner);
    const owner = found.owner === null ? null : (process ?? 'gone');
    return { state: found.state, owner, fence: Number(found.fence), deaths: found.deaths };
  });
}

const shown = ({ state, owner, fence, deaths }: ModelRow): Shown =>
  state === 'done'
    ? { state, owner: null, fence: null, deaths: 0 }
    : { state, owner, fence, deaths };

/** PostgreSQL chooses among rows, so a walk takes all ready rows, or the only lost one. */
function isChosen({ call }: { readonly call: Call | null }, rows: readonly ModelRow[]): boolean {
  const count = (test_: (row: ModelRow) => boolean): number => rows.filter(test_).length;
  if (call?.kind === 'claim')
    return call.rows.length === count(({ state, owner }) => state === 'waiting' && owner === null);
  return (
    call?.kind !== 'take over' ||
    count(({ state, owner, isExpired }) => state === 'waiting' && owner !== null && isExpired) === 1
  );
}

test('R-12 R-13 walks of the model change the rows of PostgreSQL as those of the model', async () => {
  const { sql } = runtime.ctx;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 5, maxLength: 30 }), async (choices) => {
      await sql`delete from work where project_id = ${project.projectId}`;
      await sql`
        insert into work (project_id, id, subject_kind, subject_id, revision, verifier)
        select ${project.projectId}, 'row-' || n, 'turn', 'row-' || n, 1, 'integrity' from generate_series(0, ${rowCount - 1}) n`;
      const walk: Walk = { lives: [0, 0], held: lane.processes.map(() => []) };
      let state = firstState(rowCount, lane, faults);
      for (const choice of choices) {
        const steps = stepsOf(state, lane).filter((step) => isChosen(step, state.rows));
        const step = steps[choice % Math.max(1, steps.length)];
        if (step === undefined) break;
        if (step.call !== null) await doCall(step.call, walk);
        state = step.to;
        expect([step.name, await readRows(walk)]).toEqual([step.name, state.rows.map(shown)]);
      }
    }),
    { numRuns: process.env.ASSAY_LONG === '1' ? 2_000 : 150 },
  );
});
