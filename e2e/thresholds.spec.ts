import { join } from 'node:path';
import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { ownerState, project, readInstance, readKey } from './instance';
import {
  allowNoPointer,
  expect,
  expectAllForms,
  expectAllFormsOf,
  expectListening,
  expectNoViolations,
  test,
} from './test';

test.use({ storageState: ownerState });
test.describe.configure({ mode: 'serial' });

const base = `/p/${project.slug}`;
const deskPath = `${base}/thresholds?verifier=agent-output&key=pass_threshold`;
const labelled = 110;

interface Reply {
  readonly id: string;
  readonly verdict: string;
}

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${readInstance().edgeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([200, 202], text).toContain(response.status);
  return JSON.parse(text) as T;
}

/** No model is called: the confidence stated in the output decides. */
function verifyOutput(name: string, confidence: number): Promise<Reply> {
  return post('/v1/verify/agent-output', {
    id: `e2e-threshold-${name}`,
    subgoal: { id: name, description: 'Read how full the disk is', critical: false },
    output: {
      agent: 'gauge',
      summary: `Round ${name}: the disk is at 91 %.`,
      data: { disk_pct: 91 },
      confidence,
      tools_used: [],
      metadata: {},
    },
    agents_available: ['gauge'],
    executor_model: 'openai/gpt-4o',
    cost_usd: 0.01,
  });
}

/** Most from 0.6 upwards were good, so 0.7 rejects many good ones. */
const isGood = (at: number): boolean => (at % 9 === 5 ? at % 11 < 4 : at % 11 >= 4);

/** Confidences of 0.4 to 0.9 with their outcomes. */
async function sendHistory(): Promise<void> {
  const outcomes: object[] = [];
  for (let from = 0; from < labelled; from += 10) {
    const some = Array.from({ length: 10 }, (_, at) => from + at);
    const replies = await Promise.all(
      some.map((at) => verifyOutput(String(at), 0.4 + (at % 11) * 0.05)),
    );
    outcomes.push(
      ...replies.map(({ id }, index) => ({ verification_id: id, success: isGood(from + index) })),
    );
  }
  await post('/v1/outcomes', { outcomes });
}

