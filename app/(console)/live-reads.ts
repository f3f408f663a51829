import type { AnyTRPCQueryProcedure } from '@trpc/server';
import type { AppRouter } from '@/server/api/trpc';
import type { LiveTopic } from '@/server/domain';

type Routers = AppRouter['_def']['record'];

/** The path of every query procedure, such as `thresholds.list`. */
export type QueryPath = {
  [Router in keyof Routers]: {
    [Name in keyof Routers[Router]]: Routers[Router][Name] extends AnyTRPCQueryProcedure
      ? `${Extract<Router, string>}.${Extract<Name, string>}`
      : never;
  }[keyof Routers[Router]];
}[keyof Routers];

/**
 * The subject of an event of the feed: a topic, or `verdicts` if verdicts settled. New labels have
 * the topic `labels`.
 */
export type ReadTopic = LiveTopic | 'verdicts';

/**
 * The topics that change the answer of each procedure: on an event, pages that show the answer
 * reload it. Empty if the answer never changes (a stored text), depends on what is being typed
 * (plans, previews), is expensive and reloaded by the page itself (`useLive`), or must not change
 * while someone works on it (a review item).
 */
export const liveReads: Record<QueryPath, readonly ReadTopic[]> = {
  'account.claimState': [],
  'account.signInOptions': [],
  'account.me': ['members', 'projects'],
  'account.signInMethods': [],
  'alerts.alerting': ['alerts'],
  'alerts.board': ['alerts'],
  'alerts.history': ['alerts', 'deliveries'],
  'alerts.rules': ['alerts'],
  'audit.list': ['audit'],
  'calibration.anchors': ['anchors', 'jobs'],
  'calibration.get': ['judgements'],
  'calibration.imported': ['judgements'],
  'calibration.list': ['judgements'],
  'calibration.planAnchors': [],
  'calibration.report': ['judgements'],
  'calibration.rows': ['judgements'],
  'charts.caughtCosts': ['judgements'],
  'charts.gatewayDays': ['calls'],
  'charts.history': [],
  'charts.marks': [
    'labels',
    'promotions',
    'prompts',
    'providers',
    'rules',
    'settings',
    'thresholds',
    'trust',
    'verifiers',
  ],
  'charts.modelScores': [],
  'charts.scores': [],
  'checkpoints.pipeline': [],
  'checkpoints.pipelines': [],
  'checkpoints.summary': [],
  'data.deletion': ['data'],
  'data.deletions': ['data'],
  'data.exportPart': [],
  'data.exports': ['data', 'jobs'],
  'data.masking': ['data'],
  'data.preview': [],
  'data.retention': ['data'],
  'datasets.diff': [],
  'datasets.get': ['datasets'],
  'datasets.item': ['datasets'],
  'datasets.items': ['datasets'],
  'datasets.list': ['datasets'],
  'decisions.list': ['turns'],
  'destinations.deliveries': ['deliveries', 'destinations'],
  'destinations.list': ['deliveries', 'destinations'],
  'experiments.compare': [],
  'experiments.compareItems': [],
  'experiments.gate': [],
  'experiments.get': ['experiments', 'jobs'],
  'experiments.list': ['experiments', 'jobs'],
  'experiments.rows': ['experiments', 'jobs'],
  'experiments.summaries': ['experiments', 'jobs'],
  'gateway.calls': ['calls'],
  'gateway.route': ['gateway'],
  'gateway.routes': ['gateway'],
  'gateway.session': ['calls'],
  'gateway.sessions': ['calls'],
  'gateway.steering': ['calls', 'gateway'],
  'gateway.summary': ['calls', 'gateway', 'providers'],
  'jobs.get': ['jobs'],
  'jobs.list': ['jobs'],
  'keys.list': ['keys'],
  'labels.ofVerdict': [],
  'members.list': ['members'],
  'models.days': [],
  'missions.get': ['settings', 'verdicts'],
  'models.list': [],
  'models.settings': ['models', 'turns'],
  'playground.turn': [],
  'probes.get': ['jobs', 'probes'],
  'probes.list': ['jobs', 'probes'],
  'probes.plan': [],
  'projects.get': ['members', 'projects', 'settings'],
  'promotions.check': [],
  'promotions.checkJudge': [],
  'promotions.list': ['promotions', 'prompts', 'settings'],
  'prompts.body': [],
  'prompts.get': ['promotions', 'prompts'],
  'prompts.list': ['promotions', 'prompts'],
  'prompts.planTrial': [],
  'prompts.trial': ['jobs', 'prompts'],
  'prompts.trials': ['jobs', 'prompts'],
  'providers.list': ['providers'],
  'reports.get': ['jobs', 'reports'],
  'reports.list': ['jobs', 'reports'],
  'reports.markdown': [],
  'reports.preview': [],
  'reports.schedules': ['destinations', 'reports'],
  'review.content': [],
  'review.counts': ['review'],
  'review.policies': ['labels'],
  'review.settings': ['review'],
  'review.similar': ['labels', 'review'],
  'review.waiting': ['labels', 'review'],
  'rules.get': ['rules'],
  'rules.list': ['rules'],
  'search.find': [],
  'sessions.get': ['traces', 'turns'],
  'sessions.list': ['traces', 'turns'],
  'sessions.turns': ['traces', 'turns'],
  'setup.get': [
    'calls',
    'jobs',
    'keys',
    'labels',
    'members',
    'prompts',
    'providers',
    'rules',
    'setup',
    'thresholds',
    'traces',
    'turns',
    'verdicts',
  ],
  'slack.links': ['destinations', 'members'],
  'thresholds.changes': ['thresholds'],
  'thresholds.flips': [],
  'thresholds.list': ['thresholds'],
  'thresholds.simulate': [],
  'traces.get': ['traces'],
  'traces.list': ['traces', 'turns'],
  'traces.span': [],
  'traces.spans': ['traces'],
  'trust.history': ['trust'],
  'trust.list': ['trust'],
  'trust.settings': ['trust'],
  'turns.get': [],
  'turns.original': [],
  'turns.received': ['traces', 'turns'],
  'verdicts.changes': [
    'judgements',
    'labels',
    'prompts',
    'providers',
    'rules',
    'settings',
    'thresholds',
    'trust',
    'verifiers',
  ],
  'verdicts.get': [],
  'verdicts.list': [],
  'verdicts.overview': ['turns', 'work'],
  'verifiers.definition': ['promotions', 'thresholds', 'verifiers'],
  'verifiers.get': ['verifiers'],
  'verifiers.judging': ['promotions', 'providers', 'settings'],
  'verifiers.list': ['verifiers'],
  'verifiers.subject': [],
  'verifiers.tried': ['jobs', 'labels'],
  'views.list': ['views'],
  'work.waiting': ['turns', 'work'],
};

