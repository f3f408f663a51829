import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { callProcedure, createKeyOf, postAs } from './calls';
import { owner, ownerState, readInstance } from './instance';
import { choose, expect, expectAllForms, expectNoViolations, test } from './test';
import { SOME_CONTEXT } from '../testing/some-context';

test.use({ storageState: ownerState });

// A retry creates its own project.
const slug = `alert-desk-${process.pid}`;
const base = `/p/${slug}`;
let receiver: Server;

/**
 * The receiver of alerts: accepts every request, on the only other port that the product may call.
 */
test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) =>
    receiver.listen(readInstance().llmPort, '127.0.0.1', resolve),
  );
});

test.afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

/** Twenty good answers that are rejected for a figure without a source: the minimum for a rate. */
async function sendFalseRejections(page: Page): Promise<void> {
  const key = await createKeyOf(page, slug, 'alerts', ['ingest']);
  const ids = Array.from({ length: 20 }, (_, at) => `alert-${at}`);
  await postAs(key, '/v1/turns', {
    turns: ids.map((id, at) => ({
      id,
      model: 'e2e/alerts',
      input: [{ role: 'user', content: `How full is disk ${at}?` }],
      context: SOME_CONTEXT,
      output: `It is at ${at + 31}.4%.`,
    })),
  });
  await postAs(key, '/v1/outcomes', {
    outcomes: ids.map((id) => ({ turn_id: id, success: true })),
  });
}

const alerting = (page: Page) => page.getByRole('list', { name: 'Alerting now' });
const name = 'False rejections of all: Integrity';

test('SOAR-27 SOAR-29 SOAR-31 an alert begins, notifies, and ends by a limit that its value equals; the limit is reset', async ({
  page,
}) => {
  await callProcedure(page, 'projects.create', { slug, name: 'Alert desk' });
  await page.goto(`${base}/alerts`);
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
  await expect(page.getByText('Nothing has alerted yet.')).toBeVisible();
  await callProcedure(page, 'destinations.create', {
    project: slug,
    kind: 'webhook',
    name: 'On call',
    url: `http://127.0.0.1:${readInstance().llmPort}/hook`,
    outcomes: [],
    headers: [],
    sends: ['verdicts'],
  });
  await test.step('a destination of verdicts receives alerts instead', async () => {
    await page.goto(`${base}/settings/webhooks`);
    const row = page
      .getByRole('table', { name: 'Destinations' })
      .getByRole('row')
      .filter({ hasText: 'On call' });
    await expect(async () => {
      await row.getByRole('button', { name: 'Change the content for On call' }).click();
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 10_000 });
    }).toPass();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Verdicts').uncheck();
    await expect(dialog.getByText('choose at least one')).toBeVisible();
    await dialog.getByLabel('Alerts').check();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(row.getByRole('cell', { name: 'Alerts', exact: true })).toBeVisible();
    await page.goto(`${base}/alerts`);
  });
  await sendFalseRejections(page);

  await test.step('it begins, with its numbers and the next step, and the navigation counts it', async () => {
    // Measures are computed shortly after the labels are stored.
    await expect(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await expect(alerting(page).getByRole('listitem', { name })).toBeVisible({ timeout: 10_000 });
    }).toPass();
    const card = alerting(page).getByRole('listitem', { name });
    await expect(card).toContainText('100%');
    await expect(card).toContainText('20 false rejections in 20');
    await expect(card).toContainText('Review the false rejections, and relax the verifier.');
    await expect(
      page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Alerts 1 alerting' }),
    ).toBeVisible();
    await expect(
      page.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasText: 'Began' }),
    ).toContainText('On call: delivered');
    await expectAllForms(page);
    // It began today: there is no week to draw.
    await expect(card.getByRole('img', { name: /last 7 days/ })).toHaveCount(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  await test.step('it is acknowledged, and the history names the person', async () => {
    const card = alerting(page).getByRole('listitem', { name });
    await card.getByRole('button', { name: `Acknowledge ${name}` }).click();
    await expect(card).toContainText('Acknowledged by owner@assay.test');
    await expect(
      page
        .getByRole('table', { name: 'History' })
        .getByRole('row')
        .filter({ hasText: 'Acknowledged' }),
    ).toContainText(/By owner@assay\.test\.\s*not sent/);
    await expectNoViolations(page);
  });

  await test.step('it is a finding at the top of the overview, and leads to the rows behind it', async () => {
    await page.goto(base);
    await page
      .getByRole('region', { name: 'Findings' })
      .getByRole('link', { name: `See the data of ${name}` })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'False rejections' })).toBeVisible();
  });

  await test.step('a limit equal to its value ends it', async () => {
    await page.goto(`${base}/settings/alerts`);
    await page.getByRole('button', { name: 'Change False rejections of all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Limit (percent)').fill('101');
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog.getByLabel('Limit (percent)')).toHaveAccessibleDescription(/from 0 to 100/);
    await expectNoViolations(page);
    await dialog.getByLabel('Limit (percent)').fill('100');
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    const row = page
      .getByRole('table', { name: 'Alert rules' })
      .getByRole('row')
      .filter({ hasText: 'False rejections of all' });
    await expect(row).toContainText('alerts above 100%');
    await expect(row).toContainText(owner.email);
    await page.getByRole('link', { name: 'Alerts', exact: true }).last().click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(
      page
        .getByRole('table', { name: 'History' })
        .getByRole('row')
        .filter({ hasText: 'Recovered' }),
    ).toHaveCount(1);
    await expect(page.getByText('No alerts.')).toBeVisible();
  });

  await test.step('the history is filtered by its address', async () => {
    await page.getByRole('heading', { name: 'Checked, not alerting' }).click();
    await page.getByRole('link', { name: `History of ${name}` }).click();
    await expect(page).toHaveURL(/kind=false_positive_rate&series=integrity/);
    await choose(page.getByRole('combobox', { name: 'Kind' }), 'Judge outage');
    await expect(page.getByText('Nothing in the history passes these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(
      page.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasText: 'Began' }),
    ).toBeVisible();
  });

  await test.step('after a reset, the default limit applies again', async () => {
    await page.goto(`${base}/settings/alerts`);
    await page.getByRole('button', { name: 'Reset False rejections of all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset rule' }).click();
    const row = page
      .getByRole('table', { name: 'Alert rules' })
      .getByRole('row')
      .filter({ hasText: 'False rejections of all' });
    await expect(row).toContainText('alerts above 15%');
    await expect(row).toContainText('default');
  });
});
