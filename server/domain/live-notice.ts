/**
 * What is told to open pages (pg_notify). A notice names a project and what is to be read again,
 * never its content.
 *
 * `assay_verdicts`: verdicts settled or labels were appended, `<project> <settled> <labelled>`.
 * `assay_changes`: something else was changed, by a person or a worker, `<project> <topic> <topic>
 * …`.
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

/** Counts that are left out are 0. */
export function readLiveNotice(text: string): LiveNotice {
  const [projectId = '', settled = '0', labelled = '0'] = text.split(' ');
  return { projectId, settled: Number(settled), labelled: Number(labelled) };
}

/**
 * What can change: the rooms of audited actions (`thresholds.update` is of `thresholds`), the audit
 * itself, and what leaves no audit row: `turns` were stored, `traces` came or were put together,
 * `calls` of the gateway were recorded, `judgements` were made again, `work` was quarantined,
 * `jobs` went on, `deliveries` were sent, `alerts`, `trust` and `review` were looked at again.
 */
export const liveTopics = [
  'alerts',
  'anchors',
  'audit',
  'calls',
  'data',
  'deliveries',
  'destinations',
  'gateway',
  'jobs',
  'judgements',
  'keys',
  'labels',
  'members',
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
 * What an audited action changes in addition to the audit; null for an action of no room that pages
 * show.
 */
export function topicOfAction(action: string): LiveTopic | null {
  return known.get(action.split('.', 1)[0] ?? '') ?? null;
}

export interface ChangeNotice {
  readonly projectId: string;
  readonly topics: readonly LiveTopic[];
}

/** In one order, so that PostgreSQL shows what one transaction says twice only once. */
export function writeChangeNotice({ projectId, topics }: ChangeNotice): string {
  return [projectId, ...[...new Set(topics)].toSorted()].join(' ');
}

/** Words that this release does not know are left out: another release may run next to it. */
export function readChangeNotice(text: string): ChangeNotice {
  const [projectId = '', ...words] = text.split(' ');
  return { projectId, topics: words.flatMap((word) => known.get(word) ?? []) };
}
