// Every page of the console that `npm run pictures` photographs with the demo's data.

/**
 * @typedef {object} PageToTake
 * @property {string} name of its pictures
 * @property {string} route folder of its page.tsx below `app`; a test compares the list with the
 * folders
 * @property {string} [path] its path below the project's; a path that begins with `//` is that of
 * the installation
 * @property {{ on: string, link: string }} [first] instead of a path: the first link on the page
 * `on` whose URL contains `link`
 * @property {string} [guide] the picture's file in docs/console: its name below docs/pictures
 * @property {string} [at] for the guide's picture: the heading at its top
 */

const base = '(console)/p/[project]';

/** @type {readonly PageToTake[]} */
export const pagesToTake = [
  { name: 'overview', route: `${base}/(overview)`, path: '/', guide: 'overview' },
  { name: 'verdicts', route: `${base}/verdicts/(list)`, path: '/verdicts', guide: 'verdicts' },
  {
    name: 'verdict',
    route: `${base}/verdicts/[id]`,
    first: { on: '/verdicts?verifier=integrity&outcome=failed', link: '/verdicts/' },
    guide: 'verdict',
  },
  {
    name: 'verdict-task',
    route: `${base}/verdicts/[id]`,
    first: { on: '/verdicts?verifier=task&outcome=failed', link: '/verdicts/' },
    guide: 'verdict-task',
  },
  {
    name: 'verdict-code',
    route: `${base}/verdicts/[id]`,
    first: { on: '/verdicts?verifier=code&outcome=failed', link: '/verdicts/' },
    guide: 'verdict-code',
  },
  { name: 'received', route: `${base}/received`, path: '/received' },
  { name: 'turn', route: `${base}/turns/[id]`, first: { on: '/rules/integrity', link: '/turns/' } },
  { name: 'traces', route: `${base}/traces/(list)`, path: '/traces', guide: 'traces' },
  {
    name: 'trace',
    route: `${base}/traces/[id]`,
    first: { on: '/traces', link: '/traces/' },
    guide: 'trace',
  },
  { name: 'sessions', route: `${base}/sessions/(list)`, path: '/sessions' },
  {
    name: 'session',
    route: `${base}/sessions/[id]`,
    first: { on: '/sessions', link: '/sessions/' },
    guide: 'session',
  },
  {
    name: 'checkpoints',
    route: `${base}/checkpoints/(list)`,
    path: '/checkpoints',
    guide: 'checkpoints',
  },
  {
    name: 'pipeline',
    route: `${base}/checkpoints/[id]`,
    first: { on: '/checkpoints', link: '/checkpoints/' },
    guide: 'pipeline',
  },
  { name: 'gateway', route: `${base}/gateway/(home)`, path: '/gateway', guide: 'gateway' },
  { name: 'gateway-calls', route: `${base}/gateway/calls`, path: '/gateway/calls' },
  { name: 'gateway-route', route: `${base}/gateway/routes/[name]`, path: '/gateway/routes/openai' },
  { name: 'gateway-new-route', route: `${base}/gateway/new-route`, path: '/gateway/new-route' },
  {
    name: 'gateway-session',
    route: `${base}/gateway/sessions/[id]`,
    first: { on: '/gateway', link: '/gateway/sessions/' },
  },
  { name: 'review', route: `${base}/review/(queue)`, path: '/review', guide: 'review' },
  {
    name: 'review-policy',
    route: `${base}/review/policy`,
    path: '/review/policy?verifier=integrity',
  },
  { name: 'alerts', route: `${base}/alerts`, path: '/alerts', guide: 'alerts' },
  { name: 'datasets', route: `${base}/datasets/(list)`, path: '/datasets' },
  {
    name: 'dataset',
    route: `${base}/datasets/[slug]`,
    first: { on: '/datasets', link: '/datasets/' },
  },
  {
    name: 'dataset-versions',
    route: `${base}/datasets/[slug]/versions`,
    path: '/datasets/failed-answers/versions',
  },
  {
    name: 'dataset-item',
    route: `${base}/datasets/[slug]/items/[id]`,
    first: { on: '/datasets/failed-answers', link: '/datasets/failed-answers/items/' },
  },
  {
    name: 'calibration',
    route: `${base}/calibration/(list)`,
    path: '/calibration?days=all',
    guide: 'calibration',
  },
  {
    name: 'calibration-verifier',
    route: `${base}/calibration/verifier`,
    path: '/calibration/verifier?verifier=integrity',
    guide: 'calibration-verifier',
  },
  {
    name: 'calibration-rows',
    route: `${base}/calibration/rows`,
    path: '/calibration/rows?verifier=integrity&cell=labelled',
  },
  { name: 'thresholds', route: `${base}/thresholds`, path: '/thresholds' },
  {
    name: 'threshold',
    route: `${base}/thresholds`,
    path: '/thresholds?verifier=task&key=pass_threshold&value=0.6',
    guide: 'threshold',
  },
  {
    name: 'threshold-flips',
    route: `${base}/thresholds/flips`,
    path: '/thresholds/flips?verifier=task&key=pass_threshold&value=0.6',
  },
  { name: 'experiments', route: `${base}/experiments/(list)`, path: '/experiments' },
  {
    name: 'experiment',
    route: `${base}/experiments/[id]`,
    first: { on: '/experiments', link: '/experiments/exp_' },
  },
  {
    name: 'experiments-compare',
    route: `${base}/experiments/compare`,
    first: { on: '/datasets/failed-answers', link: '/experiments/compare' },
  },
  { name: 'playground', route: `${base}/playground`, path: '/playground' },
  { name: 'experiment-new', route: `${base}/experiments/new`, path: '/experiments/new' },
  { name: 'reports', route: `${base}/reports/(list)`, path: '/reports' },
  {
    name: 'report',
    route: `${base}/reports/[id]`,
    first: { on: '/reports', link: '/reports/' },
    guide: 'report',
  },
  { name: 'models', route: `${base}/models`, path: '/models', guide: 'models' },
  { name: 'verifiers', route: `${base}/verifiers/(list)`, path: '/verifiers' },
  {
    name: 'verifier',
    route: `${base}/verifiers/[slug]`,
    path: '/verifiers/task',
    guide: 'verifier',
  },
  { name: 'verifier-new', route: `${base}/verifiers/new`, path: '/verifiers/new' },
  {
    name: 'verifier-edit',
    route: `${base}/verifiers/[slug]/edit`,
    path: '/verifiers/personal-data/edit',
  },
  { name: 'prompts', route: `${base}/prompts/(list)`, path: '/prompts' },
  {
    name: 'prompt',
    route: `${base}/prompts/[slug]`,
    path: '/prompts/task-rubric',
    guide: 'prompt',
  },
  { name: 'rules', route: `${base}/rules`, path: '/rules', guide: 'rules' },
  { name: 'rule', route: `${base}/rules/[name]`, path: '/rules/integrity' },
  ...[
    'keys',
    'members',
    'integrity',
    'providers',
    'models',
    'judging',
    'review',
    'alerts',
    'work',
    'webhooks',
    'slack',
    'data',
    'audit',
  ].map((name) => ({
    name: `settings-${name}`,
    route: `${base}/settings/${name}`,
    path: `/settings/${name}`,
    ...(name === 'keys' ? { guide: 'settings' } : {}),
  })),
  { name: 'project-new', route: '(console)/projects/new', path: '//projects/new' },
  { name: 'account', route: '(console)/account', path: '//account' },
  { name: 'sign-in', route: '(entry)/sign-in', path: '//sign-in' },
  { name: 'claim', route: '(entry)/claim', path: '//claim?token=gone' },
];

/**
 * Pages that only redirect.
 * @internal Only tests use it.
 */
export const redirects = ['', `${base}/settings`];
