/**
 * measure:pages (ui.md; performance.md 4.0): the speed of each page of the console, in Chromium on
 * a production build with 100,000 stored verdicts. Prints a table and exits with 1 if a goal is
 * missed. `--save` writes bench/results/page-speed.md, `--only=overview,verdicts` selects pages,
 * `--rounds=1` is for trials, `--no-list` leaves the long list out. The browser is ASSAY_CHROMIUM,
 * else the system's own.
 */
import { dirname } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { createTestRuntime } from '../testing/database';
import globalSetup from '../e2e/global-setup';
import { createKeyOf } from '../e2e/calls';
import { keepKey, owner, project, readInstance } from '../e2e/instance';
import { open, type PageToSee, pages } from '../e2e/pages';
import { sendTraces } from '../e2e/spans';
import { firstTurn, sendTurns, variedTurns } from '../e2e/turns';
import { findChromium } from '../scripts/chromium.mjs';
import { findInstance } from '../scripts/data-dir.mjs';
import { storeVerdicts } from './dash/generate';
import { scrollList } from './pages/long-list';
import { nameFunctions, visit, type Visit, watchPage } from './pages/observe';
import { goals, type Measured, misses, print, save } from './pages/report';
import { quantileOf } from './rounds';

const args = process.argv.slice(2);
const option = (name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const rounds = Number(option('rounds') ?? 3);
const only = option('only')?.split(',');
const rows = Number(option('rows') ?? 100_000);

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * The owner's session in an instance with a project of 100,000 verdicts and one object of each kind
 * that a page shows.
 */
async function prepare(browser: Browser): Promise<State> {
  const page = await browser.newPage({ baseURL: readInstance().webUrl });
  await page.goto(readInstance().ownerLink);
  await page.getByLabel('Your name').fill(owner.name);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByLabel('First project').fill(project.name);
  await page.getByLabel('Short name').fill(project.slug);
  await page.getByRole('button', { name: 'Create account and project' }).click();
  await page.waitForURL(`**/p/${project.slug}`);
  const found = findInstance(dirname(process.env.ASSAY_E2E_STATE ?? ''));
  if (!found?.databaseUrl) throw new Error('the instance has no database');
  const runtime = createTestRuntime(found.databaseUrl, { ASSAY_QUERY_TIMEOUT_MS: '300000' });
  const { sql } = runtime.ctx;
  const [stored] = await sql<
    { id: string }[]
  >`select id from projects where slug = ${project.slug}`;
  if (stored === undefined) throw new Error('the project was not created');
  await storeVerdicts(sql, stored.id, rows);
  await sql`analyze verdicts, verdict_rollups, verdict_populations, verdict_spreads`;
  await runtime.close();
  keepKey(await createKeyOf(page, project.slug, 'measure', ['ingest', 'verify', 'read', 'write']));
  await sendTurns([firstTurn, ...variedTurns]);
  await sendTraces();
  await page.goto(`/p/${project.slug}/verdicts?text=${encodeURIComponent('You are welcome')}`);
  await page.getByRole('table', { name: 'Verdicts' }).getByRole('link').first().waitFor();
  const state = await page.context().storageState();
  await page.close();
  return state;
}

let sent = 0;
/** Three verdicts settle per second while a page is measured. */
async function arrive(): Promise<void> {
  for (let second = 0; second < 2; second += 1) {
    await sendTurns(
      [0, 1, 2].map(() => ({ ...firstTurn, id: `live-${sent++}`, session_id: `live-${sent % 7}` })),
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function addressOf(context: BrowserContext, to: PageToSee): Promise<string> {
  if ('path' in to) return to.path;
  const page = await context.newPage();
  await open(page, to);
  const { pathname } = new URL(page.url());
  await page.close();
  return pathname;
}

async function measurePage(browser: Browser, state: State, to: PageToSee): Promise<Measured> {
  const contextOf = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({
      storageState: state,
      baseURL: readInstance().webUrl,
      viewport: { width: 1440, height: 900 },
    });
    await context.addInitScript(nameFunctions);
    await context.addInitScript(watchPage);
    return context;
  };
  const measure = async (
    context: BrowserContext,
    path: string,
    during?: () => Promise<void>,
  ): Promise<Visit> => {
    const page = await context.newPage();
    const seen = await visit(page, path, 700, during);
    await page.close();
    return seen;
  };
  const finder = await contextOf();
  const path = await addressOf(finder, to);
  await finder.close();
  const [cold, warm]: [Visit[], Visit[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const context = await contextOf();
    cold.push(await measure(context, path));
    warm.push(await measure(context, path, round === 0 ? arrive : undefined));
    await context.close();
  }
  const all = [...cold, ...warm];
  return {
    name: to.name,
    coldMs: Math.round(
      quantileOf(
        cold.map(({ firstPaintMs }) => firstPaintMs),
        0.5,
      ),
    ),
    warmMs: Math.round(
      quantileOf(
        warm.map(({ firstPaintMs }) => firstPaintMs),
        0.5,
      ),
    ),
    shift: Math.round(Math.max(...all.map(({ shift }) => shift)) * 1000) / 1000,
    firstScriptKb: Math.round(
      Math.max(...cold.map(({ firstScriptBytes }) => firstScriptBytes)) / 1000,
    ),
    scriptKb: Math.round(Math.max(...cold.map(({ scriptBytes }) => scriptBytes)) / 1000),
    requests: Math.max(...cold.map(({ requests }) => requests)),
  };
}

const stop = await globalSetup();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const state = await prepare(browser);
  const measured: Measured[] = [];
  for (const to of pages) {
    if (only !== undefined && !only.includes(to.name)) continue;
    const one = await measurePage(browser, state, to);
    measured.push(one);
    process.stdout.write(`${JSON.stringify(one)}\n`);
  }
  const context = await browser.newContext({
    storageState: state,
    baseURL: readInstance().webUrl,
    viewport: { width: 1440, height: 900 },
  });
  const list = args.includes('--no-list')
    ? null
    : await scrollList(await context.newPage(), `/p/${project.slug}/verdicts`, rows);
  await context.close();
  process.stdout.write(`\n${print(measured, list)}\n`);
  const missed = misses(measured, list, rows);
  for (const miss of missed) process.stdout.write(`missed: ${miss}\n`);
  if (args.includes('--save') && only === undefined && list !== null && rounds >= 3)
    save(measured, list, browser.version());
  if (missed.length > 0) process.exitCode = 1;
  else process.stdout.write(`All goals are met: ${goals}\n`);
} finally {
  await browser.close();
  await stop();
}
