import { ownerState, project, readInstance } from './instance';
import { agentTrace, hostileTrace, largeTrace, silentTrace, spanId } from './spans';
import { sendTurns } from './turns';
import { choose, expect, expectListening, expectNoViolations, test } from './test';
import { SOME_CONTEXT } from '../testing/some-context';

const base = `/p/${project.slug}`;

test.use({ storageState: ownerState });

test('a trace: from the list by keyboard, its spans, their content, its verdict, and back', async ({
  page,
}) => {
  await page.goto(`${base}/traces`);
  const rows = page.getByRole('table', { name: 'Traces' });
  await expect(rows.getByRole('link')).toHaveCount(5);
  await expectListening(page);
  await expectNoViolations(page);
  await page.keyboard.press('j');
  await expect(rows.getByRole('link').first()).toBeFocused();
  await rows.getByRole('link', { name: 'How full is web-3' }).press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'How full is web-3, and how long is it up?' }),
  ).toBeVisible();
  const tree = page.getByRole('treegrid', { name: 'Spans' });
  const content = page.getByRole('region', { name: 'Content' });
  const evidence = page.getByRole('region', { name: 'Evidence' });

  await test.step('the item that needs a person is selected: the answer with the worst verdict', async () => {
    await expect(tree.getByRole('row', { selected: true })).toContainText('chat gpt-4o');
    await expect(content).toContainText('How full is web-3');
    await expect(content).toContainText('up for 41 days');
    await expect(evidence.getByRole('link', { name: /Failed unsourced/ }).first()).toBeVisible();
    await expect(evidence.getByRole('list', { name: 'Verdicts of Integrity' })).toContainText(
      /Failed unsourced\s*turn, 1 of 3 figures unsourced/,
    );
    await expect(evidence).toContainText('1 of 3 figures unsourced');
    await expectNoViolations(page);
  });

  await test.step('k goes up, left folds, right opens; the address names the span', async () => {
    await expectListening(page);
    await page.keyboard.press('k');
    await expect(tree.getByRole('row', { selected: true })).toContainText('execute_tool uptime');
    await expect(page).toHaveURL(new RegExp(`span=${spanId(4)}`));
    await expect(content).toContainText('connection refused by web-3:9100');
    await expect(evidence).toContainText('This span has no turn');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    const tool = tree.getByRole('row', { name: /execute_tool disk/ });
    await expect(tool).toBeFocused();
    await expect(content.getByRole('heading', { name: 'Tool disk', exact: true })).toBeVisible();
    await expect(content).toContainText('63.2');
    await page.keyboard.press('ArrowLeft');
    await expect(tool).toHaveAttribute('aria-expanded', 'false');
    await expect(tree.getByRole('row', { name: /GET \/metrics/ })).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await expect(tree.getByRole('row', { name: /GET \/metrics/ })).toBeVisible();
  });

  await test.step('Enter goes into the content, Escape back to the tree and then to the list', async () => {
    await page.keyboard.press('Enter');
    await expect(content).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(tree.getByRole('row', { name: /execute_tool disk/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/traces$/);
    await expect(rows.getByRole('link', { name: 'How full is web-3' })).toBeFocused();
  });
});

