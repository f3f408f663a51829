import type { BrowserContext, Page } from '@playwright/test';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { hostile, hostileJudge, storeHostileWork } from './hostile-work';
import { ownerState, project, readInstance } from './instance';
import { pages } from './pages';
import { expect, test } from './test';
import { vectors } from './vectors';

// In the long form (ASSAY_LONG) each vector has a separate subject, and its verdict a separate
// page.
const isLong = process.env.ASSAY_LONG === '1';
test.use({ storageState: ownerState });
test.setTimeout(isLong ? 900_000 : 240_000);

let llm: ScriptedLlm;
test.beforeAll(async () => {
  llm = await startScriptedLlm({ port: readInstance().apartLlmPort });
  llm.answerWith(hostileJudge);
});
test.afterAll(() => llm.close());

/**
 * The effects of a text that was interpreted as more than text. Breaches of the content policy are
 * errors of the console, which end every test.
 */
async function watch(
  context: BrowserContext,
): Promise<{ readonly ran: string[]; readonly foreign: string[] }> {
  const [ran, foreign]: [string[], string[]] = [[], []];
  const ownOrigin = new URL(readInstance().webUrl).origin;
  await context.exposeBinding(
    'xss',
    ({ page }, vector) => void ran.push(`${vector} on ${page.url()}`),
  );
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== ownOrigin) foreign.push(request.url());
  });
  context.on('dialog', (dialog) => {
    ran.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { ran, foreign };
}

/** Elements and attributes that no page of the console has, and that a vector would create. */
function foreignMarkup(): string[] {
  const addresses = [
    'href',
    'src',
    'srcset',
    'action',
    'formaction',
    'data',
    'poster',
    'background',
    'ping',
    'xlink:href',
  ];
  const found = Object.keys(Object.prototype).map((key) => `Object.prototype.${key}`);
  const elements =
    'iframe, object, embed, base, frame, applet, marquee, math, video, audio, picture, track, meta[http-equiv="refresh"]';
  for (const element of document.querySelectorAll(elements))
    found.push(element.outerHTML.slice(0, 200));
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const isAddress =
        addresses.includes(name) && URL.parse(value, location.href)?.origin !== location.origin;
      const isStyle = name === 'style' && /url\(|image-set|expression/i.test(value);
      if (name.startsWith('on') || isAddress || isStyle)
        found.push(`${element.localName} ${name}=${value.slice(0, 100)}`);
    }
  }
  return found;
}

/** Every page of the hostile project and of its subjects. */
function paths({
  verdicts,
  report,
}: {
  readonly verdicts: readonly string[];
  readonly report: string;
}): string[] {
  const base = `/p/${hostile.slug}`;
  const listed = pages.flatMap((each) =>
    'path' in each && !/\/(traces|sessions|turns)\/./.test(each.path) ? [each.path] : [],
  );
  return [
    ...listed.map((path) => path.replace(`/p/${project.slug}`, base)),
    ...verdicts.map((id) => `${base}/verdicts/${id}`),
    `${base}/traces/${hostile.trace}`,
    `${base}/sessions/packed`,
    `${base}/turns/packed`,
    `${base}/reports/${report}`,
    `${base}/prompts/task-rubric?version=1`,
    `${base}/verdicts?text=${encodeURIComponent(vectors[20] ?? '')}&model=${encodeURIComponent(vectors[60] ?? '')}`,
  ];
}

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
  });
  expect(await page.evaluate(foreignMarkup), path).toEqual([]);
}

test(`S-53 S-55 ${vectors.length} texts that would run scripts or ask other servers stay texts, in every stored field, on every page`, async ({
  page,
  context,
}) => {
  expect(new Set(vectors).size).toBeGreaterThanOrEqual(200);
  const stored = await test.step('they are stored everywhere', () =>
    storeHostileWork(page, llm.baseUrl, isLong ? 1 : 4));
  const { ran, foreign } = await watch(context);
  for (const path of paths(stored)) await test.step(path, () => openPage(page, path));

  await test.step('the page of the API', () => openPage(page, '/api/docs'));
  if (isLong) {
    await page.goto(`/p/${hostile.slug}/verdicts`);
    const links = page.getByRole('table', { name: 'Verdicts' }).getByRole('link');
    while (await page.getByRole('button', { name: 'Load more' }).isVisible())
      await page.getByRole('button', { name: 'Load more' }).click();
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href') ?? ''),
    );
    for (const href of hrefs) await openPage(page, href);
  }
  expect(ran).toEqual([]);
  expect(foreign).toEqual([]);
});
