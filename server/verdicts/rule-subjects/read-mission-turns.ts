import { z } from 'zod';
import { EvaluationSubject, Outcome, type SubjectOf } from '../../domain';
import { loadTurns, turnKey } from '../../ingest';
import type { Ctx } from '../../platform';
import { fromTurn } from '../../verifiers';

interface Row {
  id: string;
  turn_id: string | null;
  content: string;
  model: string | null;
  cost_usd: number | null;
  verdicts: Record<string, unknown>;
}

/** The content of a verify call for a task. Subjects of other kinds cannot be shown as turns. */
const Content = z.object({
  subject: z.object({ task_description: z.string(), task_output: z.string() }),
});
const Verdicts = z.record(
  z.string(),
  z.object({ outcome: Outcome, score: z.number().nullable(), verdict: z.string().nullable() }),
);

/**
 * The verified work of a mission as turns with their verdicts, in the order in which it was
 * received: turns that rules sent, and tasks from verify calls. The revision is the number of the
 * mission's subjects.
 */
export async function readMissionTurns(
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
  missionId: string,
): Promise<{ readonly revision: number; readonly turns: SubjectOf<'turn'>[] }> {
  const rows = await ctx.sql<Row[]>`
    select s.id, s.turn_id, s.content, s.model, s.cost_usd, coalesce((
      select jsonb_object_agg(v.verifier_slug, jsonb_build_object('outcome', v.outcome, 'score', v.score, 'verdict', v.verdict)
        order by v.settled_at)
      from verdicts v where v.project_id = s.project_id and v.subject_id = s.id and v.revision = s.revision and v.experiment_id is null), '{}') as verdicts
    from subjects s
    where s.project_id = ${projectId} and s.mission_id = ${missionId} and s.id <> ${missionId}
    order by s.created_at, s.id limit 1000`;
  const sent = rows.flatMap(({ turn_id: subjectId }) =>
    subjectId === null ? [] : [{ projectId, subjectId }],
  );
  const stored = await loadTurns(ctx, sent);
  const turns = new Map<string, SubjectOf<'turn'>>();
  for (const row of rows) {
    const verdicts = Verdicts.safeParse(row.verdicts).data ?? {};
    const read = row.turn_id === null ? undefined : stored.get(turnKey(projectId, row.turn_id))?.();
    const turn = read === undefined ? taskTurn(row) : fromTurn({ ...read, missionId });
    const known = turns.get(row.id);
    if (turn !== null)
      turns.set(row.id, {
        ...turn,
        verdicts: {
          ...known?.verdicts,
          ...EvaluationSubject.parse({ ...turn, verdicts }).verdicts,
        },
      });
  }
  return { revision: rows.length, turns: [...turns.values()] };
}

function taskTurn({ id, content, model, cost_usd }: Row): SubjectOf<'turn'> | null {
  const read = Content.safeParse(JSON.parse(content));
  if (!read.success) return null;
  const { task_description: input, task_output: output } = read.data.subject;
  const turn = EvaluationSubject.parse({ target: 'turn', id, input, output, model, cost_usd });
  return turn.target === 'turn' ? turn : null;
}
