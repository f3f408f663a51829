// The pages below docs/reference/api: every route with its members, an example request and a real
// server's response to it. Generated from the OpenAPI description, so they cannot name anything
// that does not exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describeApi, httpRoutes } from '../../server/api/http';
import { root } from '../data-dir.mjs';
import { compactJson } from './compact-json';
import { type RouteExample, routeExamples } from './route-examples';
import { membersTable } from './schema-table';

interface Group {
  readonly file: string;
  readonly title: string;
  /** Links to the guides that explain the task. */
  readonly intro: string;
  readonly has: RegExp;
}

/** A route belongs to the first group whose pattern matches it. */
const groups: readonly Group[] = [
  {
    file: 'ingest',
    title: 'Send turns, traces, files and outcomes',
    intro:
      'Guides: [Send traces with OpenTelemetry](../../how-to/connect-opentelemetry.md), [Import files](../../how-to/import-files.md), [Use any language](../../how-to/connect-curl.md).',
    has: /^POST (\/v1\/(turns|traces|logs|metrics|import|outcomes)|\/\S*otel\/v1\/(traces|logs|metrics)|\/api\/public\/ingestion)$|\/v1\/jobs\//,
  },
  {
    file: 'verify',
    title: 'Verify',
    intro:
      'Guides: [Check figures](../../how-to/check-figures.md), [Judge tasks](../../how-to/judge-tasks.md), [Verify code](../../how-to/verify-code.md), [Verify the steps of a pipeline](../../how-to/verify-pipelines.md).',
    has: /\/v1\/verify\/|\/verify-task$|\/v1\/contracts$/,
  },
  {
    file: 'verdicts',
    title: 'Verdicts, labels, measures, findings and reports',
    intro:
      'Background: [the members of a verification](../http.md#verifications), [measures](../measures.md).',
    has: /\/v1\/(verifications|labels|metrics|findings|reports|missions)/,
  },
  {
    file: 'traces',
    title: 'Traces, sessions and deletion',
    intro:
      'Background: [how spans become turns](../opentelemetry.md), [retention and deletion](../../how-to/manage-data.md).',
    has: /\/v1\/(traces|sessions|turns|deletions)/,
  },
  {
    file: 'rules',
    title: 'Rules and decisions',
    intro: 'Guide: [Choose which turns are verified](../../how-to/route-turns.md).',
    has: /\/v1\/(rules|decisions)/,
  },
  {
    file: 'datasets',
    title: 'Datasets and experiments',
    intro:
      'Guides: [Build a dataset](../../how-to/datasets.md), [Run an experiment](../../how-to/run-experiments.md), [Compare experiments](../../how-to/compare-experiments.md).',
    has: /\/v1\/(datasets|experiments)/,
  },
  {
    file: 'configuration',
    title: 'Verifiers, thresholds, prompts, providers and settings',
    intro:
      'Background: [settings](../settings.md). Guides: [Write a judge](../../how-to/write-a-judge.md), [Write checks](../../how-to/write-checks.md), [Write a function](../../how-to/write-a-function.md), [Move a threshold](../../console/thresholds.md), [Promote a prompt or a judge](../../how-to/promote-prompts-and-judges.md).',
    has: /\/v1\/(thresholds|verifiers|prompts|providers|settings|gateway)/,
  },
  {
    file: 'notifications',
    title: 'Destinations and deliveries',
    intro: 'Guide: [Send verdicts, alerts and reports out](../../how-to/send-notifications.md).',
    has: /\/v1\/(destinations|deliveries)/,
  },
  {
    file: 'health',
    title: 'Health and description',
    intro: 'Guide: [Monitor an installation](../../how-to/monitor.md).',
    has: /./,
  },
];

const Answers = z.record(z.string(), z.object({ status: z.number(), answer: z.unknown() }));
type Answer = z.infer<typeof Answers>[string];
type Route = (typeof httpRoutes)[number];

const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** @returns the text of each page, by its file name below docs/reference/api */
export function apiPages(): ReadonlyMap<string, string> {
  const answers = Answers.parse(
    JSON.parse(readFileSync(join(root, 'scripts', 'docs', 'route-answers.json'), 'utf8')),
  );
  const description = describeApi();
  const grouped = groups.map((group) => ({
    group,
    routes: httpRoutes.filter(
      (route) => groups.find(({ has }) => has.test(nameOf(route)))?.file === group.file,
    ),
  }));
  const pages = grouped.map(({ group, routes }) => {
    const sections = routes.map((route) =>
      routeSection(route, description, answers[nameOf(route)]),
    );
    const text = [`# ${group.title}`, notice, group.intro, ...sections].join('\n\n');
    return [`${group.file}.md`, `${text}\n`] as const;
  });
  return new Map([['index.md', indexPage(grouped)], ...pages]);
}

