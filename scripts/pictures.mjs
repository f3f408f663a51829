// `npm run pictures`: screenshots of every page at 1440, 1024 and 390 pixels, light and dark, with
// the demo's data, from a production build.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './chromium.mjs';
import { root } from './data-dir.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { isNodeTooOld } from './node-version.mjs';
import { run } from './processes.mjs';

const help = `npm run pictures -- [--to FOLDER] [--guide] [--only NAME,NAME] [--url URL --project SLUG --email E]

Starts a separate instance, fills it with the data of npm run demo, and writes a picture of every page (or of those in --only) at three widths, light
and dark, to FOLDER (test-results/pictures). With --guide it also writes the pictures that docs/console shows to docs/pictures. With --url it takes
the pictures of a running instance; the owner's password is then read from ASSAY_PASSWORD.
`;

const owner = { email: 'owner@example.org', password: 'a long enough password' };

/** @param {string} line */
const print = (line) => void process.stdout.write(`${line}\n`);

/**
 * Runs `work` with an instance that has the demo's data.
 * @template T
 * @param {(url: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withDemo(work) {
  const { findFreePort } = await import('./postgres.mjs');
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
  const [web, edge] = [await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_WEB_PORT: String(web),
    ASSAY_EDGE_PORT: String(edge),
    DATABASE_URL: '',
  };
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    await new Promise((ready, fail) => {
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += chunk;
        if (printed.includes('Assay runs')) ready(undefined);
      });
      child.once('exit', (code) => fail(new Failure(`npm start ended with ${code}: ${printed}`)));
    });
    print('An instance runs; the demo fills it.');
    await assay(
      ['owner', 'create', '--email', owner.email, '--name', 'Olga Owner'],
      env,
      owner.password,
    );
    const demo = await run(process.execPath, ['scripts/demo.mjs'], { cwd: root, env });
    if (demo.code !== 0) throw new Failure(`The demo failed: ${demo.output.slice(-2000)}`);
    return await work(`http://localhost:${web}`);
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env @param {string} input */
async function assay(args, env, input) {
  const result = await run(process.execPath, ['scripts/assay.mjs', ...args], {
    cwd: root,
    env,
    input,
  });
  if (result.code !== 0)
    throw new Failure(`assay ${args.join(' ')} failed: ${result.output.trim()}`);
}

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: join('test-results', 'pictures') },
      guide: { type: 'boolean', default: false },
      only: { type: 'string' },
      url: { type: 'string' },
      project: { type: 'string', default: 'demo' },
      email: { type: 'string', default: owner.email },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(help.trimEnd());
  const executablePath = findChromium();
  if (!executablePath || !existsSync(executablePath))
    throw new Failure('No Chromium was found: install it, or set ASSAY_CHROMIUM to its path.');
  const { takePictures } = await import('./pictures/take-pictures.mjs');
  const guideFolder = values.guide ? join(root, 'docs', 'pictures') : null;
  if (guideFolder) mkdirSync(guideFolder, { recursive: true });
  const folder = resolve(root, values.to);
  /** @param {string} url */
  const take = (url) =>
    takePictures({
      executablePath,
      url,
      project: values.project,
      owner: {
        email: values.email,
        password: values.url ? (process.env.ASSAY_PASSWORD ?? '') : owner.password,
      },
      only: values.only === undefined ? null : new Set(values.only.split(',')),
      folder,
      guideFolder,
      print,
    });
  const { taken, missing } = values.url ? await take(values.url) : await withDemo(take);
  print(
    `${taken} pictures in ${folder}${guideFolder ? `; those of the guide in ${guideFolder}` : ''}`,
  );
  if (missing.length > 0) print(`Nothing to open for: ${missing.join(', ')}`);
}

if (!isNodeTooOld()) {
  main().catch((/** @type {unknown} */ error) => {
    process.exitCode = reportFailure(error);
  });
}
