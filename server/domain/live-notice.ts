/**
 * Notices to open pages (pg_notify). A notice names a project and the data to reload, never its
 * content.
 *
 * `assay_verdicts`: verdicts settled or labels were appended, as `<project> <settled> <labelled>`.
 * `assay_changes`: a person or a worker changed anything else, as `<project> <topic> <topic> …`.
 */
export interface LiveNotice {
  readonly projectId: string;
  readonly settled: number;
  readonly labelled: number;
}

export const liveChannel = 'assay_verdicts';

export function writeLiveNotice({ projectId, settled, labelled }: LiveNotice): string {
  return `${projectId} ${settled} ${labelled}`;
}

/** Missing counts are 0. */
export function readLiveNotice(text: string): LiveNotice {
  const [projectId = '', settled = '0', labelled = '0'] = text.split(' ');
  return { projectId, settled: Number(settled), labelled: Number(labelled) };
}

/**
 * The topics of changes: the areas of audited actions (`thresholds.update` belongs to
 * `thresholds`), the audit log itself, and changes without an audit row: `turns` were stored,
 * `traces` arrived or were assembled, `calls` of the gateway were recorded, `judgements` were
 * recomputed, `work` was quarantined, `jobs` made progress, `deliveries` were sent, `alerts`,
 * `trust` and `review` were reevaluated.
 */
export const liveTopics = [
  'alerts',
  'anchors',
  'audit',
  'calls',
  'data',
  'datasets',
  'deliveries',
  'destinations',
  'experiments',
  'gateway',
  'jobs',
  'judgements',
  'keys',
  'labels',
  'members',
  'models',
  'probes',
  'projects',
  'promotions',
  'prompts',
  'providers',
  'reports',
  'review',
  'rules',
  'settings',
  'setup',
  'thresholds',
  'traces',
  'trust',
  'turns',
  'verifiers',
  'views',
  'work',
] as const;

export type LiveTopic = (typeof liveTopics)[number];

export const changeChannel = 'assay_changes';

const known: ReadonlyMap<string, LiveTopic> = new Map(liveTopics.map((topic) => [topic, topic]));

/**
 * The topic of an audited action, in addition to `audit`; null for an action that no page shows.
 */
export function topicOfAction(action: string): LiveTopic | null {
  return known.get(action.split('.', 1)[0] ?? '') ?? null;
}

export interface ChangeNotice {
  readonly projectId: string;
  readonly topics: readonly LiveTopic[];
}

/** Topics are in a fixed order, so that PostgreSQL merges equal notices of one transaction. */
export function writeChangeNotice({ projectId, topics }: ChangeNotice): string {
  return [projectId, ...[...new Set(topics)].toSorted()].join(' ');
}

/** Ignores unknown topics: another release may run at the same time. */
export function readChangeNotice(text: string): ChangeNotice {
  const [projectId = '', ...words] = text.split(' ');
  return { projectId, topics: words.flatMap((word) => known.get(word) ?? []) };
}
