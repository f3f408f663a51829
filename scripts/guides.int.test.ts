// The code blocks of docs/how-to/connect-*.md and wrap-clients.md are programs, and so are those of
// docs/reference/sdk.md that name a session of a guide: this test extracts them from the pages and
// runs them against an edge and a worker. A scripted model replaces the vendor's.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createKey } from '../server/access';
import { putRoute } from '../server/gateway';
import { RouteSettings } from '../server/gateway/input';
import { putProvider } from '../server/llm';
import { bundleSdk } from './build-sdk.mjs';
import { root } from './data-dir.mjs';
import { type Edge, startEdge, startWorker } from '../testing/processes';
import { type ScriptedLlm, type ScriptedReply, startScriptedLlm } from '../testing/scripted-llm';
import { createStack, type Stack } from '../testing/stack';
import { until } from '../testing/until';

const folder = join(root, 'docs');
/** The address of Assay in the guides. */
const address = 'http://localhost:4318';

interface Block {
  readonly guide: string;
  readonly language: string;
  readonly code: string;
  /** The session that its calls or spans name. */
  readonly session: string | null;
  /** Its index among the blocks of its page. */
  readonly ordinal: number;
}

const reference = 'reference/sdk.md';
const blocks: readonly Block[] = [
  ...readdirSync(join(folder, 'how-to'))
    .filter((name) => /^(connect-.*|wrap-clients)\.md$/.test(name))
    .map((name) => `how-to/${name}`),
  reference,
].flatMap((name) =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```/gm)]
    .map(([, language = '', code = ''], ordinal) => ({
      guide: name.replace(/^.*\/(connect-)?|\.md$/g, ''),
      language,
      code,
      ordinal,
      session: /\bguide-[a-z-]+\b/.exec(code)?.[0] ?? null,
    }))
    .filter(({ session }) => name !== reference || session !== null),
);

let stack: Stack;
let edge: Edge;
let llm: ScriptedLlm;
let key: string;
let programs: string;

const readsDisk: ScriptedReply = {
  toolCalls: [{ id: 'call-1', name: 'disk', arguments: '{"host":"web-1"}' }],
  usage: { input: 20, output: 8 },
};
const answers: ScriptedReply = {
  text: 'The disk of web-1 is 91.4% full, and 77 GB are free.',
  usage: { input: 40, output: 12 },
};

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  llm = await startScriptedLlm();
  // A model with a tool uses it once.
  llm.answerWith(({ body }) =>
    body.tools !== undefined && !JSON.stringify(body.messages).includes('"tool"')
      ? readsDisk
      : answers,
  );
  const host = new URL(llm.origin).host;
  const variables = { ...stack.variables, ASSAY_OUTBOUND_ALLOW: host };
  const allowed = {
    ...stack.project,
    env: { ...stack.project.env, outboundAllow: new Set([host]) },
  };
  for (const [name, kind, models, path] of [
    ['openai', 'openai', ['gpt-4o'], '/v1'],
    ['anthropic', 'anthropic', ['claude-sonnet-4-5'], '/v1'],
    ['google', 'google', ['gemini-2.5-flash'], ''],
    ['ollama', 'openai_compatible', ['llama3.2'], '/v1'],
    ['groq', 'openai_compatible', ['llama-3.3-70b-versatile'], '/openai/v1'],
    ['azure', 'openai_compatible', ['your-deployment'], '/openai/v1'],
  ] as const) {
    await putProvider(allowed, name, {
      kind,
      base_url: `${llm.origin}${path}`,
      api_key: 'sk-stored-000000001',
      models: [...models],
      enabled: true,
    });
    await putRoute(allowed, name, RouteSettings.parse({}));
  }
  ({ key } = await createKey(stack.project, {
    name: 'guides',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
  [edge] = await Promise.all([startEdge(variables), startWorker(variables)]);
  mkdirSync(join(root, 'test-results'), { recursive: true });
  // Inside the checkout, so that packages are found.
  programs = mkdtempSync(join(root, 'test-results', 'guides-'));
  await installSdk();
});

/** The TypeScript client as a package that the programs can import. */
async function installSdk(): Promise<void> {
  const installed = join(programs, 'node_modules', '@assay', 'sdk');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  cpSync(join(root, 'sdk', 'package.json'), join(installed, 'package.json'));
  for (const [name, code] of await bundleSdk())
    writeFileSync(join(installed, 'dist', `${name}.js`), code);
}

afterAll(async () => {
  rmSync(programs, { recursive: true, force: true });
  await llm.close();
  await stack.close();
});

/**
 * Runs a program as its reader would, and returns its output.
 *
 * @throws Error with all output when the exit code is not 0
 */
async function run(program: string, args: readonly string[]): Promise<string> {
  const vendor = {
    OPENAI_API_KEY: 'sk-own',
    OPENAI_BASE_URL: llm.baseUrl,
    ANTHROPIC_API_KEY: 'sk-own',
    ANTHROPIC_BASE_URL: llm.origin,
    ASSAY_URL: edge.url,
  };
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ASSAY_API_KEY: key, ...vendor },
  });
  let said = '';
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = await new Promise<number>((resolve) =>
    child.once('close', (status) => resolve(status ?? 128)),
  );
  if (ended !== 0) throw new Error(`${args.join(' ')} ended with ${ended}: ${said}${printed}`);
  return printed;
}

/** Writes the program of a block to a file that Node or the shell can run. @returns its path */
async function fileOf({ guide, language, code, ordinal }: Block): Promise<string> {
  const here = code.replaceAll(address, edge.url);
  const file = join(programs, `${guide}-${ordinal}.${language === 'ts' ? 'mjs' : 'sh'}`);
  writeFileSync(
    file,
    language === 'ts'
      ? (await transform(here, { loader: 'ts', format: 'esm', target: 'node20' })).code
      : here,
  );
  return file;
}

/** Separates the outputs of programs that run in one process. */
const mark = '\u001e';

/**
 * The outputs of independent programs, run one by one in one process, because startup takes most
 * of their time.
 */
async function runTogether(several: readonly Block[]): Promise<readonly string[]> {
  const files = await Promise.all(several.map(fileOf));
  const driver = join(programs, 'together.mjs');
  writeFileSync(
    driver,
    files
      .map(
        (file) =>
          `await import(${JSON.stringify(file)});\nprocess.stdout.write(${JSON.stringify(mark)});\n`,
      )
      .join(''),
  );
  return (await run(process.execPath, [driver])).split(mark).slice(0, several.length);
}

interface Verdict {
  readonly outcome: string;
  readonly integrity?: {
    readonly figures: readonly { readonly text: string; readonly sourced: boolean }[];
  };
}

/** The verdicts on the session, once there are any. */
function verdictsOf(session: string): Promise<readonly Verdict[]> {
  return until(`a verdict of ${session}`, async () => {
    const response = await fetch(
      `${edge.url}/v1/verifications?kind=integrity&session_id=${session}`,
      {
        headers: { authorization: `Bearer ${key}` },
      },
    );
    const { data } = (await response.json()) as { data: Verdict[] };
    return data.length > 0 && data.every(({ outcome }) => outcome !== null) ? data : null;
  });
}

/** How many turns were not verified because they came without any source. */
async function withoutSources(): Promise<number> {
  const response = await fetch(
    `${edge.url}/v1/decisions?rule=integrity&state=no_subject&limit=200`,
    {
      headers: { authorization: `Bearer ${key}` },
    },
  );
  const { data } = (await response.json()) as { data: { reason: string }[] };
  return data.filter(({ reason }) => reason === 'no_sources').length;
}

/**
 * By session, the output of each program, and for each figure of its answer, whether it was traced
 * to a source. Null if the answer has no source, because its figures are then not traced.
 */
const expected: Readonly<
  Record<
    string,
    { readonly prints: RegExp; readonly figures: readonly (readonly [string, boolean])[] | null }
  >
> = {
  'guide-otel': {
    prints: /^$/,
    figures: [
      ['91.4%', true],
      ['77', false],
    ],
  },
  'guide-openai': {
    prints: /91\.4% full[^]*not_verified disabled/,
    figures: null,
  },
  'guide-openai-stream': {
    prints: /91\.4% full/,
    figures: null,
  },
  'guide-openai-traced': {
    prints: /^$/,
    figures: [
      ['91.4%', true],
      ['77', false],
    ],
  },
  'guide-anthropic': {
    prints: /91\.4% full[^]*not_verified disabled/,
    figures: null,
  },
  'guide-anthropic-stream': {
    prints: /91\.4% full/,
    figures: null,
  },
  'guide-google': { prints: /91\.4% full/, figures: null },
  'guide-ollama': { prints: /91\.4% full/, figures: null },
  'guide-groq': { prints: /91\.4% full/, figures: null },
  'guide-azure': { prints: /91\.4% full/, figures: null },
  'guide-ai-sdk': {
    prints: /91\.4% full[^]*not_verified disabled/,
    figures: null,
  },
  'guide-ai-sdk-traced': {
    prints: /^$/,
    figures: [
      ['91.4%', true],
      ['77', false],
    ],
  },
  ...Object.fromEntries(
    ['openai', 'ai-sdk', 'langchain'].map((name) => [
      `guide-wrap-${name}`,
      {
        prints: /91\.4% full/,
        figures: [
          ['91.4%', true],
          ['77', false],
        ],
      },
    ]),
  ),
  'guide-wrap-anthropic': { prints: /91\.4% full/, figures: null },
  'guide-sdk': { prints: /passed[^]*unsourced 4/, figures: [['91.4%', true]] },
};

const ofTypeScript = blocks.filter(({ language }) => language === 'ts');
const ofCurl = blocks.filter(({ guide, language }) => guide === 'curl' && language === 'sh');

describe('integration guides', () => {
  test('each of their programs is known here', () => {
    expect(new Set(ofTypeScript.map(({ session }) => session))).toEqual(
      new Set(Object.keys(expected)),
    );
    expect(ofTypeScript).toHaveLength(Object.keys(expected).length);
    expect(ofCurl).toHaveLength(7);
  });

  /** A tracer provider is global: each program that registers one gets its own process. */
  const traced = ofTypeScript.filter(({ code }) => code.includes('.register()'));
  const wrapped = ofTypeScript.filter(({ code }) => code.includes("'@assay/sdk"));
  const through = ofTypeScript.filter(
    (block) => !traced.includes(block) && !wrapped.includes(block),
  );

  /**
   * The figures of each verdict on the program's session, each with a flag: whether it was traced
   * to a source.
   */
  async function figuresOf({
    session,
  }: Block): Promise<readonly (readonly (readonly [string, boolean])[])[]> {
    const verdicts = await verdictsOf(session ?? '');
    return verdicts.map(({ integrity }) =>
      (integrity?.figures ?? []).map(({ text, sourced }) => [text, sourced]),
    );
  }
  const expectedOf = ({ session }: Block) =>
    expected[session ?? ''] ?? { prints: /$^/, figures: [] };

  test('the programs that go through the gateway run, and their turns are recorded', async () => {
    const printed = await runTogether(through);
    for (const [i, block] of through.entries()) {
      expect(printed[i], block.session ?? '').toMatch(expectedOf(block).prints);
      expect(expectedOf(block).figures, block.session ?? '').toBeNull();
    }
    await until('a decision on each turn', async () =>
      (await withoutSources()) === through.length ? true : null,
    );
  });

  test.each(traced.map((block) => [block.guide, block.session ?? '', block] as const))(
    '%s: the program of %s runs, and its answer is verified',
    async (_guide, _session, block) => {
      expect(await run(process.execPath, [await fileOf(block)])).toMatch(expectedOf(block).prints);
      expect(await figuresOf(block)).toEqual([expectedOf(block).figures]);
    },
  );

  test('curl: each request is answered, in the order of the page', async () => {
    for (const block of ofCurl) {
      // The page requests the verdicts after it sends the turn: wait until they exist.
      if (block.code.includes('/v1/verifications?')) await verdictsOf(block.session ?? '');
      expect(JSON.parse(await run('/bin/sh', ['-e', await fileOf(block)]))).toBeTypeOf('object');
    }
    expect((await verdictsOf('guide-curl')).map(({ outcome }) => outcome)).toEqual(['failed']);
    expect((await verdictsOf('guide-curl-turns')).map(({ outcome }) => outcome)).toEqual([
      'passed',
    ]);
    expect((await verdictsOf('guide-curl-span')).map(({ outcome }) => outcome)).toEqual(['passed']);
    await until('a decision on the turn of the gateway', async () =>
      (await withoutSources()) === through.length + 1 ? true : null,
    );
  });

  test.each(wrapped.map((block) => [block.session ?? '', block] as const))(
    'the program of %s runs with the TypeScript client, and its turns are recorded',
    async (session, block) => {
      expect(await run(process.execPath, [await fileOf(block)])).toMatch(expectedOf(block).prints);
      const { figures } = expectedOf(block);
      const answered = await until('the answer of the program', async () => {
        const response = await fetch(`${edge.url}/v1/turns?session_id=${session}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        const { data } = (await response.json()) as { data: { output: string }[] };
        return data.find(({ output }) => output.includes('91.4%')) ?? null;
      });
      expect(answered.output).toContain('full');
      // The call of a tool is a turn without its own figures.
      expect(figures === null ? null : (await figuresOf(block)).flat()).toEqual(figures);
    },
  );
});
