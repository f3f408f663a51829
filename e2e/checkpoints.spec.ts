import type { Page } from '@playwright/test';
import superjson from 'superjson';
import { ownerState, project, readInstance } from './instance';
import {
  decompositions,
  importRun,
  outputs,
  query,
  reportOutcome,
  syntheses,
  traceId,
  verifyStep,
} from './pipeline';
import { expect, expectAllForms, expectAllFormsOf, expectListening, test } from './test';

test.use({ storageState: ownerState });
test.setTimeout(180_000);

const base = `/p/${project.slug}`;
const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const attempts = (page: Page, of: string) =>
  page.getByRole('list', { name: of, exact: true }).locator('> li');

test('SOAR-12 SOAR-18 SOAR-22 SOAR-32 a pipeline from its list: attempts side by side with what changed, verdict and reason at each', async ({
  page,
}) => {
  const verdicts = [];
  for (const call of decompositions)
    verdicts.push((await verifyStep('decomposition', call)).verdict);
  for (const call of outputs) verdicts.push((await verifyStep('agent-output', call)).verdict);
  for (const call of syntheses) verdicts.push((await verifyStep('synthesis', call)).verdict);
  expect(verdicts).toEqual(['RETRY', 'PASS', 'RETRY', 'PASS', 'FAIL', 'RETRY', 'PASS']);
  await reportOutcome(traceId, true);
  await importRun();

  await test.step('the list shows the result of each checkpoint, and the reported outcome', async () => {
    await page.goto(`${base}/checkpoints`);
    await expectListening(page);
    const row = page
      .getByRole('table', { name: 'Pipelines' })
      .getByRole('row')
      .filter({ hasText: traceId });
    await expect(row).toContainText('succeeded');
    await expect(row).toContainText('PASS, 2 attempts');
    await expect(row).toContainText('1 of 2 PASS, 3 attempts');
    await expect(row).toContainText('COMPLEX');
    await page.getByRole('button', { name: 'Did not succeed' }).click();
    await expect(page).toHaveURL(/outcome=failed/);
    await expect(page.getByRole('table', { name: 'Pipelines' }).getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('table', { name: 'Pipelines' })).toContainText(
      'Book the earliest train',
    );
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row.getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(traceId);
    await expect(step(page, 'Query')).toContainText(query);
  });

  await test.step('the decomposition: scores, the judge’s findings, what the second attempt changed', async () => {
    const [first, second] = [
      attempts(page, 'Attempts at the decomposition').nth(0),
      attempts(page, 'Attempts at the decomposition').nth(1),
    ];
    await expect(first).toContainText('RETRY');
    await expect(first).toContainText('overall 0.9, PASS');
    await expect(first).toContainText('oracle');
    await expect(second).toContainText('1 added, 1 altered, 1 removed');
    await expect(second.getByRole('listitem').filter({ hasText: 'owners' })).toContainText(
      'altered: agent',
    );
    await expect(second.getByRole('listitem').filter({ hasText: 'poem' })).toContainText('removed');
    await first.getByText('Feedback for the next attempt').click();
    await expect(first).toContainText('PREVIOUS ATTEMPT FEEDBACK:');
    const [before, after] = [await first.boundingBox(), await second.boundingBox()];
    expect(Math.abs((before?.y ?? 0) - (after?.y ?? 0))).toBeLessThan(2);
    expect(after?.x ?? 0).toBeGreaterThan((before?.x ?? 0) + 100);
  });

  await test.step('outputs by subgoal with the next step; the synthesis with the unsupported claim', async () => {
    await expect(attempts(page, 'Attempts at subgoal disks').nth(1)).toContainText(
      'another than before',
    );
    await expect(attempts(page, 'Attempts at subgoal owners')).toContainText(
      'The request continues with a warning.',
    );
    const [first, second] = [
      attempts(page, 'Attempts at the synthesis').nth(0),
      attempts(page, 'Attempts at the synthesis').nth(1),
    ];
    await expect(first).toContainText('traceability 50%, 1 of 2 claims');
    await expect(first).toContainText('unsupported: Olga owns it.');
    await expect(second.locator('del')).toContainText('Olga owns it.');
    await expect(second.locator('ins')).toContainText('within the week');
    await expect(page.getByRole('main').locator('img')).toHaveCount(0);
  });

  await test.step('each attempt leads to its verdict, Escape back to the list and its row', async () => {
    await expectListening(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: traceId })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Verdict of synthesis attempt 1' }).click();
    await expect(page).toHaveURL(/\/verdicts\/ver_/);
  });
  await expectAllFormsOf(page, `${base}/checkpoints/${traceId}`);
});

test('SOAR-32 the four views, as charts and as tables', async ({ page }) => {
  await page.goto(`${base}/checkpoints?days=30`);
  await expectListening(page);
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  for (const name of [
    'Average score by complexity',
    'PASS, RETRY, FAIL',
    'Retry success by issue type',
    'Cost of verifying against cost of executing',
  ])
    await expect(panel(name).getByRole('img').first()).toBeVisible();
  await page.keyboard.press('t');
  await expect(
    page
      .getByRole('table', { name: 'Average score by complexity' })
      .getByRole('row', { name: /^COMPLEX/ }),
  ).toContainText(/0\.\d\d n \d/);
  await expect(
    page
      .getByRole('table', { name: 'Verdicts by checkpoint' })
      .getByRole('row', { name: /^Synthesis/ }),
  ).toContainText(/\d\/\d/);
  await expect(page.getByRole('table', { name: 'Retry success by issue type' })).toContainText(
    'unknown agent',
  );
  await expect(page.getByRole('table', { name: 'Costs by checkpoint' })).toContainText(/\$0\.\d\d/);
  await expectAllForms(page);
  await page.keyboard.press('t');
  await expect(panel('PASS, RETRY, FAIL').getByRole('img').first()).toBeVisible();
  await expectAllFormsOf(page, `${base}/checkpoints?days=30`);
});

test('an imported run shows its turns in place of checkpoints, and its outcome', async ({
  page,
}) => {
  await page.goto(`${base}/checkpoints/e2e-recorded`);
  await expect(page.getByRole('main')).toContainText('did not');
  await expect(page.getByRole('main')).toContainText('SIMPLE');
  await expect(step(page, 'Decomposition')).toContainText('None was recorded.');
  await expect(step(page, 'Outputs')).toContainText('2 turns, 1 tool result');
  await step(page, 'Outputs').getByText('find_trains').click();
  await expect(step(page, 'Outputs')).toContainText('IC 61');
  await expect(step(page, 'Synthesis')).toContainText('It is booked.');
  await expectAllForms(page);
});

test('a project without a checkpoint shows how to send the first one', async ({ page }) => {
  const { webUrl } = readInstance();
  const data = superjson.serialize({ slug: 'no-pipelines', name: 'No pipelines' });
  const created = await page.request.post(`${webUrl}/api/trpc/projects.create`, {
    data,
    headers: { origin: webUrl },
  });
  expect(created.status(), await created.text()).toBe(200);
  await page.goto('/p/no-pipelines/checkpoints');
  await expect(page.getByText('No checkpoint has been used yet')).toBeVisible();
  await expect(page.getByLabel('Command that verifies a decomposition')).toContainText(
    '/v1/verify/decomposition',
  );
  await expectAllForms(page);
});
