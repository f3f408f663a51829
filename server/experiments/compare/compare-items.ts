import { mayReadHeldOut, type ProjectCtx, showsHeldOut } from '../../access';
import { readVerifierName, sliceMembers } from '../../domain';
import { loadTurns, partBySize, turnKey } from '../../ingest';
import { invalid } from '../../platform';
import { chatMessages, plainText } from '../runs/run-item';
import { type CompareItemsBody, compareLimits } from './compare-input';
import { getComparable } from './get-comparable';
import { slugsOf } from './get-experiment';
import { grouped } from './grouped';
import { joinByHash } from './join-by-hash';
import { scoredCells } from './scored-cells';

const changes = ['regressed', 'improved', 'same', 'unpaired'] as const;
export type ItemChange = (typeof changes)[number];

/** One item with the results of one verifier. */
export interface ComparedItem {
  readonly itemId: string;
  readonly verifier: string;
  /**
   * The start of the input; null if the dataset no longer has the item, or the caller may not read
   * it.
   */
  readonly input: string | null;
  /** `regressed` if it passed less often in any run than in the baseline. */
  readonly change: ItemChange;
  /** In the order of the ids; one for each repetition, of which there are at most ten. */
  readonly runs: readonly {
    readonly experiment: string;
    readonly repetition: number;
    readonly turnId: string | null;
    readonly outcome: string | null;
    readonly score: number | null;
    readonly output: string | null;
    readonly verificationId: string | null;
  }[];
}

export interface ComparedItems {
  readonly data: readonly ComparedItem[];
  readonly nextCursor: string | null;
}

interface PlacedItem {
  item_id: string;
  verifier: string;
  rank: number;
  place: number;
}

/**
 * The items of the compared runs by disagreement: regressed first, then improved, then the same,
 * then unpaired, each with the largest difference first.
 * @throws AssayError not_found, refused, invalid_request on a foreign cursor
 */
export async function listComparedItems(
  ctx: ProjectCtx,
  input: CompareItemsBody,
): Promise<ComparedItems> {
  const heads = await getComparable(ctx, input);
  const verifiers =
    input.verifier === undefined
      ? [...new Set(heads.flatMap(slugsOf))]
      : [readVerifierName(input.verifier).slug];
  const rows = await readPlaced(ctx, input, verifiers);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    data: await fillItems(ctx, input.ids, page),
    nextCursor: rows.length > input.limit && last !== undefined ? cursorOf(last) : null,
  };
}

function readPlaced(
  ctx: ProjectCtx,
  { ids, verifier, cursor, limit }: CompareItemsBody,
  verifiers: readonly string[],
): Promise<readonly PlacedItem[]> {
  const { sql, projectId } = ctx;
  const after = cursor === undefined ? null : readPlace(cursor);
  const [baseline = ''] = ids;
  return joinByHash(
    ctx,
    (tx) => tx<PlacedItem[]>`
    with ${scoredCells(ctx, ids, verifier)},
    grid as (
      select item_id, verifier from (
        select distinct item_id from experiment_rows
        where project_id = ${projectId} and experiment_id in ${sql([...ids])}
      ) as i cross join jsonb_array_elements_text(${JSON.stringify(verifiers)}::text::jsonb) as v(verifier)
    ),
    paired as (
      select b.item_id, b.verifier,
        min(o.k::float8 / o.n - b.k::float8 / b.n) as worst,
        max(o.k::float8 / o.n - b.k::float8 / b.n) as best,
        min(o.ss / nullif(o.sn, 0) - b.ss / nullif(b.sn, 0)) as score
      from cells b join cells o on o.verifier = b.verifier and o.item_id = b.item_id
        and o.experiment_id <> ${baseline} and o.n > 0
      where b.experiment_id = ${baseline} and b.n > 0 group by 1, 2
    ),
    placed as (
      select g.item_id, g.verifier,
        case when p.worst < 0 then 0 when p.best > 0 then 1 when p.worst is not null then 2 else 3 end as rank,
        case when p.worst < 0 then p.worst when p.best > 0 then -p.best else coalesce(p.score, 0) end as place
      from grid g left join paired p on p.item_id = g.item_id and p.verifier = g.verifier
    )
    select * from placed
    ${
      after === null
        ? sql``
        : sql`where (rank, place, item_id, verifier) > (${after.rank}::int, ${after.place}::float8, ${after.item_id}, ${after.verifier})`
    }
    order by rank, place, item_id, verifier limit ${limit + 1}`,
  );
}

const cursorOf = ({ rank, place, item_id: item, verifier }: PlacedItem): string =>
  Buffer.from(JSON.stringify([rank, place, item, verifier])).toString('base64url');

/** @throws AssayError invalid_request */
function readPlace(cursor: string): PlacedItem {
  const message = 'must come from `next_cursor` of this list';
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [rank, place, item, verifier] = value as unknown[];
      if (
        typeof rank === 'number' &&
        Number.isInteger(rank) &&
        Math.abs(rank) < 10 &&
        typeof place === 'number' &&
        isStorable(item) &&
        isStorable(verifier)
      )
        return { rank, place, item_id: item, verifier };
    }
  } catch {
    // Refused below.
  }
  throw invalid(`cursor: ${message}`, [{ path: 'cursor', message }]);
}

const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

interface Cell {
  item_id: string;
  verifier: string;
  experiment_id: string;
  repetition: number;
  turn_id: string | null;
  outcome: string | null;
  score: number | null;
  verdict_id: string | null;
}

