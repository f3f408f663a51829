import { userOf } from '../../platform';
import { subjectKindsOf } from '../../verdicts';
import type { DeletionRow } from './deletion';
import type { NamedItems, ProjectSql } from './erase';

/** Number of subjects that one transaction deletes, few enough to delay no one for long. */
const atOnce = 200;
/** Number of traces per transaction. A trace is deleted completely, with all its turns. */
const tracesAtOnce = 20;
/** Number of rows whose text one statement searches. */
const searchedAtOnce = 5_000;

export interface NamedItemsPage {
  readonly named: NamedItems;
  /** Where the search continues; null if there is nothing more to find. */
  readonly cursor: Readonly<Record<string, string>> | null;
}

const noItems: NamedItems = { turns: [], subjects: [], traces: [], sessions: [] };

/**
 * Finds the next items that a deletion names. Deleted items are not found again, and a search may
 * restart at any time.
 */
export async function findNamed(
  ctx: ProjectSql,
  deletion: Pick<DeletionRow, 'kind' | 'target' | 'cursor'>,
): Promise<NamedItemsPage> {
  const { kind, target, cursor } = deletion;
  if (kind === 'turn') return { named: { ...noItems, turns: [target] }, cursor: null };
  if (kind === 'trace') return { named: await findOfTraces(ctx, [target]), cursor: null };
  if (kind === 'session') return findOfSession(ctx, target);
  return findOfUser(ctx, target, cursor);
}

/** Traces with all their turns, and the subjects of verify calls that name them. */
export async function findOfTraces(
  { sql, projectId }: ProjectSql,
  traces: readonly string[],
): Promise<NamedItems> {
  if (traces.length === 0) return noItems;
  const wanted = JSON.stringify(traces);
  const rows = await sql<{ id: string; turn: boolean }[]>`
    select id, true as turn from turns where project_id = ${projectId} and trace_id in (select jsonb_array_elements_text(${wanted}::text::jsonb))
    union all
    select id, false from subjects where project_id = ${projectId} and trace_id in (select jsonb_array_elements_text(${wanted}::text::jsonb))`;
  return { ...noItems, traces, ...bySort(rows) };
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
const bySort = (
  rows: readonly { readonly id: string; readonly turn: boolean }[],
): Pick<NamedItems, 'turns' | 'subjects'> => ({
  turns: rows.filter(({ turn }) => turn).map(({ id }) => id),
  subjects: rows.filter(({ turn }) => !turn).map(({ id }) => id),
});

/**
 * Finds a session with its complete traces, because their spans repeat the content of its turns.
 */
async function findOfSession(ctx: ProjectSql, sessionId: string): Promise<NamedItemsPage> {
  const { sql, projectId } = ctx;
  const traces = await sql<{ id: string }[]>`
    select id from traces where project_id = ${projectId} and session_id = ${sessionId}
    union
    select t.trace_id from turns t where t.project_id = ${projectId} and t.session_id = ${sessionId} and t.origin = 'otlp' and t.trace_id is not null
    limit ${tracesAtOnce}`;
  if (traces.length > 0) {
    const found = await findOfTraces(ctx, idsOf(traces));
    return { named: { ...found, sessions: [sessionId] }, cursor: {} };
  }
  const rows = await sql<{ id: string; turn: boolean }[]>`
    (select id, true as turn from turns where project_id = ${projectId} and session_id = ${sessionId} limit ${atOnce})
    union all
    (select id, false from subjects where project_id = ${projectId} and session_id = ${sessionId} limit ${atOnce})`;
  return {
    named: { ...noItems, sessions: [sessionId], ...bySort(rows) },
    cursor: rows.length >= atOnce ? {} : null,
  };
}

/** Finds traces by an index on their user, and searches other rows for the name. */
async function findOfUser(
  ctx: ProjectSql,
  user: string,
  cursor: Readonly<Record<string, string>>,
): Promise<NamedItemsPage> {
  const { sql, projectId } = ctx;
  const traces = await sql<
    { id: string }[]
  >`select id from traces where project_id = ${projectId} and user_id = ${user} limit ${tracesAtOnce}`;
  if (traces.length > 0) return { named: await findOfTraces(ctx, idsOf(traces)), cursor };
  if (cursor.subjects === undefined) return searchTurns(ctx, user, cursor.turns ?? '');
  return searchSubjects(ctx, user, cursor.subjects);
}

interface TurnRow {
  id: string;
  trace_id: string | null;
  origin: string;
  payload: string | null;
}

/**
 * Selects texts that contain the name, literally or escaped, and parses only these to read the
 * member that names a user.
 */
async function searchTurns(ctx: ProjectSql, user: string, after: string): Promise<NamedItemsPage> {
  const { sql, projectId } = ctx;
  const rows = await sql<TurnRow[]>`
    select id, trace_id, origin, case when strpos(payload, ${user}) > 0 or strpos(payload, ${'\\'}) > 0 then payload end as payload
    from turns where project_id = ${projectId} and id > ${after} order by id limit ${searchedAtOnce}`;
  const hits = rows.filter(
    ({ payload }) => payload !== null && nameIn(payload, ['metadata']) === user,
  );
  const last = rows.at(-1)?.id;
  const next: Readonly<Record<string, string>> =
    last === undefined || rows.length < searchedAtOnce ? { subjects: '' } : { turns: last };
  const traces = [
    ...new Set(
      hits.flatMap(({ trace_id: id, origin }) => (id !== null && origin === 'otlp' ? [id] : [])),
    ),
  ];
  // The traces find their other turns, and the search restarts there.
  if (traces.length > 0)
    return {
      named: await findOfTraces(ctx, traces.slice(0, tracesAtOnce)),
      cursor: { turns: after },
    };
  return { named: { ...noItems, turns: hits.map(({ id }) => id) }, cursor: next };
}

async function searchSubjects(
  { sql, projectId }: ProjectSql,
  user: string,
  after: string,
): Promise<NamedItemsPage> {
  const rows = await sql<{ id: string; content: string | null }[]>`
    select id, case when strpos(content, ${user}) > 0 or strpos(content, ${'\\'}) > 0 then content end as content
    from subjects where project_id = ${projectId} and kind = any (${subjectKindsOf(sql, projectId)}) and id > ${after} order by id limit ${searchedAtOnce}`;
  const hits = rows.filter(
    ({ content }) => content !== null && nameIn(content, ['facts', 'metadata']) === user,
  );
  const last = rows.at(-1)?.id;
  return {
    named: { ...noItems, subjects: hits.map(({ id }) => id) },
    cursor: last === undefined || rows.length < searchedAtOnce ? null : { subjects: last },
  };
}

/**
 * The user that a JSON text names at this path; null if there is none, or if the text cannot be
 * parsed.
 */
function nameIn(text: string, path: readonly string[]): string | null {
  try {
    let value: unknown = JSON.parse(text);
    for (const name of path)
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : null;
    return userOf(value);
  } catch {
    return null;
  }
}
