// The steps of deploy/ci/ as a runner would run them: their scripts in bash, with the environment of
// GitHub Actions or GitLab CI, a real instance, and a server in place of the host's API of comments.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CommentHost, commentOf, startCommentHost } from '../testing/comment-hosts';
import { type Edge, startEdge, startWorker } from '../testing/processes';
import { type Cli, createCli } from '../testing/run-cli';
import { createStack, type Stack } from '../testing/stack';
import { root } from './data-dir.mjs';

const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  runs: z.object({
    steps: z.array(
      z.object({ run: z.string(), env: z.record(z.string(), z.string()).default({}) }),
    ),
  }),
});
const Template = z.object({
  '.assay-eval': z.object({
    variables: z.record(z.string(), z.string()),
    script: z.array(z.string()),
  }),
});
const read = (name: string): unknown =>
  parse(readFileSync(join(root, 'deploy', 'ci', name), 'utf8'));
const action = Action.parse(read('github/action.yml'));
const template = Template.parse(read('gitlab.yml'))['.assay-eval'];

const token = 'the-token';
let stack: Stack;
let edge: Edge;
let cli: Cli;
let host: CommentHost;
/** A checkout of Assay: the action, and its command line as one file. */
let checkout = '';
/** The folder of the tested project. */
let project = '';

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  cli = await createCli({});
  checkout = mkdtempSync(join(tmpdir(), 'assay-checkout-'));
  mkdirSync(join(checkout, 'scripts'));
  mkdirSync(join(checkout, 'node_modules'));
  copyFileSync(cli.file, join(checkout, 'scripts', 'assay.mjs'));
  cpSync(join(root, 'deploy', 'ci'), join(checkout, 'deploy', 'ci'), { recursive: true });
  project = mkdtempSync(join(tmpdir(), 'assay-project-'));
  await fetch(`${edge.url}/v1/verifiers/words`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'checks', checks: [{ check: 'contains', value: 'Say' }] }),
  });
  write('items.jsonl', [1, 2, 3].map((n) => JSON.stringify({ id: `i${n}`, input: n })).join('\n'));
  write('good.mjs', 'export default ({ input }) => `Say ${input}`;');
  write('bad.mjs', 'export default ({ input }) => (input === 1 ? "no" : `Say ${input}`);');
  for (const answers of ['good', 'bad'])
    write(
      `${answers}.yaml`,
      `name: "Words | @you"
dataset: ci-words
items: items.jsonl
target: { module: ./${answers}.mjs }
verifiers: [words]
gate: { min_pass_rate: { words: { at_least: 0.9 } }, no_regression_against: 'branch:main' }
`,
    );
});

afterAll(async () => {
  cli.close();
  for (const folder of [checkout, project]) rmSync(folder, { recursive: true, force: true });
  await stack.close();
});

beforeEach(async () => {
  host = await startCommentHost(token);
});
afterEach(() => host.close());

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

interface Ended {
  readonly code: number;
  readonly out: string;
}

/** Runs a script like a runner: in bash, with only this environment. */
function runScript(script: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: project,
      env: { NODE_ENV: 'test', PATH: process.env.PATH ?? '', HOME: project, ...env },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
    child.once('close', (code) => resolve({ code: code ?? 128, out }));
  });
}

/** The value that the runner substitutes for `${{ … }}`, which is allowed in `env` only. */
const filled = (text: string, inputs: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => inputs[name] ?? '');

async function runGithub(
  file: string,
  branch: string,
  event: unknown = pullRequest,
): Promise<Ended> {
  write('event.json', JSON.stringify(event));
  const summary = join(project, 'summary.md');
  rmSync(summary, { force: true });
  const inputs = { file, url: edge.url, key: stack.key, branch, commit: 'c0ffee', token };
  const runner = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(checkout, 'deploy', 'ci', 'github'),
    GITHUB_API_URL: host.url,
    GITHUB_EVENT_PATH: join(project, 'event.json'),
    GITHUB_REPOSITORY: 'owner/project',
    GITHUB_STEP_SUMMARY: summary,
  };
  let ended: Ended = { code: 0, out: '' };
  for (const { run, env } of action.runs.steps) {
    if (ended.code !== 0) break;
    const own = Object.entries(env).map(([name, value]) => [name, filled(value, inputs)]);
    ended = await runScript(run, { ...runner, ...(Object.fromEntries(own) as typeof runner) });
  }
  return ended;
}
const pullRequest = { pull_request: { number: 12 } };
const readSummary = (): string => readFileSync(join(project, 'summary.md'), 'utf8');

const runGitlab = (
  file: string,
  branch: string,
  more: Readonly<Record<string, string>> = { CI_MERGE_REQUEST_IID: '5' },
): Promise<Ended> =>
  runScript(template.script.join('\n'), {
    ...template.variables,
    GITLAB_CI: 'true',
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: '34',
    CI_COMMIT_REF_NAME: branch,
    CI_COMMIT_SHA: 'c0ffee',
    ASSAY_CHECKOUT: checkout,
    ASSAY_EVAL_FILE: file,
    ASSAY_URL: edge.url,
    ASSAY_API_KEY: stack.key,
    GITLAB_TOKEN: token,
    ...more,
  });

