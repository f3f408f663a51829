import type { Fragment } from 'postgres';
import { type ProjectCtx, showsHeldOut } from '../../access';
import { sha256 } from '../../platform';

/**
 * An export consists of JSON lines (docs/how-to/manage-data.md): a head, a line per row (`{"type":
 * "turn", "row": {…}}`), and an end with the counts and a checksum. The checksum is a chain: each
 * line's SHA-256 covers the previous one and the line. A job can therefore resume after a stop, and
 * a reader can verify while reading. No line contains secrets.
 */
const exportVersion = 1;

/** The progress of an export, stored with its job. */
export interface ExportCursor {
  /** Index in `parts`; -1 before the head. */
  readonly part: number;
  /** The key of the last row. */
  readonly after: readonly string[] | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly lines: number;
  readonly chain: string;
}

export const beginning: ExportCursor = { part: -1, after: null, counts: {}, lines: 0, chain: '' };

type Within = Pick<ProjectCtx, 'sql' | 'projectId'>;

interface Part {
  readonly type: string;
  /**
   * Text columns that form a unique key, in the order of an index. Empty for tables with few rows,
   * which are read at once.
   */
  readonly key: readonly string[];
  readonly rows: (ctx: Within) => Fragment;
  /** Approximate bytes per row; only for tables whose rows can be large. */
  readonly size?: string;
}

const whole =
  (table: string) =>
  ({ sql, projectId }: Within): Fragment =>
    sql`select to_jsonb(t) - 'project_id' as whole_row, t.* from ${sql(table)} t where t.project_id = ${projectId}`;

/**
 * Columns that are never exported: they are sealed in the database and useless without the
 * installation's key.
 */
const sealed = ['sealed_key', 'secret_sealed', 'headers_sealed', 'headers'];
const unsealed =
  (table: string) =>
  ({ sql, projectId }: Within): Fragment =>
    sql`select (to_jsonb(t) - 'project_id') - array(select jsonb_array_elements_text(${JSON.stringify(sealed)}::text::jsonb)) as whole_row, t.*
      from ${sql(table)} t where t.project_id = ${projectId}`;

const settings = (type: string, table: string): Part => ({ type, key: [], rows: whole(table) });

const parts: readonly Part[] = [
  settings('project_settings', 'project_settings'),
  settings('mission_settings', 'mission_settings'),
  settings('retention', 'retention_settings'),
  settings('rule', 'rules'),
  settings('verifier', 'verifiers'),
  settings('verifier_version', 'verifier_versions'),
  settings('threshold', 'thresholds'),
  settings('prompt_version', 'prompt_versions'),
  settings('prompt_label', 'prompt_labels'),
  settings('label_policy', 'label_policies'),
  settings('review_settings', 'review_settings'),
  settings('trust_settings', 'trust_settings'),
  settings('alert_rule', 'alert_rules'),
  settings('gateway_route', 'gateway_routes'),
  settings('report_schedule', 'report_schedules'),
  settings('anchor_set', 'anchor_sets'),
  settings('anchor_item', 'anchor_items'),
  settings('dataset', 'datasets'),
  settings('dataset_version', 'dataset_versions'),
  settings('service_account', 'service_accounts'),
  settings('model_alias', 'model_aliases'),
  settings('model_price', 'model_prices'),
  { type: 'provider', key: [], rows: unsealed('providers') },
  {
    type: 'destination',
    key: [],
    // The address of a Slack webhook is a secret.
    rows: ({ sql, projectId }) => sql`
      select (to_jsonb(t) - 'project_id' - 'secret_sealed' - 'headers_sealed' - 'actions_secret_sealed')
        || case when t.kind = 'slack' then '{"url": null}'::jsonb else '{}' end as whole_row, t.* from destinations t where t.project_id = ${projectId}`,
  },
  {
    type: 'turn',
    key: ['id'],
    rows: ({ sql, projectId }) => sql`
      select to_jsonb(t) - 'project_id' as whole_row, t.* from turns t
      where t.project_id = ${projectId} and not (t.origin = 'experiment' and exists (
        select from experiments e where e.project_id = t.project_id and starts_with(t.id, e.id || '-')
          and ${showsHeldOut(sql, sql`t.id`)}))`,
    size: 'payload',
  },
  {
    type: 'spans',
    key: ['trace_id', 'hash'],
    rows: ({ sql, projectId }) => sql`
      select to_jsonb(t) - 'project_id' - 'body' || jsonb_build_object('body', encode(t.body, 'base64')) as whole_row, t.*
      from trace_segments t where t.project_id = ${projectId}`,
    size: 'body',
  },
  { type: 'subject', key: ['kind', 'id'], rows: whole('subjects'), size: 'content' },
  {
    type: 'verdict',
    key: ['id'],
    rows: ({ sql, projectId }) => sql`
      select to_jsonb(t) - 'project_id' || jsonb_build_object('scores', coalesce((
        select jsonb_agg(to_jsonb(s) - 'project_id' - 'verdict_id' order by s.ordinal) from scores s
        where s.project_id = ${projectId} and s.verdict_id = t.id), '[]')) as whole_row, t.*
      from verdicts t where t.project_id = ${projectId} and not exists (
        select from experiments e where e.project_id = t.project_id and e.id = t.experiment_id
          and ${showsHeldOut(sql, sql`t.turn_id`)})`,
    size: 'detail::text',
  },
  { type: 'label', key: ['id'], rows: whole('labels') },
  {
    type: 'dataset_item',
    key: ['dataset_id', 'id', 'from_version'],
    // Admins can export and edit prompts, so held-out items are excluded.
    rows: ({ sql, projectId }) => sql`
      select to_jsonb(t) - 'project_id' as whole_row, t.* from dataset_items t
      where t.project_id = ${projectId} and not exists (select from dataset_items h
        where h.project_id = t.project_id and h.dataset_id = t.dataset_id and h.id = t.id
          and h.from_version >= t.from_version and h.split = 'held_out')`,
    size: 'content',
  },
  { type: 'experiment', key: ['id'], rows: unsealed('experiments') },
  { type: 'experiment_row', key: ['experiment_id', 'ordinal'], rows: whole('experiment_rows') },
  { type: 'score_of_others', key: ['id'], rows: whole('foreign_scores') },
  { type: 'pipeline', key: ['id'], rows: whole('pipelines') },
  { type: 'gateway_call', key: ['id'], rows: whole('gateway_calls') },
];

