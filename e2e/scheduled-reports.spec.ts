import { readFileSync } from 'node:fs';
import { callProcedure, createKeyOf, postAs } from './calls';
import { ownerState } from './instance';
import { choose, expect, expectAllForms, expectAllFormsOf, expectNoViolations, test } from './test';

/** A separate project, so that it reports only the work sent here. */
// A retry creates its own project.
const slug = `reports-${process.pid}`;
const address = `/p/${slug}/reports`;

// An impossible schedule is rejected on purpose.
test.use({ storageState: ownerState, timezoneId: 'Europe/Berlin', allowedErrors: /status of 422/ });
test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage({ storageState: ownerState });
  await callProcedure(page, 'projects.create', { slug, name: 'Weekly <b>desk</b>' });
  const key = await createKeyOf(page, slug, 'reports', ['ingest', 'verify']);
  await page.close();
  const outcomes: object[] = [];
  for (let n = 0; n < 24; n++) {
    const { id } = await postAs(key, '/v1/verify/task', {
      task_description: `Write note ${n}.`,
      success_criteria: [{ check: 'keywords', value: ['gauge'] }],
      task_output: n % 3 === 0 ? `Note ${n}.` : `The gauge of note ${n}.`,
      executor_model: n % 2 === 0 ? 'plain-model' : '<img src=x onerror=alert(1)>',
    });
    outcomes.push({ verification_id: id, success: n % 4 !== 0 });
  }
  await postAs(key, '/v1/outcomes', { outcomes });
});

test('R-48 a weekly report is created in one click; its schedule is changed with a preview of its next runs', async ({
  page,
}) => {
  await page.goto(address);
  const first = page.getByRole('button', {
    name: 'Create one every Monday at 06:00, Europe/Berlin',
  });
  await expect(first).toBeVisible();
  await expectNoViolations(page);
  await first.click();
  const schedules = page.getByRole('region', { name: 'Schedules', exact: true });
  await expect(schedules).toContainText(
    'Of the 7 days before, every Monday at 06:00, Europe/Berlin. In the console only: no destination takes reports.',
  );
  await expect(schedules).toContainText(
    /Next: Monday \d+ \w+ \d{4} at 06:00; Monday .* at 06:00; Monday .* at 06:00\./,
  );

  await schedules.getByRole('button', { name: 'Change Weekly report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Weekly report' });
  await choose(dialog.getByRole('combobox', { name: 'When' }), 'Custom schedule');
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('0 0 31 2 *');
  await expect(dialog).toContainText('Must name a day that exists');
  await expectNoViolations(page);
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('30 7 * * 5');
  await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Asia/Tokyo');
  await expect(dialog.getByRole('status', { name: 'Next runs' })).toContainText(
    /Next runs in the time zone Asia\/Tokyo.*Friday \d+ \w+ \d{4} at 07:30/,
  );
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await expect(schedules).toContainText('at 30 7 * * 5, Asia/Tokyo');
  await expect(page.getByRole('region', { name: 'Reports', exact: true })).toContainText(
    'No report yet.',
  );
});

test('calibration.md 5.11 S-63 a report is created by hand, read as a document and exported as markdown and JSON', async ({
  page,
}) => {
  await page.goto(address);
  const dialog = page.getByRole('dialog', { name: 'Create report' });
  // Before the page's scripts run, a click is lost.
  await expect(async () => {
    await page.getByRole('button', { name: 'Create report' }).click();
    await expect(dialog).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await dialog.getByLabel('Last day').fill(new Date().toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Create report' }).click();
  await expect(page.getByRole('region', { name: 'Summary', exact: true })).toContainText(
    '24 verdicts passed or failed, by 1 verifier.',
    {
      timeout: 20_000,
    },
  );
  await expect(page.getByRole('region', { name: 'Summary', exact: true })).toContainText(
    'The period was not over',
  );
  const row = page.getByRole('table', { name: 'Verifiers' }).getByRole('row').nth(1);
  await expect(row).toContainText('66.7%');
  await expect(row).toContainText('16/24');
  await expect(page.getByRole('table', { name: 'Models' })).toContainText(
    '<img src=x onerror=alert(1)>',
  );
  await expect(page.getByRole('main').locator('img')).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText(/false positive/i);

  const markdown = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Markdown' }).click();
  const text = readFileSync(await (await markdown).path(), 'utf8');
  expect(text).toContain('| Verifier | Trust | Pass rate |');
  expect(text).toContain('`<img src=x onerror=alert(1)>`');
  const json = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  expect(JSON.parse(readFileSync(await (await json).path(), 'utf8'))).toMatchObject({
    version: 1,
    verifiers: [{ verifier: 'task' }],
  });

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await expectAllFormsOf(page, new URL(page.url()).pathname);

  await page.getByRole('link', { name: 'Reports', exact: true }).first().click();
  await expect(page.getByRole('table', { name: 'Reports' })).toContainText('Created');
  await expectAllForms(page);
});
