// Tests the import rules (.dependency-cruiser.cjs): one planted violation of each is reported by
// that rule and no other, and permitted imports by none.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refuseEmptyCruise } from './cruise-report.mjs';
import { root } from './data-dir.mjs';

const Config = z.object({
  forbidden: z.array(z.object({ name: z.string() })),
  required: z.array(z.object({ name: z.string() })),
});
const config = Config.parse(createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')));
const ruleNames = [...config.forbidden, ...config.required].map((rule) => rule.name);
const roomRules = ruleNames.filter((name) => name.startsWith('rooms-only-down/'));
const rooms = roomRules.map((name) => name.slice('rooms-only-down/'.length));

const Report = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

/**
 * Runs dependency-cruiser as `npm run rules` does, in `dir`. Its exit code is the number of
 * violations.
 */
async function cruise(dir: string) {
  const bin = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = [
    bin,
    '--config',
    join(root, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    '.',
  ];
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: dir, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve(stdout || stderr),
    );
  });
  return Report.parse(JSON.parse(output)).summary;
}

type Files = Readonly<Record<string, string>>;

/** File → its text. The first file violates the rule. */
const planted: Readonly<Record<string, Files>> = {
  'nothing-unresolved': { 'server/verdicts/unresolved.ts': "import 'not-installed';" },
  // A cycle is reported once, by the module that comes first; hen.ts is below.
  'no-value-cycles': {
    'server/verdicts/egg.ts': "import { hen } from './hen';\nexport const egg = () => hen;",
  },
  'rooms-below-composition': { 'server/verdicts/composes.ts': "import '../runtime';" },
  'composition-below-apis': { 'server/web.ts': "import './api/http';" },
  'rooms-by-their-index/from-rooms': {
    'server/verdicts/behind.ts': "import type { Inner } from '../ingest/inner';",
  },
  'rooms-by-their-index/from-outside': {
    'workers/behind.ts': "import '../server/api/trpc/caller';",
  },
  'rooms-by-their-index/from-app': {
    'app/behind.tsx': "import type { Inner } from '@/server/ingest/inner';",
  },
  'domain-only-zod': {
    'server/domain/reads.ts': "import 'node:fs';",
    'server/domain/knows.ts': "import '../platform';",
  },
  'evaluators-touch-no-store': {
    'server/evaluators/reads.ts': "import '../../db';",
    'server/evaluators/checks/asks.ts': "import '../../llm';",
    'server/evaluators/checks/enqueues.ts': "import '../../queue';",
    'server/evaluators/checks/knows-who.ts': "import type { Inner } from '../../access';",
    'server/evaluators/checks/queries.ts': "import type { Sql } from 'postgres';",
  },
  'families-are-strangers': { 'server/evaluators/checks/other.ts': "import '../claims';" },
  'kinds-are-strangers': {
    'server/verifiers/task/other.ts': "import type { Inner } from '../integrity';",
  },
  'db-looks-down': {
    'db/looks-up.ts': "import '../server/access';",
    'db/knows-app.ts': "import '../app/page';",
  },
  'db-by-its-index': { 'server/verdicts/behind-db.ts': "import '../../db/client';" },
  'server-knows-no-adapter': {
    'server/verdicts/knows-app.ts': "import type { Page } from '@/app/page';",
    'server/verdicts/knows-worker.ts': "import '../../workers/lane';",
    'server/verdicts/knows-edge.ts': "import '../edge';",
    'server/admin.ts': "import '../sdk';",
  },
  'adapters-are-strangers': {
    'app/api/knows-worker/route.ts': "import '@/workers/lane';",
    'workers/knows-edge.ts': "import '../server/edge';",
    'sdk/knows-app.ts': "import type { Page } from '../app/page';",
  },
  'product-knows-no-tools': {
    'workers/uses-script.ts': "import '../scripts/tool.mjs';",
    'server/verdicts/uses-generator.ts': "import '../../testing/generator';",
  },
  'no-database-in-apis': {
    'app/api/reads/route.ts': "import '@/db';",
    'workers/reads.ts': "import '../db';",
    'server/api/trpc/reads.ts': "import type { Sql } from 'postgres';",
    'server/api/http/reads.ts': "import { eq } from 'drizzle-orm/sql';\nexport { eq };",
  },
  'queue-drivers-in-queue-only': {
    'server/verdicts/enqueues.ts': "import 'bullmq';",
    'server/edge.ts': "import type { Redis } from 'ioredis';",
    'scripts/connects.mjs': "import 'pg';",
  },
  'browser-takes-input-and-domain': {
    'app/bundles.tsx': "import '@/server/verdicts';",
    'app/bundles-router.tsx': "import { router } from '@/server/api/trpc';\nexport { router };",
    'app/page.tsx': "import '@/server/api/trpc/caller';",
  },
  'inputs-are-browser-safe': {
    'server/access/input.ts': "export { role } from './leads-to-node';",
  },
  'sdk-knows-only-the-wire': { 'sdk/index.ts': "import type { Inner } from '../server/ingest';" },
  'sdk-takes-types-only': {
    'sdk/runs-wire.ts': "import { WireTurn } from '../server/ingest/wire';\nexport { WireTurn };",
  },
  'server-data-is-marked': { 'app/_trpc/server.ts': "import '@/server/api/trpc/caller';" },
  ...Object.fromEntries(
    rooms.map((room, index) => [`rooms-only-down/${room}`, plantUpward(room, index)]),
  ),
};