/**
 * Limits of rows and bytes per read, except for a single larger row, and therefore of the memory
 * used at a time.
 */
const batchRows = 500;
const bytesAtOnce = 4 * 1024 * 1024;

export interface Chunk {
  readonly lines: readonly string[];
  /** Null if the lines include the end. */
  readonly cursor: ExportCursor | null;
  /** The counts for the end line. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The next lines of an export. Each read sees the data stored at that time: rows added or deleted
 * in the meantime may or may not be included.
 * @throws on storage faults
 */
export async function exportChunk(ctx: ProjectCtx, cursor: ExportCursor): Promise<Chunk> {
  if (cursor.part === -1) {
    const head = {
      type: 'export',
      version: exportVersion,
      project: ctx.projectSlug,
      made_at: ctx.clock.now().toISOString(),
    };
    const line = JSON.stringify(head);
    return {
      lines: [line],
      cursor: { ...cursor, part: 0, lines: 1, chain: chained('', [line]) },
      counts: {},
    };
  }
  const part = parts[cursor.part];
  if (part === undefined) {
    const end = { type: 'end', lines: cursor.lines, counts: cursor.counts, sha256: cursor.chain };
    return { lines: [JSON.stringify(end)], cursor: null, counts: cursor.counts };
  }
  const { rows, last } = await readRows(ctx, part, cursor.after);
  const lines = rows.map((row) => `{"type":${JSON.stringify(part.type)},"row":${row}}`);
  const counts =
    lines.length === 0
      ? cursor.counts
      : { ...cursor.counts, [part.type]: (cursor.counts[part.type] ?? 0) + lines.length };
  return {
    lines,
    cursor: {
      part: last === null ? cursor.part + 1 : cursor.part,
      after: last,
      counts,
      lines: cursor.lines + lines.length,
      chain: chained(cursor.chain, lines),
    },
    counts,
  };
}

export function chained(chain: string, lines: readonly string[]): string {
  return lines.reduce((before, line) => sha256(`${before}\n${line}`), chain);
}

interface ReadRow {
  line: string;
  key: string[];
}

/** `last` is null if there are no more rows. */
async function readRows(
  ctx: ProjectCtx,
  { key, rows, size }: Part,
  after: readonly string[] | null,
): Promise<{ readonly rows: readonly string[]; readonly last: readonly string[] | null }> {
  const { sql } = ctx;
  if (key.length === 0) {
    const all = await sql<
      { line: string }[]
    >`select whole_row::text as line from (${rows(ctx)}) as r`;
    return { rows: all.map(({ line }) => line), last: null };
  }
  const columns = key
    .map((name) => sql`r.${sql(name)}`)
    .reduce((before, name) => sql`${before}, ${name}`);
  const behind =
    after === null
      ? sql``
      : sql`where (${columns}) > (${after.map((value) => sql`${value}`).reduce((before, value) => sql`${before}, ${value}`)})`;
  const bytes = size === undefined ? sql`0` : sql.unsafe(`octet_length(r.${size})`);
  const found = await sql<ReadRow[]>`
    select line, key from (
      select whole_row::text as line, key, n, sum(bytes) over (order by n) as so_far from (
        select r.whole_row, jsonb_build_array(${columns}) as key, ${bytes} as bytes, row_number() over (order by ${columns}) as n
        from (${rows(ctx)}) as r ${behind} order by ${columns} limit ${batchRows}
      ) as chosen
    ) as summed where n = 1 or so_far <= ${bytesAtOnce} order by n`;
  return { rows: found.map(({ line }) => line), last: found.at(-1)?.key ?? null };
}