const notice = '_`npm run docs` generates this page from the routes. Do not edit it._';

function indexPage(
  grouped: readonly { readonly group: Group; readonly routes: readonly Route[] }[],
): string {
  const parts = grouped.map(({ group, routes }) => {
    const rows = routes.map(
      (route) =>
        `| [\`${nameOf(route)}\`](${group.file}.md#${anchorOf(route)}) | ${scopeOf(route)} | ${escape(route.summary)} |`,
    );
    return [
      `## ${group.title}`,
      ['| Route | Key scope | Purpose |', '| --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n');
  });
  const intro =
    'Every route of the HTTP API. Authentication, errors and limits are the same for all of them: [HTTP API](../http.md). The OpenAPI 3.1 description is at `/openapi.json`.';
  return `${['# Routes', notice, intro, ...parts].join('\n\n')}\n`;
}

/** GitHub's anchors; docs/.vitepress/config.mjs configures the site to use the same ones. */
const anchorOf = (route: Route): string =>
  nameOf(route)
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-');

const scopeOf = ({ scope }: Route): string => (scope === null ? 'none' : `\`${scope}\``);
const escape = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function routeSection(
  route: Route,
  description: ReturnType<typeof describeApi>,
  answer: Answer | undefined,
): string {
  const name = nameOf(route);
  const example = routeExamples.find((one) => one.route === name);
  if (example === undefined) throw new Error(`${name} has no example in route-examples.ts`);
  const operation = description.paths?.[route.path]?.[route.method];
  const query = membersTable(description, { parameters: operation?.parameters });
  const body = membersTable(description, { content: operation?.requestBody });
  const replies = Object.keys(route.answers).join(' or ');
  return [
    `## \`${name}\``,
    `${route.summary}. Key scope: ${scopeOf(route)}. Status: ${replies}.`,
    ...(query === null ? [] : ['Query parameters:', query]),
    ...(body === null ? [] : ['Body:', body]),
    ['```sh', curl(route, example), '```'].join('\n'),
    ...answerBlock(answer),
  ].join('\n\n');
}

function curl(route: Route, { path, body, raw }: RouteExample): string {
  const method =
    route.method === 'get' || route.method === 'post' ? '' : ` -X ${route.method.toUpperCase()}`;
  const shown = path.replace(/\$(\w+)/g, (_, name: string) => `${name.toUpperCase()}_ID`);
  const type = raw?.type ?? (body === undefined ? null : 'application/json');
  const data = raw?.text.trim() ?? (body === undefined ? null : compactJson(body));
  return [
    `curl -s${method} 'http://localhost:4318${shown}'`,
    ...(route.scope === null ? [] : ['-H "authorization: Bearer $ASSAY_API_KEY"']),
    ...(type === null ? [] : [`-H 'content-type: ${type}'`]),
    ...(data === null
      ? []
      : [`-d '${data.replaceAll('$prompt', 'the text, front matter included')}'`]),
  ].join(' \\\n  ');
}

function answerBlock(answer: Answer | undefined): string[] {
  if (answer === undefined) return [];
  const { answer: content } = answer;
  if (typeof content !== 'string') {
    const text = compactJson(shortened(content, 0)).replaceAll('"…"', '…');
    return ['Answer:', ['```json', text, '```'].join('\n')];
  }
  if (content.startsWith('<') || content === '') return [];
  return [
    'Answer, its beginning:',
    ['````', content.split('\n').slice(0, 12).join('\n'), '````'].join('\n'),
  ];
}

/** Keeps the first items of lists and the beginning of long texts; drops deeply nested members. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > 120 ? `${value.slice(0, 120)}…` : value;
  if (Array.isArray(value)) {
    const maxItems = depth < 2 ? 2 : 1;
    const items = value.slice(0, maxItems).map((item: unknown) => shortened(item, depth + 1));
    return value.length > maxItems ? [...items, '…'] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 4 && Object.keys(value).length > 0) return '…';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortened(member, depth + 1)]),
  );
}
