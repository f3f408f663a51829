import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ownerState, project, readInstance, readKey } from './instance';
import { verifyTask } from './tasks';
import { choose, expect, expectAllForms, expectListening, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

const base = `/p/${project.slug}`;
const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo'];
const models = ['e2e/steady', 'e2e/<b>shaky</b>'];

/**
 * Tasks with a score of 0, 0.2 … 1 each, and the outcomes reported later: the low ones are mostly
 * bad.
 */
async function sendLabelledTasks(count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => ({
    at,
    met: at % 6,
    good: at % 6 >= 4 !== (at % 7 === 3),
  }));
  const outcomes: object[] = [];
  for (let from = 0; from < all.length; from += 10) {
    const some = all.slice(from, from + 10);
    const replies = await Promise.all(
      some.map(({ at, met }) =>
        verifyTask({
          id: `e2e-report-${at}`,
          task_description: `Name the calls of round ${at}.`,
          success_criteria: words.map((word) => ({
            check: 'keywords',
            value: [word],
            must_pass: false,
          })),
          task_output: `The calls of round ${at}: ${words.slice(0, met).join(', ')}.`,
          executor_model: models[Math.floor(at / 6) % 2],
          cost_usd: 0.01,
        }),
      ),
    );
    outcomes.push(
      ...some.map(({ good }, index) => ({ verification_id: replies[index]?.id, success: good })),
    );
  }
  const sent = await fetch(`${readInstance().edgeUrl}/v1/outcomes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ outcomes }),
  });
  expect(sent.status, await sent.clone().text()).toBe(202);
}

/** If pictures are requested: the page wide and narrow, light and dark. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.ASSAY_SCREENS;
  if (folder === undefined) return;
  const other = await page.context().newPage();
  for (const width of [1440, 390]) {
    await other.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await other.emulateMedia({ colorScheme });
      await other.goto(page.url());
      await other.waitForLoadState('load');
      await other.getByRole('img').first().waitFor();
      await other.locator('[aria-label="Loading the report"]').waitFor({ state: 'detached' });
      await other.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)));
      await other.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
  }
  await other.close();
}

test.beforeAll(async () => {
  test.setTimeout(120_000);
  await sendLabelledTasks(120);
});

test('calibration.md 5.4 and 5.5: a verifier’s report shows the corrected rate, and its thresholds are explored by keyboard', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const corrected = page.getByRole('table', { name: 'Corrected pass rate' });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await page.goto(`${base}/calibration/verifier?verifier=task&days=7&tab=scores`);
  // Labels are counted shortly after they arrive, and the open page follows.
  await expect(page.getByRole('region', { name: 'Thresholds', exact: true })).toContainText(
    'n 120',
    { timeout: 40_000 },
  );
  await picture(page, 'calibration-report');

  await test.step('the answer is a sentence, and the tabs are moved through by keyboard', async () => {
    await expect(
      page.getByText(/^Task catches \d+\.\d% of bad work \(95% interval .* and wrongly fails/),
    ).toBeVisible();
    await expect(page.getByText(/^Not measured: .*drift \(/)).toBeVisible();
    await tab('Scores').focus();
    await page.keyboard.press('Home');
    await expect(tab('Rates')).toBeFocused();
    await expect(tab('Rates')).toHaveAttribute('aria-selected', 'true');
    await expect(corrected.getByRole('row', { name: /naive/i })).toContainText('%');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    await expect(page.getByRole('table', { name: 'Rates over time' })).toBeVisible();
    await page.keyboard.press('t');
    await expectNoViolations(page);
    await page.goBack();
    await expect(page).toHaveURL(/[?&]tab=scores/);
    await expect(tab('Scores')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a threshold is marked in all curves, and is in the address', async () => {
    const slider = page.getByRole('slider', { name: /Show threshold/ });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', /catches 0 of \d+ bad subjects/);
    await page.keyboard.press('ArrowRight');
    await expect(slider).not.toHaveAttribute('aria-valuetext', /catches 0 of/);
    await expect(page).toHaveURL(/[?&]at=/);
    await expect(
      page.getByRole('img', { name: /^Catch rate against false rejections/ }),
    ).toBeVisible();
    await expect(page.getByRole('img', { name: /^Cost of all labelled subjects/ })).toBeVisible();
  });

  await test.step('prices move the cost, and are in the address', async () => {
    const cost = page
      .getByLabel('At this threshold')
      .getByText('cost', { exact: true })
      .locator('..');
    const before = await cost.textContent();
    await page.getByRole('spinbutton', { name: 'A missed failure costs' }).fill('250');
    await expect(page).toHaveURL(/[?&]miss=250/);
    await expect(cost).not.toHaveText(before ?? '');
    await page.reload();
    await expect(page.getByRole('spinbutton', { name: 'A missed failure costs' })).toHaveValue(
      '250',
    );
  });

  await test.step('every chart is a table one key away', async () => {
    await expect(page.getByRole('region', { name: 'ROC', exact: true })).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    await expect(page.getByRole('table', { name: 'ROC by threshold' })).toBeVisible();
    await expectNoViolations(page);
    await page.keyboard.press('t');
  });

  await test.step('a chart’s numbers are saved as in its table, and its picture as an image', async () => {
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await expect(scores).toContainText(/n 1\d\d scores/);
    const [, ...rows] = (await saved(page, 'Scores: save numbers as CSV'))
      .toString('utf8')
      .trimEnd()
      .split('\r\n');
    const filled = rows.map((row) => row.split(',').map(Number)).filter((row) => row.at(-1) !== 0);
    const picture = await saved(page, 'Scores: save picture as PNG');
    expect([...picture.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    // Its header contains width and height: twice those on the page, including the text around it.
    const drawn = await scores.getByRole('img', { name: /^Verdicts by score/ }).boundingBox();
    expect(picture.readUInt32BE(16)).toBeGreaterThan(2 * (drawn?.width ?? Infinity));
    expect(picture.readUInt32BE(20)).toBeGreaterThan(2 * (drawn?.height ?? Infinity));
    await page.getByRole('group', { name: 'Scores, chart' }).focus();
    await page.keyboard.press('t');
    const shown = await page
      .getByRole('table', { name: 'Verdicts by score' })
      .getByRole('row')
      .allInnerTexts();
    expect(shown.slice(1).map((row) => row.split('\t').slice(1).map(Number))).toEqual(
      filled.map((row) => row.slice(2)),
    );
    await page.keyboard.press('t');
  });

  await expect(page.getByRole('main')).not.toContainText(/false positive/i);
  await expectAllForms(page);
});

/** The request that a button sends. */
async function saved(page: Page, button: string): Promise<Buffer> {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await begun).path());
}

test('a slice is in the address, and its numbers lead to its rows only', async ({ page }) => {
  await page.goto(`${base}/calibration/verifier?verifier=task&days=7`);
  const slice = page.getByRole('combobox', { name: 'Slice' });
  await choose(slice, 'e2e/<b>shaky</b>');
  await expect(page).toHaveURL(/[?&]by=model&of=/);
  const matrix = page.getByRole('table', { name: 'Confusion matrix' });
  const caught = matrix.getByRole('link', { name: /, caught$/ });
  await expect(page.getByText('30 verdicts have a label')).toBeVisible();
  const count = Number(await caught.textContent());
  await caught.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Caught' })).toBeVisible();
  await expect(
    page.getByRole('button', { name: /Remove filter: model of the work/ }),
  ).toBeVisible();
  await expect(page.getByRole('table', { name: 'Rows', exact: true }).getByRole('row')).toHaveCount(
    count + 1,
  );
  await expectNoViolations(page);
});

test('the overview states its answer, and each part of it and every number leads to its rows', async ({
  page,
}) => {
  await page.goto(base);
  const answer = page.getByRole('heading', { level: 1 });
  await expect(answer).toContainText(/\d+% of \d+ verdicts passed \(\d+ to \d+%\); /);
  await expect(answer).toContainText(/ (?:is|are) (?:qualified|provisional|stale|unmeasured)/);
  const operations = page.getByRole('region', { name: 'Operations' });
  await expect(operations).toContainText(/\d+ of \d+ judged\s*\d+ waiting/);
  const card = page
    .getByRole('list', { name: 'Verifiers' })
    .getByRole('listitem', { name: 'task', exact: true });
  await expect(card).toContainText(/\d+\.\d% \([\d.]+–[\d.]+%\)/);
  await expect(
    page
      .getByRole('list', { name: 'Verifiers' })
      .getByRole('listitem', { name: 'integrity', exact: true }),
  ).toContainText(/Coverage.*selected/);
  await picture(page, 'overview');
  await expectNoViolations(page);

  await test.step('the trend is a table one key away', async () => {
    await expect(
      page.getByRole('img', { name: /^Pass rate per day: \d+ of \d+ passed/ }),
    ).toBeVisible();
    await expectListening(page);
    await page.keyboard.press('t');
    await expect(
      page.getByRole('region', { name: 'Pass rate per day, table' }).getByRole('row').nth(1),
    ).toContainText(/\d+\.\d% \(/);
    await page.keyboard.press('t');
  });
  const failed = card.getByRole('link', { name: /catch rate of task, numerator$/ });
  const count = Number(await failed.textContent());
  await failed.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Caught' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Rows', exact: true }).getByRole('row')).toHaveCount(
    Math.min(count, 50) + 1,
  );
  await page.goto(base);
  await page
    .getByRole('list', { name: 'Work' })
    .getByRole('link', { name: /failed$/ })
    .click();
  await expect(page).toHaveURL(/verdicts\?outcome=failed/);
  await page.goto(base);
  await answer.getByRole('link', { name: /verdicts passed/ }).click();
  await expect(page).toHaveURL(/verdicts\?outcome=passed,failed/);
});

test('QEL-47: every model is listed by verifier with its days on the same axes, and as a table one key away', async ({
  page,
}) => {
  await page.goto(`${base}/models`);
  const row = page
    .getByRole('table', { name: 'Results by model' })
    .getByRole('row')
    .filter({ hasText: 'e2e/steady' });
  await expect(row).toContainText('task');
  await expect(row).toContainText('/30');
  await expect(
    page.getByRole('img', { name: /^Pass rate of e2e\/steady by day: \d+ of 30 passed/ }),
  ).toBeVisible();
  await picture(page, 'models');
  // The server rendered the page: it reacts to keys only once it listens.
  await expectListening(page);
  await page.keyboard.press('t');
  await expect(
    page
      .getByRole('table', { name: 'Models by day' })
      .getByRole('row')
      .filter({ hasText: 'e2e/steady' }),
  ).toContainText('/30');
  await page.keyboard.press('t');
  await expectAllForms(page);
});