async function fillItems(
  ctx: ProjectCtx,
  ids: readonly string[],
  page: readonly PlacedItem[],
): Promise<ComparedItem[]> {
  if (page.length === 0) return [];
  const items = [...new Set(page.map((row) => row.item_id))];
  const hidden = await hiddenItems(ctx, ids, items);
  const shown = items.filter((id) => !hidden.has(id));
  const [cells, inputs] = await Promise.all([
    readCells(ctx, ids, page),
    shown.length === 0 ? new Map<string, string>() : readInputs(ctx, ids, shown),
  ]);
  const turnIds = cells.flatMap(({ item_id: item, turn_id: id }) =>
    id === null || hidden.has(item) ? [] : [id],
  );
  const outputs = await readOutputs(ctx, new Set(turnIds));
  const byItem = grouped(cells, (cell) => JSON.stringify([cell.item_id, cell.verifier]));
  return page.map((row) => ({
    itemId: row.item_id,
    verifier: row.verifier,
    input: inputs.get(row.item_id) ?? null,
    change: changes[row.rank] ?? 'unpaired',
    runs: (byItem.get(JSON.stringify([row.item_id, row.verifier])) ?? [])
      .toSorted(
        (one, other) =>
          ids.indexOf(one.experiment_id) - ids.indexOf(other.experiment_id) ||
          one.repetition - other.repetition,
      )
      .map((cell) => ({
        experiment: cell.experiment_id,
        repetition: cell.repetition,
        turnId: cell.turn_id,
        outcome: cell.outcome,
        score: cell.score,
        output: cell.turn_id === null ? null : (outputs.get(cell.turn_id) ?? null),
        verificationId: cell.verdict_id,
      })),
  }));
}

/** Items whose input and outputs the actor may not read in one of the runs. */
async function hiddenItems(
  ctx: ProjectCtx,
  ids: readonly string[],
  items: readonly string[],
): Promise<ReadonlySet<string>> {
  if (mayReadHeldOut(ctx)) return new Set();
  const { sql, projectId } = ctx;
  const rows = await sql<{ item_id: string }[]>`
    select distinct k.item_id from experiment_rows k
    join experiments e on e.project_id = k.project_id and e.id = k.experiment_id
    where k.project_id = ${projectId} and k.experiment_id in ${sql([...ids])}
      and k.item_id in ${sql([...items])}
      and ${showsHeldOut(sql, sql`e.id || '-' || k.ordinal`)}`;
  return new Set(rows.map((row) => row.item_id));
}

function readCells(
  { sql, projectId }: ProjectCtx,
  ids: readonly string[],
  page: readonly PlacedItem[],
): Promise<Cell[]> {
  return sql<Cell[]>`
    select k.item_id, k.verifier, r.experiment_id, r.repetition, r.turn_id, v.outcome, v.score, v.id as verdict_id
    from jsonb_to_recordset(${JSON.stringify(page)}::text::jsonb) as k(item_id text, verifier text)
    cross join lateral (
      select *, row_number() over (partition by experiment_id order by repetition) as place
      from experiment_rows r where r.project_id = ${projectId}
        and r.experiment_id in ${sql([...ids])} and r.item_id = k.item_id
    ) as r
    left join lateral (
      select id, outcome, score from verdicts v
      where v.project_id = ${projectId} and v.experiment_id = r.experiment_id and v.turn_id = r.turn_id
        and v.verifier_slug = k.verifier and not v.superseded
      order by v.settled_at desc, v.id desc limit 1
    ) as v on true
    where r.place <= ${compareLimits.repetitions}`;
}

/** The start of each input, from the dataset version of the first experiment that has the item. */
async function readInputs(
  { sql, projectId }: ProjectCtx,
  ids: readonly string[],
  items: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; content: string }[]>`
    select distinct on (i.id) i.id, i.content from experiments e
    join dataset_items i on i.project_id = ${projectId} and i.dataset_id = e.dataset_id
      and i.from_version <= e.dataset_version
      and (i.to_version is null or i.to_version > e.dataset_version)
    where e.project_id = ${projectId} and e.id in ${sql([...ids])} and i.id in ${sql([...items])}
    order by i.id, (e.id = ${ids[0] ?? ''}) desc, e.id`;
  return new Map(rows.map(({ id, content }) => [id, excerpt(inputOf(content))]));
}

/** The text of the input, the last message of a conversation, or the JSON text as sent. */
function inputOf(content: string): string {
  const slice = sliceMembers(content).get('input');
  if (slice === undefined) return '';
  const text = content.slice(slice.start, slice.end);
  return chatMessages(text)?.at(-1)?.content ?? plainText(text);
}

async function readOutputs(
  ctx: ProjectCtx,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const { projectId } = ctx;
  const outputs = new Map<string, string>();
  const keys = [...ids].map((subjectId) => ({ projectId, subjectId }));
  for (const part of await partBySize(ctx, keys)) {
    const turns = await loadTurns(ctx, part);
    for (const { subjectId } of part) {
      const turn = turns.get(turnKey(projectId, subjectId));
      if (turn !== undefined) outputs.set(subjectId, excerpt(turn().content.answer));
    }
  }
  return outputs;
}

/** Never half of a character. */
function excerpt(text: string): string {
  return text.length <= compareLimits.outputChars
    ? text.toWellFormed()
    : text
        .slice(0, compareLimits.outputChars)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed();
}