/** It would leave a file if any shell executed it. */
const hostile = (name: string): string =>
  `x"; touch ${name}; echo "$(touch ${name})\`touch ${name}\``;

describe('the action for GitHub', () => {
  test('no script has a value of the runner in its text', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
    expect(action.inputs.branch?.default).toBe('${{ github.head_ref || github.ref_name }}');
  });

  test('a gate that passes: a comment and a summary, which the next run replaces', async () => {
    const first = await runGithub('good.yaml', 'main');
    // There is nothing to compare with yet.
    expect([first.code, first.out]).toEqual([1, expect.stringContaining('no finished experiment')]);
    const second = await runGithub('good.yaml', 'feature');
    expect(second.code, second.out).toBe(0);
    expect(host.calls).toEqual([
      'GET /repos/owner/project/issues/12/comments',
      'POST /repos/owner/project/issues/12/comments',
      'GET /repos/owner/project/issues/12/comments',
      'PATCH /repos/owner/project/issues/comments/1',
    ]);
    const [comment] = host.comments;
    expect(comment?.body).toBe(readSummary());
    expect(comment?.body).toContain('gate passed');
    expect(comment?.body).toContain('Words &#124; @<!-- -->you');
    expect(comment?.body).toContain('Difference from [main c0ffee](');
    expect(comment?.body).toMatch(/\| words \| 100% \(3\/3\), 43\.\d% to 100% \|/);
    expect(comment?.body).toMatch(
      /\| 0\.0 points \(.* to .*\), p 1\.000, 0 improved, 0 regressed \|/,
    );
  });

  test('a gate that fails: the comment has the reason, and the step fails', async () => {
    await runGithub('good.yaml', 'main');
    const failed = await runGithub('bad.yaml', 'feature');
    expect(failed.code).toBe(1);
    const body = host.comments.find((each) => each.body.includes('bad.yaml'))?.body ?? '';
    expect(body).toContain('gate failed');
    expect(body).toMatch(/- ❌ \*\*words\*\*&?.*: The pass rate is 66\.7% of 3 rows/);
    expect(body).toMatch(/−33\.3 points .* 0 improved, 1 regressed/);
    expect(readSummary()).toBe(body);
  });

  test('a comment by others is not changed, whatever page the own comment is on', async () => {
    await runGithub('good.yaml', 'main');
    const own = host.comments.pop()?.body ?? '';
    const others = { user: { type: 'User' }, author: { id: 8 } };
    host.comments.push(commentOf(1, own, others));
    for (let id = 2; id <= 100; id++) host.comments.push(commentOf(id, 'Thanks', others));
    host.comments.push(commentOf(101, own));
    await runGithub('good.yaml', 'feature');
    expect(host.comments).toHaveLength(101);
    expect(host.comments[0]?.body).toBe(own);
    expect(host.comments[100]?.body).toContain('gate passed');
  });

  test('a branch with shell code in its name executes nothing', async () => {
    const ended = await runGithub('good.yaml', hostile('hacked'));
    expect(ended.code, ended.out).toBe(0);
    expect(existsSync(join(project, 'hacked'))).toBe(false);
    const [row] = await stack.sql`select 1 from experiments where branch = ${hostile('hacked')}`;
    expect(row).toBeDefined();
  });

  test('a comment that is refused leaves the result to the gate; a push has none', async () => {
    host.refuseWith = 403;
    const refused = await runGithub('good.yaml', 'feature');
    expect([refused.code, refused.out]).toEqual([
      0,
      expect.stringContaining('The comment could not be written on GitHub'),
    ]);
    host.calls.splice(0);
    expect((await runGithub('good.yaml', 'main', { ref: 'refs/heads/main' })).code).toBe(0);
    expect(host.calls).toEqual([]);
  });
});

describe('the template for GitLab', () => {
  test('the comment is written, replaced, and also there when the gate fails', async () => {
    await runGitlab('good.yaml', 'main', {});
    expect(host.calls).toEqual([]);
    const passed = await runGitlab('good.yaml', 'feature');
    expect(passed.code, passed.out).toBe(0);
    expect((await runGitlab('good.yaml', 'feature')).code).toBe(0);
    const failed = await runGitlab('bad.yaml', hostile('cracked'));
    expect(failed.code).toBe(1);
    expect(existsSync(join(project, 'cracked'))).toBe(false);
    expect(host.calls.filter((call) => !call.startsWith('GET'))).toEqual([
      'POST /projects/34/merge_requests/5/notes',
      'PUT /projects/34/merge_requests/5/notes/1',
      'POST /projects/34/merge_requests/5/notes',
    ]);
    expect(host.comments.map(({ body }) => /gate (?:passed|failed)/.exec(body)?.[0])).toEqual([
      'gate passed',
      'gate failed',
    ]);
    expect(readFileSync(join(project, 'assay-eval.xml'), 'utf8')).toContain('name="gate"');
  });

  test('without its token, the job reports that and continues', async () => {
    await runGitlab('good.yaml', 'main', {});
    const ended = await runGitlab('good.yaml', 'feature', {
      CI_MERGE_REQUEST_IID: '5',
      GITLAB_TOKEN: '',
    });
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('set GITLAB_TOKEN')]);
  });
});
