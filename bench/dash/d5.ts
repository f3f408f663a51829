import { listVerdicts } from '../../server/verdicts';
import { runRounds } from '../rounds';
import { compare } from '../row';
import type { RowMaker } from '../run';
import { calling } from './calls';
import { type Generated, generate, models, rowsWanted } from './generate';

const pageSize = 50;
/** Number of pages read from a list, starting with the newest. */
const deep = 40;

/**
 * D5: a page of the list of one model, verifier and outcome, regardless of the position of its
 * rows, compared with reading as many verdicts by their ids.
 */
export const d5: RowMaker = {
  name: 'D5',
  async make(stage, settings) {
    const rows = rowsWanted(settings);
    const full = await generate(stage, settings, rows);
    const cursors = await findCursors(full, settings.smoke ? 2 : deep);
    const ids = await randomIds(full);
    const calls = settings.smoke ? 3 : 200;
    const { sql, projectId } = full.project;
    const byIds = (n: number, count: number) => {
      const wanted = JSON.stringify(
        Array.from({ length: count }, (_, place) => ids[(n * count + place) % ids.length]),
      );
      return sql`
        select v.* from jsonb_array_elements_text(${wanted}::text::jsonb) as w(id) cross join lateral (
          select id, kind, verifier_slug, verifier_version, outcome, verdict, score, model, excerpt, turn_id, session_id, created_at, settled_at
          from verdicts where project_id = ${projectId} and id = w.id limit 1) as v`;
    };
    const filters = (n: number) => ({
      verifier: 'task',
      model: `model-${n % models}`,
      outcome: ['failed' as const],
      limit: pageSize,
    });
    const measured = await runRounds(
      'D5',
      [
        calling('ids', calls, (n) => byIds(n, pageSize)),
        calling('id', calls, (n) => byIds(n, 1)),
        calling('first', calls, (n) => listVerdicts(full.project, filters(n))),
        calling('deep', calls, (n) => {
          const cursor = cursors[n % cursors.length] ?? null;
          return listVerdicts(full.project, { ...filters(0), ...(cursor !== null && { cursor }) });
        }),
      ],
      settings,
    );
    const row = (figure: string, contender: string, floor: string, goal: boolean) =>
      compare({
        figure: `D5 ${figure}`,
        unit: 'ms',
        assayValues: measured(contender, 'p95'),
        floor: measured(floor, 'p95'),
        ...(goal && { goal: { max: 5 } }),
        notes: [`${rows.toLocaleString('en')} verdicts`],
      });
    return [
      row(
        `first page of ${pageSize} by model, verifier and outcome, p95, against ${pageSize} verdicts by their ids`,
        'first',
        'ids',
        true,
      ),
      row(
        `pages 1 to ${cursors.length}, p95, against ${pageSize} verdicts by their ids`,
        'deep',
        'ids',
        true,
      ),
      row('first page, p95, against one verdict by its id', 'first', 'id', true),
    ];
  },
};

async function findCursors({ project }: Generated, pages: number): Promise<(string | null)[]> {
  const cursors: (string | null)[] = [null];
  const seen = new Set<string>();
  while (cursors.length < pages) {
    const cursor = cursors.at(-1) ?? null;
    const page = await listVerdicts(project, {
      verifier: 'task',
      model: 'model-0',
      outcome: ['failed'],
      limit: pageSize,
      ...(cursor !== null && { cursor }),
    });
    for (const { id, outcome, model } of page.items) {
      if (seen.has(id) || outcome !== 'failed' || model !== 'model-0')
        throw new Error(`void: ${id} does not belong on this page`);
      seen.add(id);
    }
    if (page.nextCursor === null) return cursors;
    cursors.push(page.nextCursor);
  }
  return cursors;
}

async function randomIds({ project: { sql, projectId }, rows }: Generated): Promise<string[]> {
  const ids = Array.from(
    { length: 5_000 },
    (_, n) => `ver_${String(1 + ((n * 7_919_911) % rows)).padStart(10, '0')}`,
  );
  const [first] =
    await sql`select from verdicts where project_id = ${projectId} and id = ${ids[0] ?? ''}`;
  if (first === undefined) throw new Error('void: ids do not lead to verdicts');
  return ids;
}
