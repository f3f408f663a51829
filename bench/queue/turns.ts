import type { ProjectCtx } from '../../server/access';
import { newId } from '../../server/platform';
import type { NewTurn } from '../../server/ingest';
import { prepareTurn } from '../../server/ingest';
import type { Stage } from '../stage';

/** The JSON of a turn with one figure that its source contains and one that it does not. */
function turnJson(id: string): string {
  return JSON.stringify({
    id,
    model: 'openai/gpt-4o',
    output: 'The disk of web-1 is at 91.4% and 77 GB are free.',
    tools: [{ id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }],
  });
}

/** A turn with an immediate verification, as the intake passes it to its commit. */
export function plannedTurn(projectId: string, id: string): NewTurn {
  const now = new Date();
  return {
    projectId,
    turn: prepareTurn(Buffer.from(turnJson(id)), true, { now, idSeed: null }),
    origin: 'api',
    planned: {
      verdicts: [
        { verdictId: newId('ver', now), verifier: 'integrity', rule: 'integrity', delaySeconds: 0 },
      ],
      decisions: [],
    },
    owner: null,
  };
}

/**
 * Turns `<name>1` to `<name><count>` and their pending work, as the intake would have
 * written them.
 */
export async function fillTurns(
  { sql }: Stage,
  { projectId }: ProjectCtx,
  name: string,
  count: number,
  lane: 'fast' | 'slow' = 'fast',
): Promise<void> {
  const payload = turnJson('ID');
  await sql`
    insert into turns (project_id, id, model, content_hash, payload, flags)
    select ${projectId}, ${name} || n, 'openai/gpt-4o', md5(n::text), replace(${payload}, '"ID"', '"' || ${name} || n || '"'), '{}'
    from generate_series(1, ${count}::int) as n`;
  await sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, rule, lane)
    select ${projectId}, 'ver_bench_' || ${name} || n, 'turn', ${name} || n, 1, 'integrity', 'integrity', ${lane}
    from generate_series(1, ${count}::int) as n`;
}
