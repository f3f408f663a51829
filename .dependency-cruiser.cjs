// The import rules (docs/develop/contributing.md, "Import rules"). Every rule is an error, without
// exceptions. scripts/import-rules.test.ts adds one violation of each rule, and so finds a rule
// that cannot fail.

/**
 * Modules of `server/`, lowest first; modules on one line may not import each other. Add a new
 * module here.
 */
const floors = [
  ['domain'],
  ['platform'],
  ['pool'],
  ['access', 'sandbox'],
  ['queue', 'llm', 'stats', 'pii'],
  ['prompts', 'thresholds', 'ingest', 'figures', 'code', 'masking'],
  ['evaluators'],
  ['verifiers'],
  ['catalog'],
  ['rules'],
  ['verdicts'],
  ['measures', 'deliveries'],
  ['labels'],
  ['experiments', 'trust'],
  ['alerts'],
  ['reports', 'gateway', 'slack'],
  ['lifecycle', 'doctor'],
  ['api/http', 'api/trpc'],
];

const test = '\\.test\\.tsx?$';
/** Integration tests may import all modules; unit tests keep to the rank of their module. */
const crossing = '\\.int\\.test\\.ts$';
const types = ['type-only'];
/** Packages, found or not: a name that does not resolve must not slip through a rule. */
const packages = (...names) => `(^|/node_modules/|^node_modules/)(${names.join('|')})(/|$)`;
/**
 * `runtime.ts` and `web.ts` compose a process from modules: their rank is between the top two
 * floors.
 */
const composition = '^server/(runtime|web)\\.ts$';
const adapterFiles = '^server/(edge|admin|thread)\\.ts$';

/** One rule per module: it imports nothing of its own rank or above; `db` is above `platform`. */
const onlyDown = floors.flatMap((floor, rank) =>
  floor.map((room) => {
    const above = floors
      .slice(rank)
      .flat()
      .filter((other) => other !== room);
    const to = [`^server/(${above.join('|')})/`, ...(rank <= 1 ? ['^db/'] : [])];
    return {
      name: `rooms-only-down/${room}`,
      comment: 'A room imports rooms of lower rank only; equal ranks are strangers.',
      // What else a domain file may not import is the stricter rule `domain-only-zod`.
      from: {
        path: room === 'domain' ? `^server/domain/.*${test}` : `^server/${room}/`,
        pathNot: crossing,
      },
      to: { path: to },
    };
  }),
);

const entryPoints = [
  '^server/[^/]+/(index|input)\\.ts$',
  '^server/api/(http|trpc)/index\\.ts$',
  '^server/code/gates/index\\.ts$',
  '^server/evaluators/[^/]+/index\\.ts$',
  '^server/ingest/(wire|trace-spans-fixture)\\.ts$',
  '^server/verifiers/view\\.ts$',
];