test('filters of the trace list are in the URL; cleared filters show all rows again', async ({
  page,
}) => {
  await page.goto(`${base}/traces`);
  const rows = page.getByRole('table', { name: 'Traces' }).getByRole('link');
  await expectListening(page);
  await page.getByRole('button', { name: 'With errors' }).click();
  await expect(page).toHaveURL(/errors=true/);
  await expect(rows).toHaveCount(1);
  await choose(page.getByRole('combobox', { name: 'Service' }), 'batch');
  await expect(page.getByText('No trace passes these filters.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rows).toHaveCount(5);
  await page.goBack();
  await expect(page).toHaveURL(/service=batch/);
  await expect(page.getByText('No trace passes these filters.')).toBeVisible();
});

test.describe('in another locale and zone', () => {
  test.use({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' });

  test('dates are chosen and written as there, by keyboard', async ({ page }) => {
    await page.goto(`${base}/traces`);
    await expectListening(page);
    const rows = page.getByRole('table', { name: 'Traces' }).getByRole('link');
    await expect(rows).toHaveCount(5);
    const dates = page.getByRole('button', { name: /^Dates:/ });
    await dates.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Last 7 days' }).press('Enter');
    await expect(dates).toBeFocused();
    const [from, to] = await page.evaluate(() => {
      const now = new Date();
      return [
        new Date(now.getFullYear(), now.getMonth(), now.getDate() - 6),
        new Date(now.getFullYear(), now.getMonth(), now.getDate(), 23, 59, 59, 999),
      ].map((at) => at.toISOString());
    });
    await expect(page).toHaveURL(
      (url) => url.searchParams.get('from') === from && url.searchParams.get('to') === to,
    );
    const written = new Intl.DateTimeFormat('de-DE', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'Asia/Tokyo',
    }).format(new Date(to ?? ''));
    await expect(dates).toContainText(written);
    await expect(rows).toHaveCount(5);
    await dates.press('Enter');
    await expect(page.getByRole('grid')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dates).toBeFocused();

    const service = page.getByRole('combobox', { name: 'Service' });
    await service.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.keyboard.type('ba');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/service=batch/);
    await expect(service).toHaveText('batch');
    await expect(service).toBeFocused();
  });
});

test('a person chooses the columns of a list, and finds them again', async ({ page }) => {
  await page.goto(`${base}/traces`);
  const table = page.getByRole('table', { name: 'Traces' });
  const head = (name: string) => table.getByRole('columnheader', { name, exact: true });
  const open = async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
  };
  await expect(head('Service')).toBeVisible();
  await expect(head('Cost')).toBeHidden();
  await open();
  await page.getByRole('menuitemcheckbox', { name: 'Service', checked: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Cost', checked: false }).click();
  await expect(head('Service')).toBeHidden();
  await expect(head('Cost')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expectNoViolations(page);
  await page.reload();
  await expect(head('Cost')).toBeVisible();
  await expect(head('Service')).toBeHidden();
  await open();
  await page.getByRole('menuitem', { name: 'Usual columns' }).click();
  await expect(head('Service')).toBeVisible();
  await expect(head('Cost')).toBeHidden();
});

test('R-5: a large trace is collapsed to fit and opens on request', async ({ page }) => {
  await page.goto(`${base}/traces/${largeTrace}`);
  const tree = page.getByRole('treegrid', { name: 'Spans' });
  await expect(page.getByText('1,500 spans')).toBeVisible();
  await expectListening(page);
  const lines = await tree.getByRole('row').count();
  expect(lines).toBeGreaterThan(20);
  expect(lines).toBeLessThanOrEqual(501);
  await expectNoViolations(page);
  await page.goto(`${base}/traces/${largeTrace}?span=${spanId(1500)}`);
  await expect(tree.getByRole('row', { selected: true })).toContainText('step 1499');
});

test('a trace without content shows why it has no turn', async ({ page }) => {
  await page.goto(`${base}/traces/${silentTrace}`);
  await expect(
    page.getByRole('region', { name: 'Evidence' }).getByText(/content capture/i),
  ).toBeVisible();
  await expectNoViolations(page);
});

test('untrusted text of spans stays text', async ({ page }) => {
  await page.goto(`${base}/traces/${hostileTrace}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('<script>alert(1)</script>');
  await expect(main).toContainText('<img src=x onerror=alert(1)>');
  await expect(main.locator('img, script, a[href^="javascript:"]')).toHaveCount(0);
  await expect(main.getByTitle('Hidden character U+202E').first()).toBeVisible();
  await page.getByText(/^Attributes \(/).click();
  await expect(main.getByText('polluted')).toBeVisible();
  await expectNoViolations(page);
});

test('a session reads as a conversation: question, tools, answer, verdict; a turn opens from it', async ({
  page,
}) => {
  await page.goto(`${base}/sessions`);
  await expectListening(page);
  await expectNoViolations(page);
  await page
    .getByRole('row', { name: 'night-watch' })
    .getByRole('link', { name: /^How full is web-\d/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Session night-watch/i })).toBeVisible();
  const talk = page.getByRole('list', { name: 'Conversation' });
  await expect(talk.getByRole('listitem', { name: /^Turn \d+$/ })).toHaveCount(3);
  await expect(talk).toContainText('How full is web-1, and since when?');
  await expect(page.getByRole('list', { name: 'Verdicts of Integrity' })).toContainText('Failed');
  await expect(page.getByRole('link', { name: 'All verdicts' })).toHaveAttribute(
    'href',
    `${base}/verdicts?session=night-watch`,
  );
  const traced = talk
    .getByRole('listitem', { name: /^Turn \d+$/ })
    .filter({ hasText: 'up for 41 days' });
  await traced.getByText('disk', { exact: true }).click();
  await expect(traced).toContainText('63.2');
  await expect(traced.getByRole('link', { name: /Failed/ })).toBeVisible();
  await expectListening(page);
  await expectNoViolations(page);
  await traced.getByRole('link', { name: 'Trace' }).click();
  await expect(page).toHaveURL(new RegExp(`/traces/${agentTrace}\\?span=${spanId(5)}`));
  await page.goBack();
  await talk.getByRole('link', { name: /^Turn 1$/ }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: /Turn \S+ Copy turn id/ }),
  ).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: 'Evidence' })
      .getByRole('heading', { name: 'Why it was verified' }),
  ).toBeVisible();
  await expectNoViolations(page);
});

test('ids of any characters lead to their pages', async ({ page }) => {
  const [id, session] = ['odd/1?x#%41 é', 'odd/session 1%2F?#'];
  await sendTurns([{ id, session_id: session, context: SOME_CONTEXT, output: 'All quiet.' }]);
  await page.goto(`${base}/sessions?text=odd`);
  await page.getByRole('table', { name: 'Sessions' }).getByRole('link', { name: session }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(session);
  await page.getByRole('link', { name: 'Turn 1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(id);
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: session })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(session);
});

test('the verdict leads to its turn, its session and its trace', async ({ page }) => {
  await page.goto(`${base}/verdicts?text=41+days`);
  await page.getByRole('table', { name: 'Verdicts' }).getByRole('link').first().click();
  const details = page.getByRole('region', { name: 'Details', exact: true });
  await expect(details.getByRole('link', { name: 'night-watch' })).toHaveAttribute(
    'href',
    `${base}/sessions/night-watch`,
  );
  await details.getByRole('link', { name: agentTrace, exact: true }).click();
  await expect(page.getByRole('treegrid', { name: 'Spans' })).toBeVisible();
});

test.describe('unknown items', () => {
  test.use({ allowedErrors: /status of 404/ });
  test('an unknown trace, session and turn', async ({ page }) => {
    for (const [path, name] of [
      ['traces', 'trace'],
      ['sessions', 'session'],
      ['turns', 'turn'],
    ]) {
      await page.goto(`${readInstance().webUrl}${base}/${path}/nobodys`);
      await expect(page.getByRole('heading', { level: 1, name: `No such ${name}` })).toBeVisible();
      await expectNoViolations(page);
    }
  });
});
