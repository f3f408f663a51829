import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { ownerState, readInstance } from './instance';
import {
  choose,
  expect,
  expectAllFormsOf,
  expectListening,
  expectNoViolations,
  test,
} from './test';

/** A separate project: labels that are frozen here do not affect other journeys' measures. */
const slug = 'anchors';
const address = `/p/${slug}/calibration/verifier?verifier=task&days=30&tab=stability`;

// An impossible schedule is rejected on purpose.
test.use({ storageState: ownerState, allowedErrors: /status of 422/ });
test.describe.configure({ mode: 'serial' });

async function change<T>(page: Page, procedure: string, input: object): Promise<T> {
  const { webUrl } = readInstance();
  const data = superjson.serialize(input);
  const response = await page.request.post(`${webUrl}/api/trpc/${procedure}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
  const reply = (await response.json()) as {
    readonly result: { readonly data: Parameters<typeof superjson.deserialize>[0] };
  };
  return superjson.deserialize(reply.result.data);
}

let key = '';

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${readInstance().edgeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([200, 202], text).toContain(response.status);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Tasks that are decided by checks alone: the bad ones meet one of two. */
async function labelledTasks(
  count: number,
  name: string,
  isGood: (n: number) => boolean,
): Promise<void> {
  const outcomes: { verification_id: unknown; success: boolean }[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await post('/v1/verify/task', {
      id: `anchor-${name}-${n}`,
      task_description: `Write note ${n} on the disk.`,
      success_criteria: [
        { check: 'keywords', value: ['disk'] },
        { check: 'keywords', value: ['gauge'] },
      ],
      task_output: isGood(n)
        ? `The disk gauge ${n} no longer sticks.`
        : `The disk ${n} no longer sticks. <img src=x onerror=alert(1)>`,
    });
    outcomes.push({ verification_id: id, success: isGood(n) });
  }
  expect(await post('/v1/outcomes', { outcomes })).toMatchObject({ accepted: count });
}

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage({ storageState: ownerState });
  await change(page, 'projects.create', { slug, name: 'Anchor desk' });
  const scopes = ['verify', 'ingest', 'write', 'read'];
  const created = await change<Record<string, unknown>>(page, 'keys.create', {
    project: slug,
    name: 'anchors',
    scopes,
  });
  key =
    Object.values(created).find(
      (value): value is string => typeof value === 'string' && value.startsWith('asy_'),
    ) ?? '';
  await page.close();
});

const panel = (page: Page) => page.getByRole('region', { name: 'Anchor sets', exact: true });
const setOf = (page: Page, name: string) =>
  page.getByRole('region', { name: `Anchor set ${name}`, exact: true });

test('calibration.md 5.9 with too few labels, the page shows their number before anything is frozen', async ({
  page,
}) => {
  await labelledTasks(4, 'few', (n) => n % 2 === 0);
  await page.goto(address);
  await expectListening(page);
  await expect(panel(page)).toContainText('No anchor set yet.');
  await expectNoViolations(page);
  await panel(page).getByRole('button', { name: 'Freeze a set' }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze an anchor set of task' });
  await expect(dialog.getByRole('status', { name: 'Size and cost of the set' })).toContainText(
    '4 subjects are labelled and can be judged again: 2 bad, 2 good.',
  );
  await expect(dialog.getByRole('alert')).toContainText('a set needs 10');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('weekly');
  await expect(dialog.getByRole('button', { name: 'Freeze set' })).toBeDisabled();
  await dialog.getByRole('spinbutton', { name: 'Maximum subjects' }).fill('9');
  await expect(dialog.getByRole('alert').first()).toContainText('10 to 500');
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(panel(page).getByRole('button', { name: 'Freeze a set' })).toBeFocused();
});

test('calibration.md 5.9 a set is frozen and judged twice, and its runs show the drift', async ({
  page,
}) => {
  await labelledTasks(36, 'more', (n) => n % 3 !== 0);
  await page.goto(address);
  await expectListening(page);

  await test.step('frozen with a schedule, after its cost was shown', async () => {
    const dialog = page.getByRole('dialog', { name: 'Freeze an anchor set of task' });
    // The labels are counted shortly after they are stored: the dialog is reopened until then.
    const takes = dialog.getByRole('status', { name: 'Size and cost of the set' });
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await panel(page).getByRole('button', { name: 'Freeze a set' }).click();
      await expect(takes).toContainText('subjects are labelled');
      expect(await takes.textContent()).toContain('40 subjects are labelled');
    }).toPass();
    await dialog.getByRole('spinbutton', { name: 'Maximum subjects' }).fill('24');
    await expect(dialog.getByRole('status', { name: 'Size and cost of the set' })).toContainText(
      'The set takes 24: 12 bad, 12 good. Judging it calls no model.',
    );
    await dialog.getByRole('textbox', { name: 'Name' }).fill('weekly <b>');
    await choose(dialog.getByRole('combobox', { name: 'Schedule' }), 'Custom schedule');
    await dialog.getByRole('textbox', { name: 'Cron' }).fill('0 0 31 2 *');
    await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Freeze set' }).click();
    await expect(dialog).toContainText('Must name a day that exists');
    await expectNoViolations(page);
    await dialog.getByRole('textbox', { name: 'Cron' }).fill('30 6 * * 1');
    await dialog.getByRole('button', { name: 'Freeze set' }).click();
    await expect(setOf(page, 'weekly <b>')).toContainText('24 subjects: 12 bad, 12 good.');
    await expect(setOf(page, 'weekly <b>')).toContainText(
      'Judged at 30 6 * * 1, Europe/Berlin; next',
    );
    await expect(setOf(page, 'weekly <b>')).toContainText('Not judged yet.');
  });

  const runs = setOf(page, 'weekly <b>').getByRole('table', { name: 'Runs of weekly <b>' });
  await test.step('judged by hand, by the worker', async () => {
    await setOf(page, 'weekly <b>').getByRole('button', { name: 'Judge weekly <b> now' }).click();
    const row = runs.getByRole('row').nth(1);
    await expect(row).toContainText('Done', { timeout: 20_000 });
    await expect(row).toContainText('24/24');
    await expect(row).toContainText('12/12');
  });

  await test.step('and once more: a chart next to the table', async () => {
    await setOf(page, 'weekly <b>').getByRole('button', { name: 'Judge weekly <b> now' }).click();
    await expect(runs.getByRole('row')).toHaveCount(3);
    const row = runs.getByRole('row').nth(1);
    await expect(row).toContainText('Done', { timeout: 20_000 });
    await expect(row).toContainText('24/24');
    await expect(page.getByRole('img', { name: /Agreement of the runs of weekly/ })).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('the runs are the drift, also after a reload', async () => {
    await page.reload();
    await expectListening(page);
    await expect(page.getByRole('region', { name: 'Drift', exact: true })).toContainText('0/24');
    await expect(runs.getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('main')).not.toContainText(/false positive/i);
  });
  await expectAllFormsOf(page, address);
});

test('a retired set is no longer judged and keeps its runs', async ({ page }) => {
  await page.goto(address);
  await expectListening(page);
  await setOf(page, 'weekly <b>').getByRole('button', { name: 'Retire weekly <b>' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retire weekly <b>' });
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Retire set' }).click();
  await expect(panel(page)).toContainText('No anchor set in use.');
  await panel(page).getByText('1 retired set').click();
  await expect(setOf(page, 'weekly <b>')).toContainText('Retired.');
  await expect(
    setOf(page, 'weekly <b>').getByRole('button', { name: /judge|retire/i }),
  ).toHaveCount(0);
  await expect(setOf(page, 'weekly <b>').getByRole('table').getByRole('row')).toHaveCount(3);
  await expectNoViolations(page);
});
