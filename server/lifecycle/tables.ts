/**
 * How deletions and exports handle each table with a `project_id`. The test fails for a missing
 * table: adding a table requires defining how its data is deleted.
 */
export type Erasing =
  /** Rows are found by these columns and deleted. */
  | { readonly by: readonly ErasedBy[] }
  /** Dedicated code deletes the rows, or subtracts them from counters. */
  | { readonly dedicated: string }
  /** Rows that mention deleted items, in these columns. */
  | { readonly mentions: readonly string[] }
  /** The table has no data sent by callers: settings, and aggregate counters. */
  | { readonly none: string };

export interface ErasedBy {
  readonly column: string;
  readonly of: 'verdicts' | 'subjects' | 'traces' | 'sessions';
}

const of = (column: string, kind: ErasedBy['of']): ErasedBy => ({ column, of: kind });
const setting: Erasing = { none: 'settings' };
const summed: Erasing = { none: 'counts and summaries of many' };
const counted: Erasing = { dedicated: 'counts, from which deleted rows are subtracted' };

export const erasingOf: Readonly<Record<string, Erasing>> = {
  members: setting,
  claims: setting,
  api_keys: setting,
  service_accounts: setting,
  audit_events: {
    dedicated: 'details of the deleted object are removed; the event itself remains',
  },
  audit_chains: { none: 'seals of audit events' },
  alert_rules: setting,
  alert_states: summed,
  alert_looks: summed,
  alert_events: summed,
  finding_days: { dedicated: 'counted again when the counts of a day change' },
  notices: summed,
  labels: { by: [of('subject_id', 'subjects'), of('verdict_id', 'verdicts')] },
  label_policies: setting,
  review_settings: setting,
  review_cursors: setting,
  review_items: { by: [of('verdict_id', 'verdicts'), of('subject_id', 'subjects')] },
  anchor_sets: { dedicated: 'counts its items' },
  anchor_items: { dedicated: 'with the results of the item' },
  anchor_runs: summed,
  anchor_results: { dedicated: 'with the item' },
  prompt_trial_subjects: { by: [of('subject_id', 'subjects')] },
  verdict_hours: counted,
  gateway_days: counted,
  tombstones: { none: 'ids only; for a user, the hash' },
  deletions: { none: 'ids only; for a user, the hash' },
  retention_settings: setting,
  datasets: setting,
  dataset_versions: { none: 'counts of items' },
  dataset_items: { by: [of('turn_id', 'subjects')] },
  experiments: setting,
  experiment_rows: { by: [of('turn_id', 'subjects')] },
  export_parts: { dedicated: 'all files of the project: they are created again when needed' },
  destinations: setting,
  slack_links: setting,
  deliveries: { by: [of('verdict_id', 'verdicts')] },
  gateway_routes: setting,
  gateway_calls: { dedicated: 'subtracted from the counts by hour and by day' },
  gateway_rollups: counted,
  gateway_counters: { by: [of('session_id', 'sessions')] },
  gateway_breakers: summed,
  judgements: { dedicated: 'recomputed from the remaining rows' },
  judgement_rollups: counted,
  judgement_accounts: counted,
  judgement_dues: { by: [of('subject_id', 'subjects')] },
  providers: setting,
  masked_values: summed,
  model_names: { none: 'names of models' },
  model_aliases: setting,
  model_prices: setting,
  llm_calls: { by: [of('verdict_id', 'verdicts')] },
  prompt_versions: setting,
  prompt_labels: setting,
  work: { dedicated: 'deleted first, so that nothing settles any more' },
  work_attempts: { by: [of('work_id', 'verdicts')] },
  jobs: { none: 'the request and its progress' },
  job_files: { none: 'deleted when its job ends; deleted items in it are refused' },
  schedule_periods: setting,
  reports: summed,
  report_schedules: setting,
  rules: setting,
  decisions: { dedicated: 'subtracted from the counts by day' },
  decision_rollups: counted,
  rule_spending: { by: [of('verdict_id', 'verdicts')] },
  rule_costs: counted,
  rule_planning: setting,
  setup_hidden: setting,
  thresholds: setting,
  turns: { dedicated: 'subtracted from the counts by day' },
  trace_segments: { dedicated: 'its spans are subtracted from the counts by day' },
  traces: { by: [of('id', 'traces')] },
  sessions: { dedicated: 'when they are empty' },
  foreign_scores: {
    by: [of('subject_id', 'subjects'), of('turn_id', 'subjects'), of('trace_id', 'traces')],
  },
  intake_rollups: counted,
  turn_versions: { by: [of('turn_id', 'subjects')] },
  turn_originals: { by: [of('turn_id', 'subjects')] },
  dead_letters: { mentions: ['body'] },
  idempotency_keys: {
    dedicated:
      'all answers of the project: a repeated request finds its rows, or the note that they were deleted',
  },
  trust_settings: setting,
  trust_states: summed,
  trust_changes: summed,
  promotions: summed,
  probe_runs: summed,
  probe_answers: { by: [of('subject_id', 'subjects')] },
  verifier_versions: setting,
  verifiers: setting,
  project_settings: setting,
  mission_settings: setting,
  verdicts: { dedicated: 'subtracted from the counts by day' },
  scores: { by: [of('verdict_id', 'verdicts')] },
  subjects: { dedicated: 'by kind and id' },
  pipelines: { by: [of('id', 'traces'), of('trace_id', 'traces'), of('id', 'sessions')] },
  mission_events: { by: [of('verdict_id', 'verdicts')] },
  judge_cache: {
    dedicated: 'all of the project if work was deleted: work is judged again when needed',
  },
  verdict_rollups: counted,
  verdict_populations: counted,
  integrity_rollups: counted,
  verdict_spreads: counted,
  saved_views: { mentions: ['query'] },
};

/** Tables deleted according to a map; the names come from this repository, never from input. */
export function tablesBy<Kind extends 'by' | 'mentions'>(
  kind: Kind,
): readonly (readonly [table: string, Extract<Erasing, Record<Kind, unknown>>])[] {
  return Object.entries(erasingOf).flatMap(([table, erasing]) =>
    kind in erasing ? [[table, erasing as Extract<Erasing, Record<Kind, unknown>>] as const] : [],
  );
}