/**
 * Topics of server-rendered parts, for which the whole page is refreshed. Only changes made by
 * people, never events that happen every second.
 */
export const pageTopics: ReadonlySet<ReadTopic> = new Set<ReadTopic>([
  'gateway',
  'members',
  'projects',
  'prompts',
  'providers',
  'settings',
  'thresholds',
  'verifiers',
]);

const pathsByTopic: ReadonlyMap<ReadTopic, ReadonlySet<string>> = new Map(
  [...new Set(Object.values(liveReads).flat())].map((topic) => [
    topic,
    new Set<string>(
      Object.entries(liveReads).flatMap(([path, topics]) => (topics.includes(topic) ? [path] : [])),
    ),
  ]),
);

/**
 * Whether a query's answer may have changed. `queryKey` is tRPC's: `[['thresholds', 'list'], {
 * input: { project } }]`.
 */
export function isAffected(
  queryKey: readonly unknown[],
  project: string,
  topics: Iterable<ReadTopic>,
): boolean {
  const path = pathOf(queryKey);
  if (path === null || !isOfProject(queryKey, project)) return false;
  for (const topic of topics) if (pathsByTopic.get(topic)?.has(path) === true) return true;
  return false;
}

/** Whether any event can change a query's answer. */
export function isLive(queryKey: readonly unknown[], project: string): boolean {
  return isAffected(queryKey, project, pathsByTopic.keys());
}

function pathOf([path]: readonly unknown[]): string | null {
  return Array.isArray(path) ? path.join('.') : null;
}

function isOfProject([, options]: readonly unknown[], project: string): boolean {
  if (typeof options !== 'object' || options === null || !('input' in options)) return true;
  const { input } = options;
  if (typeof input !== 'object' || input === null || !('project' in input)) return true;
  return input.project === project;
}