const forbidden = [
  {
    name: 'nothing-unresolved',
    comment: 'What cannot be found is judged by no other rule.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-value-cycles',
    comment: 'Modules that need each other to load are one module. Types may go round.',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: types } },
  },
  ...onlyDown,
  {
    name: 'rooms-below-composition',
    comment: 'A function receives its dependencies. A test composes what it tests.',
    from: { path: '^server/[^/]+/', pathNot: ['^server/api/', test] },
    to: { path: composition },
  },
  {
    name: 'composition-below-apis',
    comment:
      'runtime.ts and web.ts import no API; http receives them as a parameter, trpc imports them.',
    from: { path: composition },
    to: { path: '^server/api/' },
  },
  {
    name: 'rooms-by-their-index/from-rooms',
    comment: 'Only index.ts, input.ts, ingest/wire.ts and the index.ts of an evaluator family.',
    from: { path: '^server/([^/]+)/' },
    to: { path: '^server/[^/]+/', pathNot: ['^server/$1/', ...entryPoints] },
  },
  {
    name: 'rooms-by-their-index/from-outside',
    comment: 'As from rooms; app may also import server/api/trpc/caller.ts.',
    from: { pathNot: ['^server/[^/]+/', '^app/'] },
    to: { path: '^server/[^/]+/', pathNot: entryPoints },
  },
  {
    name: 'rooms-by-their-index/from-app',
    comment: 'As from outside, plus server/api/trpc/caller.ts for server components.',
    from: { path: '^app/' },
    to: { path: '^server/[^/]+/', pathNot: [...entryPoints, '^server/api/trpc/caller\\.ts$'] },
  },
  {
    name: 'domain-only-zod',
    comment: 'The domain depends on zod only.',
    from: { path: '^server/domain/', pathNot: test },
    to: { pathNot: ['^server/domain/', packages('zod')] },
  },
  {
    name: 'evaluators-touch-no-store',
    comment: 'Subject in, score out: no database, queue, access or model behind it.',
    from: { path: '^server/(evaluators|figures|code)/' },
    to: { path: ['^db/', '^server/(access|queue|llm)/', packages('postgres', 'drizzle-orm')] },
  },
  {
    name: 'families-are-strangers',
    from: { path: '^server/evaluators/([^/]+)/' },
    to: { path: '^server/evaluators/[^/]+/', pathNot: '^server/evaluators/$1/' },
  },
  {
    name: 'kinds-are-strangers',
    from: { path: '^server/verifiers/([^/]+)/' },
    to: { path: '^server/verifiers/[^/]+/', pathNot: '^server/verifiers/($1|custom|subjects)/' },
  },
  {
    name: 'db-looks-down',
    from: { path: '^db/', pathNot: test },
    to: { path: '^(server|app|workers|sdk)/', pathNot: '^server/(domain|platform)/' },
  },
  {
    name: 'db-by-its-index',
    comment: 'db/index.ts; testing/ also migrates the databases that it creates.',
    from: { pathNot: '^(db|testing)/' },
    to: { path: '^db/', pathNot: '^db/index\\.ts$' },
  },
  {
    name: 'server-knows-no-adapter',
    from: { path: '^server/' },
    to: { path: ['^(app|workers|sdk)/', adapterFiles] },
  },
  {
    name: 'adapters-are-strangers',
    from: { path: '^(app|workers|sdk)/' },
    to: { path: ['^(app|workers|sdk)/', adapterFiles], pathNot: '^$1/' },
  },
  {
    name: 'product-knows-no-tools',
    comment:
      'What runs in production imports nothing of scripts, testing, demo, bench or e2e; tests may.',
    from: { path: '^(app|server|db|workers|sdk)/', pathNot: test },
    to: { path: '^(scripts|testing|demo|bench|e2e)/' },
  },
  {
    name: 'no-database-in-apis',
    comment: 'Adapters and APIs call functions of rooms; workers/main.ts may migrate and close.',
    from: {
      path: '^(app|workers|server/api)/',
      pathNot: ['^workers/main\\.ts$', test],
    },
    to: { path: ['^db/', packages('postgres', 'drizzle-orm')] },
  },
  {
    name: 'queue-drivers-in-queue-only',
    comment: 'server/queue is the one place that knows PostgreSQL from Redis.',
    from: { pathNot: '^(server/queue|workers)/' },
    to: { path: packages('bullmq', 'ioredis', 'pg') },
  },
  {
    name: 'browser-takes-input-and-domain',
    comment:
      'All of app counts as browser code, since a file without a directive is bundled for whoever imports it. Server values ' +
      'come in by two ways only: route handlers, and app/_trpc/server.ts, which Next refuses to bundle for a browser.',
    from: { path: '^app/', pathNot: ['/route\\.ts$', '^app/_trpc/server\\.ts$', test] },
    to: {
      path: '^server/',
      pathNot: ['^server/domain/', '^server/[^/]+/input\\.ts$', '^server/verifiers/view\\.ts$'],
      dependencyTypesNot: types,
    },
  },
  {
    name: 'inputs-are-browser-safe',
    comment: 'Whatever input.ts and wire.ts lead to stands on zod alone.',
    from: { path: '^server/([^/]+/input|ingest/wire|verifiers/view)\\.ts$' },
    to: { reachable: true, pathNot: ['^server/', packages('zod')] },
  },
  {
    name: 'sdk-knows-only-the-wire',
    from: { path: '^sdk/' },
    to: { path: '^(server|db)/', pathNot: ['^server/ingest/wire\\.ts$', adapterFiles] },
  },
  {
    name: 'sdk-takes-types-only',
    from: { path: '^sdk/' },
    to: { path: '^server/ingest/wire\\.ts$', dependencyTypesNot: types },
  },
];

const required = [
  {
    name: 'server-data-is-marked',
    comment: "Next refuses to bundle a module that imports 'server-only' for a browser.",
    module: { path: '^app/_trpc/server\\.ts$' },
    to: { path: packages('server-only') },
  },
];

module.exports = {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  required: required.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(\\.next|\\.assay|dist|sdk/dist|public|test-results|playwright-report|testing/clients/drivers)/|^next-env\\.d\\.ts$',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default', 'require'],
    },
  },
};
