import type { Page } from '@playwright/test';
import { request, server, verifyCode as verify } from './code-work';
import { ownerState, project } from './instance';
import { externalSession } from './spans';
import { expect, expectAllFormsOf, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });
test.setTimeout(150_000);

const base = `/p/${project.slug}`;
const evidence = (page: Page) => page.getByRole('region', { name: 'Evidence' });

test('QEL-43 QEL-44 QEL-45 QEL-46 QEL-50 a verdict on code: points, issues, files with findings at their lines, repair, and the panel', async ({
  page,
}) => {
  const session = { session_id: 'e2e-code' };
  await verify({ ...session, files: [{ path: 'server.py', content: server }] });
  const reply = await verify({
    ...session,
    repair: 1,
    files: [{ path: 'server.py', content: `${server}\n` }],
  });
  expect(reply.outcome).toBe('failed');

  await test.step('the list shows its points, and leads to it', async () => {
    await page.goto(`${base}/verdicts?verifier=code`);
    await expect(
      page.getByRole('row').filter({ hasText: 'Create server.py' }).first(),
    ).toBeVisible();
    await page.goto(`${base}/verdicts/${reply.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Failed');
  });

  await test.step('the request, the missing parts, and the framework used instead', async () => {
    const requestRegion = page.getByRole('region', { name: 'Request' });
    await expect(requestRegion).toContainText(request);
    await expect(
      requestRegion.getByRole('list', { name: 'Deliverables' }).getByRole('listitem'),
    ).toHaveText([/server\.py\s*written/, /models\.py\s*missing/]);
    await expect(requestRegion).toContainText('Flask was requested, FastAPI is used');
  });

  await test.step('the card: points, verdict, repair, bars, issues', async () => {
    await expect(evidence(page).getByText('repair #1').first()).toBeVisible();
    await expect(evidence(page).getByText('Failed', { exact: true }).first()).toBeVisible();
    await expect(evidence(page).getByRole('list', { name: 'Issues' })).toContainText('FastAPI');
    await expect(evidence(page)).toContainText('REWRITE server.py');
    const details = page.getByRole('region', { name: 'Details' });
    await expect(details.getByRole('heading', { name: 'Attempts' })).toBeVisible();
    await expect(details).toContainText('not that it is correct');
  });

  await test.step('the file shows its findings at their lines, and its text stays text', async () => {
    const files = page.getByRole('region', { name: 'Files' });
    await expect(files.getByRole('listitem').filter({ hasText: 'def tasks():' })).toContainText(
      'stub',
    );
    await expect(files).toContainText('a <b>task</b>');
    await expect(page.getByRole('main').locator('b')).toHaveCount(0);
  });

  await test.step('Ctrl+Shift+E opens the panel with the report, and Escape closes it', async () => {
    const panel = page.getByRole('dialog', { name: 'Code verification' });
    // A key that is pressed before the page listens is lost.
    await expect(async () => {
      if (!(await panel.isVisible())) await page.keyboard.press('Control+Shift+E');
      await expect(panel).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await panel.getByText('Show full report').click();
    await expect(panel).toContainText('/100');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  });
  await test.step('QEL-43 the session shows its points, and opens the same panel', async () => {
    await page.goto(`${base}/sessions?text=e2e-code`);
    await expect(page.getByRole('row').filter({ hasText: 'e2e-code' })).toContainText(/QEL \d+/);
    await page.goto(`${base}/sessions/e2e-code`);
    await page.getByRole('button', { name: 'QEL, has a result' }).click();
    await expect(page.getByRole('dialog', { name: 'Code verification' })).toContainText(
      'REWRITE server.py',
    );
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${base}/sessions/night-watch`);
    await page.getByRole('button', { name: 'QEL' }).click();
    await expect(page.getByRole('dialog')).toContainText(
      'No verification data. Runs automatically after creation tasks.',
    );
  });
  await expectAllFormsOf(page, `${base}/verdicts/${reply.id}`);
});

test('QEL-47 QEL-51 the models page counts each result once, next to the tier', async ({
  page,
}) => {
  await verify({
    id: 'e2e-code-once',
    model: 'e2e/other-3b',
    files: [{ path: 'server.py', content: server }],
  });
  await verify({
    id: 'e2e-code-once',
    model: 'e2e/other-3b',
    files: [{ path: 'server.py', content: server }],
  });
  await page.goto(`${base}/models`);
  const row = page.getByRole('row').filter({ hasText: 'e2e/other-3b' });
  await expect(row).toContainText('tiny');
  await expect(row).toContainText('0/1');
  await expect(row.getByRole('img', { name: '0 of 1 passed, one mark each' })).toBeVisible();
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/model=e2e%2Fother-3b|model=e2e\/other-3b/);
  await expectAllFormsOf(page, `${base}/models`);
});

test('S-85 the overview shows whether compilers and tests run, and links to the reason', async ({
  page,
}) => {
  await page.goto(base);
  const state = /Sandbox (?:available|missing: [^.]*|failed [^.]*)\./;
  const line = page.getByRole('main').getByText(state).first();
  await expect(line).toBeVisible();
  const said = state.exec((await line.textContent()) ?? '')?.[0] ?? '';
  await line.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Sandbox for proof gates' })).toContainText(said);
});

test('QEL-4 a session of an external agent is shown as unverified, in the list and on its page', async ({
  page,
}) => {
  const badge = 'external - not QEL-verified';
  await page.goto(`${base}/sessions`);
  await expect(page.getByRole('row').filter({ hasText: externalSession })).toContainText(badge);
  await expect(page.getByRole('row').filter({ hasText: 'night-watch' })).not.toContainText(badge);
  await page.goto(`${base}/sessions/${externalSession}`);
  await expect(page.getByText(badge)).toHaveAttribute('title', /Claude Code/);
});
