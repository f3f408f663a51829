import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { notFound } from '../../platform';
import type { ProbeRun, ProbeState } from './probe';
import { ProbeFindings } from './probe-findings';
import { Probe } from './probe-input';

/** Number of listed runs per probe, newest first. */
const runsMax = 10;

interface Row {
  id: string;
  verifier_slug: string;
  verifier_version: number;
  probe: string;
  items: number;
  repeats: number;
  prompts: string | null;
  judge: string | null;
  findings: unknown;
  cost_usd: number;
  created_by: string;
  started_at: string;
  ended_at: string | null;
  finished_at: string | null;
  state: string | null;
  reason: string | null;
  done: number;
  total: number;
}

/**
 * All probes of a verifier, including those never run, with their latest runs. Ignores a version in
 * the name: each run states its own.
 */
export async function listProbes(
  ctx: ProjectCtx,
  input: { readonly verifier: string },
): Promise<ProbeState[]> {
  const { sql, projectId } = ctx;
  const { slug } = readVerifierName(input.verifier);
  const runs = await readRuns(
    ctx,
    sql`
      select * from (
        select *, row_number() over (partition by probe order by started_at desc, id desc) as place from probe_runs
        where project_id = ${projectId} and verifier_slug = ${slug}
      ) as placed where place <= ${runsMax}`,
  );
  return Probe.options.map((probe) => ({ probe, runs: runs.filter((run) => run.probe === probe) }));
}

/** @throws AssayError not_found */
export async function getProbeRun(ctx: ProjectCtx, id: string): Promise<ProbeRun> {
  const [run] = await readRuns(
    ctx,
    ctx.sql`select * from probe_runs where project_id = ${ctx.projectId} and id = ${id}`,
  );
  if (run === undefined) throw notFound('probe');
  return run;
}

async function readRuns(
  { sql, projectId }: ProjectCtx,
  which: ReturnType<ProjectCtx['sql']>,
): Promise<ProbeRun[]> {
  const rows = await sql<Row[]>`
    select p.id, p.verifier_slug, p.verifier_version, p.probe, p.items, p.repeats, p.prompts, p.judge, p.findings, p.cost_usd, p.created_by,
      p.started_at, p.ended_at, j.finished_at, j.state, j.reason, c.done, c.total
    from (${which}) as p
    left join jobs j on j.project_id = ${projectId} and j.id = p.id
    cross join lateral (
      select count(judged_at)::int as done, count(*)::int as total from probe_answers where project_id = ${projectId} and run_id = p.id
    ) as c
    order by p.started_at desc, p.id desc`;
  return rows.flatMap(asRun);
}

/** Findings stored by an older release in an outdated form are shown as missing. */
function asRun(row: Row): ProbeRun[] {
  const probe = Probe.safeParse(row.probe);
  if (!probe.success) return [];
  const ended = row.ended_at ?? row.finished_at;
  const state = stateOf(row);
  return [
    {
      id: row.id,
      probe: probe.data,
      verifier: `${row.verifier_slug}@${row.verifier_version}`,
      prompts: row.prompts,
      judge: row.judge,
      state,
      items: row.items,
      repeats: row.repeats,
      done: row.done,
      total: row.total,
      costUsd: row.cost_usd,
      createdBy: row.created_by,
      startedAt: new Date(row.started_at),
      endedAt: ended === null ? null : new Date(ended),
      reason: state === 'failed' || state === 'running' ? row.reason : null,
      findings: ProbeFindings.safeParse(row.findings).data ?? null,
    },
  ];
}

/** A probe has ended once it has all its answers, regardless of the state of its job. */
function stateOf({ ended_at: endedAt, state }: Row): ProbeRun['state'] {
  if (endedAt !== null || state === 'done') return 'done';
  if (state === 'cancelled') return 'cancelled';
  return state === 'waiting' || state === 'running' ? 'running' : 'failed';
}