/**
 * Each module imports the next one, which has the same or a higher rank. The last one imports a
 * neighbour.
 */
function plantUpward(room: string, index: number): Files {
  const above = rooms[index + 1] ?? rooms[index - 1] ?? '';
  const text = `import '@/server/${above}';`;
  if (room === 'domain') return { 'server/domain/up.test.ts': text };
  const platformKnowsDb =
    room === 'platform' ? { 'server/platform/stores.ts': "import '../../db';" } : {};
  return { [`server/${room}/up.ts`]: text, ...platformKnowsDb };
}

/** Files that the planted ones need, and permitted imports. */
const allowed: Files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2023',
      jsx: 'react-jsx',
      allowJs: true,
      paths: { '@/*': ['./*'] },
    },
  }),
  ...Object.fromEntries(
    ['zod', 'postgres', 'drizzle-orm', 'bullmq', 'ioredis', 'pg', 'server-only', 'vitest'].flatMap(
      (name) => [
        [
          `node_modules/${name}/package.json`,
          JSON.stringify({
            name,
            version: '1.0.0',
            exports: { '.': './index.js', './sql': './index.js' },
          }),
        ],
        [`node_modules/${name}/index.js`, 'module.exports = {};'],
      ],
    ),
  ),
  ...Object.fromEntries(rooms.map((room) => [`server/${room}/index.ts`, 'export type Inner = 1;'])),
  'testing/generator.ts': 'export const seed = 1;',
  'server/domain/index.ts': "export * from './text';",
  'server/domain/text.ts': "import { z } from 'zod';\nexport const Text = z.string();",
  'server/ingest/inner.ts': 'export type Inner = 1;',
  'server/ingest/wire.ts': "export { Text as WireTurn } from '../domain';",
  'server/ingest/input.ts':
    "import { z } from 'zod';\nimport { Text } from '../domain';\nexport const Input = z.object({ Text });",
  'server/access/leads-to-node.ts': "import 'node:crypto';\nexport const role = 1;",
  'server/queue/lane.ts': "import 'pg';\nimport 'bullmq';\nimport '../access';\nimport '../../db';",
  'server/code/index.ts': "import '../sandbox';",
  'server/figures/index.ts': "import { Text } from '../domain';\nexport const figures = Text;",
  'server/verifiers/integrity/index.ts':
    "import { figures } from '../../figures';\nexport type Inner = typeof figures;",
  'server/verifiers/registry.ts': "import './integrity';",
  'server/verdicts/hen.ts': "import { egg } from './egg';\nexport const hen = () => egg;",
  'server/verdicts/tail.ts': "import type { Head } from './head';\nexport type Tail = Head | 1;",
  'server/verdicts/head.ts': "import type { Tail } from './tail';\nexport type Head = Tail | 2;",
  'server/ingest/intake/replays.int.test.ts': "import '../../verdicts';",
  'testing/stack.ts': "import './database';",
  'server/verdicts/settle.int.test.ts':
    "import '../../testing/database';\nimport '../runtime';\nimport '../../scripts/tool.mjs';",
  'server/runtime.ts': "import '../db';\nimport './verdicts';",
  'server/api/trpc/caller.ts': "import 'server-only';\nimport '../../runtime';",
  'db/index.ts': "import 'postgres';\nimport '../server/domain';\nimport '../server/platform';",
  'db/client.ts': "import 'drizzle-orm';",
  'db/migrate.ts': 'export {};',
  'server/evaluators/claims/index.ts': 'export {};',
  'testing/database.ts':
    "import '../db/migrate';\nimport '../server/runtime';\nimport '../server/verdicts';",
  'bench/ingest.ts': "import '../testing/database';",
  'app/api/route.ts': "import '@/server/api/http';\nimport '@/server/runtime';",
  'app/form.tsx':
    "import { Input } from '@/server/ingest/input';\nimport type { Inner } from '@/server/verdicts';\nexport type { Inner, Input };",
  'workers/main.ts': "import '../db';\nimport '../server/runtime';\nimport './lane';",
  'workers/lane.ts': "import '../server/verdicts';\nimport 'bullmq';",
  'sdk/client.ts':
    "import type { WireTurn } from '../server/ingest/wire';\nexport type Turn = WireTurn;",
  'scripts/tool.mjs': 'export {};',
};