/** Changes a threshold as another user would from another browser. */
async function putThreshold(page: Page, key: string, value: number | null): Promise<void> {
  const { webUrl } = readInstance();
  const data = superjson.serialize({
    project: project.slug,
    verifier: 'agent-output',
    key,
    body: { value, reason: 'meanwhile' },
  });
  const response = await page.request.post(`${webUrl}/api/trpc/thresholds.put`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
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
      await other.getByRole('table', { name: 'Verdicts that would flip' }).waitFor();
      await other
        .getByRole('img', { name: /^Catch rate and false rejections/ })
        .or(other.getByText(/no more$/))
        .first()
        .waitFor();
      await other.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
  }
  await other.close();
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const slider = (page: Page) => page.getByRole('slider', { name: /^pass_threshold/ });

test('SOAR-38 VS-33 pass is moved to 0.6 by keyboard: a new item at 0.65 passes, the old record keeps its verdict and threshold', async ({
  page,
}) => {
  test.setTimeout(90_000);
  await allowNoPointer(page);
  await sendHistory();
  const old = await verifyOutput('old', 0.65);
  expect(old.verdict).toBe('RETRY');

  await test.step('from the list of all thresholds to the editor of one', async () => {
    await page.goto(`${base}/thresholds`);
    await page.getByRole('link', { name: 'pass_threshold of Agent output' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('pass threshold');
    await expectListening(page);
    // Labels are counted shortly after they arrive, and the open page follows.
    await expect(region(page, 'Current and candidate')).toContainText(/1\d\d labelled verdicts/, {
      timeout: 40_000,
    });
  });

  await test.step('ten presses of an arrow are a tenth, and the verdicts that would flip are listed', async () => {
    await slider(page).focus();
    for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowLeft');
    await expect(slider(page)).toHaveValue('0.6');
    await expect(page).toHaveURL(/[?&]value=0\.6(&|$)/);
    // The matrix follows the line, before anything is applied.
    await expect(slider(page)).toHaveAttribute(
      'aria-valuetext',
      /^0\.6: catches \d+ of \d+ bad, rejects \d+ of \d+ good$/,
    );
    const matrix = region(page, 'At 0.6').getByRole('table', { name: 'Confusion matrix' });
    await expect(matrix).toContainText(/−\d+ *false rejections/);
    await expect(region(page, 'At 0.6')).toContainText(/%.*%/);
    await expect(page.getByRole('columnheader', { name: 'Candidate, 0.6' })).toBeVisible();
    await expect(page.getByRole('row', { name: /^catch rate/i }).first()).toContainText(/%.*%/);
    const flips = page.getByRole('table', { name: 'Verdicts that would flip' });
    await expect(flips.getByRole('row').nth(1)).toContainText(/RETRY.*Passed/);
    await expect(region(page, 'Rates by threshold value').getByRole('img').first()).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/false positive/i);
    await picture(page, 'threshold-desk');
  });

  await test.step('it is applied with a reason, and its author is recorded', async () => {
    await page.getByRole('button', { name: 'Apply change' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Apply pass_threshold' });
    await expect(dialog).toContainText('owner@assay.test');
    await dialog.getByLabel('Reason').press('Enter');
    await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/A reason is required/);
    await expectNoViolations(page);
    await dialog.getByLabel('Reason').fill('Good outputs use up their retries');
    await page.keyboard.press('Enter');
    const note = page.getByRole('group', { name: 'Applied' });
    await expect(note).toContainText('pass_threshold is 0.6 from now on, for the whole project');
    await expect(note).toBeFocused();
    await expect(region(page, 'Changes')).toContainText('Good outputs use up their retries');
    await expect(slider(page)).toHaveValue('0.6');
  });

  await test.step('a new item at 0.65 passes, the old one keeps its verdict and its threshold', async () => {
    expect((await verifyOutput('new', 0.65)).verdict).toBe('PASS');
    const other = await page.context().newPage();
    await other.goto(`${base}/verdicts/${old.id}`);
    await expect(other.getByRole('heading', { level: 1 })).toContainText('RETRY');
    await expect(other.getByRole('main')).toContainText('0.7, default');
    await other.close();
  });

  await test.step('and undone', async () => {
    await page
      .getByRole('group', { name: 'Applied' })
      .getByRole('button', { name: 'Undo' })
      .press('Enter');
    await expect(page.getByRole('group', { name: 'Applied' })).toHaveCount(0);
    await expect(slider(page)).toHaveValue('0.7');
    expect((await verifyOutput('after', 0.65)).verdict).toBe('RETRY');
  });
});

test.describe('several people at once', () => {
  test.use({ allowedErrors: /status of 409/ });
  test('two thresholds are staged and applied together, and no concurrent change is overwritten', async ({
    page,
  }) => {
    await page.goto(`${deskPath}&days=0&value=0.8`);
    await expectListening(page);
    const staged = page.getByRole('list', { name: 'Staged values' });
    const value = page.getByRole('spinbutton', { name: /^Value/ });
    await page
      .getByRole('navigation', { name: 'Thresholds of this verifier' })
      .getByRole('link', { name: /retry_threshold/ })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('retry threshold');
    await value.fill('0.75');
    await expect(value).toHaveAccessibleDescription(/cross pass_threshold, 0\.7/);
    await value.fill('0.45');
    await expect(staged.getByRole('listitem')).toHaveText([
      /pass_threshold.*0\.7 to 0\.8/,
      /retry_threshold.*0\.5 to 0\.45/,
    ]);

    await test.step('a concurrent change is reported, and nothing is applied', async () => {
      await page.getByRole('button', { name: 'Apply 2 changes' }).click();
      const dialog = page.getByRole('dialog');
      await putThreshold(page, 'pass_threshold', 0.72);
      await dialog.getByLabel('Reason').fill('Both together');
      await dialog.getByRole('button', { name: 'Apply 2 changes' }).click();
      await expect(dialog).toContainText('pass_threshold was changed in the meantime');
      await dialog.getByRole('button', { name: 'Review again' }).click();
      await expect(staged).toContainText('0.72 to 0.8');
    });

    await test.step('after a review they are applied together, and undone together', async () => {
      await page.getByRole('button', { name: 'Apply 2 changes' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Both together');
      await page.keyboard.press('Enter');
      const note = page.getByRole('group', { name: 'Applied' });
      await expect(note).toContainText('pass_threshold is 0.8, retry_threshold is 0.45');
      await note.getByRole('button', { name: 'Undo' }).click();
      await expect(note).toHaveCount(0);
      await page.getByRole('button', { name: 'All thresholds of the verifier' }).click();
      const changes = page.getByRole('table', { name: 'Changes' });
      await changes
        .getByRole('button', { name: /^Undo pass_threshold version \d+ for the whole project/ })
        .waitFor();
      await expect(changes.getByRole('row').filter({ hasText: 'Both together' })).toHaveCount(2);
      await putThreshold(page, 'pass_threshold', null);
      await putThreshold(page, 'retry_threshold', null);
    });
  });
});

test('the line on the scores is dragged by pointer, and the matrix moves with it', async ({
  page,
}) => {
  await page.goto(deskPath);
  await expectListening(page);
  await expect(region(page, 'At 0.7')).toBeVisible();
  const box = await slider(page).boundingBox();
  if (box === null) throw new Error('the slider is not drawn');
  // The line is inset by half the width of the thumb.
  const xOf = (value: number): number => box.x + 8 + value * (box.width - 16);
  const y = box.y + box.height / 2;
  await page.mouse.move(xOf(0.7), y);
  await page.mouse.down();
  await page.mouse.move(xOf(0.55), y, { steps: 5 });
  await expect(slider(page)).toHaveValue('0.55');
  await expect(region(page, 'At 0.55')).toBeVisible();
  await page.mouse.up();
  await expect(page).toHaveURL(/[?&]value=0\.55(&|$)/);
  await page.getByText('Scores as a table').click();
  await expect(
    page.getByRole('table', { name: 'Labelled verdicts by score' }).getByRole('row').nth(1),
  ).toContainText('0.4');
  await expectNoViolations(page);
});

test('a value for one mission only is set on the thresholds page, and removed on the page of the verifier', async ({
  page,
}) => {
  await page.goto(deskPath);
  await expectListening(page);
  await page.getByRole('button', { name: 'Change scope' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scope' });
  await dialog.getByRole('radio', { name: 'One mission' }).check();
  await dialog.getByRole('button', { name: 'Show these verdicts' }).click();
  await expect(dialog.getByLabel('Mission id')).toHaveAccessibleDescription(/Name the mission/);
  await dialog.getByLabel('Mission id').fill('release-9');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/[?&]mission=release-9/);
  await expect(page.getByText('No verdict of this work in the period.')).toBeVisible();
  await page.getByRole('spinbutton', { name: /^Value/ }).fill('0.9');
  await page.getByRole('button', { name: 'Apply change' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The board reads it');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Applied' })).toContainText('for mission release-9');
  await page.goto(`${base}/verifiers/agent-output`);
  const setValues = page.getByRole('list', { name: 'Values set for pass_threshold' });
  await expect(setValues).toContainText('for mission release-9');
  await expect(setValues).toContainText('The board reads it');
  await page.getByRole('button', { name: 'Remove pass_threshold for mission release-9' }).click();
  await expect(setValues).toHaveCount(0);
});

test('the thresholds page and the page of all flips, wide and narrow, light and dark', async ({
  page,
}) => {
  await page.goto(`${deskPath}&value=0.6`);
  await expectListening(page);
  await region(page, 'Verdicts that would flip')
    .getByRole('link', { name: /^All \d+/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verdicts that would flip');
  const rows = page.getByRole('table', { name: 'Verdicts that would flip' }).getByRole('link');
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(rows.first()).toBeFocused({ timeout: 5_000 });
  }).toPass();
  await picture(page, 'threshold-flips');
  await expectAllFormsOf(page, page.url());
  await page.goto(`${deskPath}&value=0.6`);
  await expect(page.getByRole('columnheader', { name: 'Candidate, 0.6' })).toBeVisible();
  await expect(region(page, 'Rates by threshold value').getByRole('img').first()).toBeVisible();
  await expectAllForms(page);
});