let dir = '';
let reported: z.infer<typeof Report>['summary']['violations'] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'assay-import-rules-'));
  const files = Object.assign({ ...allowed }, ...Object.values(planted)) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), `${text}\n`);
  }
  reported = (await cruise(dir)).violations;
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('import rules', () => {
  it.each(ruleNames)('only %s reports its planted violation', (name) => {
    const files = Object.keys(planted[name] ?? {});
    expect(files, 'plant a violation of this rule').not.toHaveLength(0);
    for (const file of files) {
      const rules = reported
        .filter((violation) => violation.from === file)
        .map((violation) => violation.rule.name);
      expect([...new Set(rules)], file).toEqual([name]);
    }
  });

  it('report no permitted import', () => {
    const guilty = new Set(Object.values(planted).flatMap((files) => Object.keys(files)));
    expect(reported.filter((violation) => !guilty.has(violation.from))).toEqual([]);
  });

  it('know every room of server/', () => {
    const folders = readdirSync(join(root, 'server'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(
      folders
        .map((entry) => entry.name)
        .filter((name) => !rooms.some((room) => room.split('/')[0] === name)),
    ).toEqual([]);
    const files = readdirSync(join(root, 'server')).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    expect(files.sort()).toEqual(['admin.ts', 'edge.ts', 'runtime.ts', 'thread.ts', 'web.ts']);
  });

  // The step `rules` of `npm run verify` runs them on the real tree.
  it('read the real tree, and a run that reads too few modules is refused', () => {
    const { rules } = z
      .object({ scripts: z.object({ rules: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts;
    expect(rules).toBe('depcruise --config .dependency-cruiser.cjs .');
    const clean = (modules: number) =>
      `✔ no dependency violations found (${modules} modules, 15377 dependencies cruised)`;
    expect(refuseEmptyCruise(clean(3224))).toBeUndefined();
    expect(refuseEmptyCruise(clean(0))).toContain('on 0 modules');
    expect(refuseEmptyCruise('')).toContain('an unknown number of modules');
  });
});
