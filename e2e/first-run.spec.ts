import { keepKey, owner, ownerState, project, readInstance } from './instance';
import { expect, expectListening, expectNoViolations, test } from './test';
import { sendTraces } from './spans';
import { firstTurn, sendTurns, variedTurns } from './turns';

test('from the owner link to a verdict: claim, project, key, first turn, verdict live, evidence by keyboard', async ({
  page,
  context,
}) => {
  await page.goto(readInstance().ownerLink);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Create the owner account' }),
  ).toBeVisible();
  await expectNoViolations(page);

  await test.step('errors are next to their fields', async () => {
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account and project' }).click();
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
      /at least 12 characters/i,
    );
    await expect(page.getByLabel('Your name')).toHaveAccessibleDescription(/fill this in/i);
  });

  await page.getByLabel('Your name').fill(owner.name);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByLabel('First project').fill(project.name);
  await page.getByLabel('Short name').fill(project.slug);
  await page.getByRole('button', { name: 'Create account and project' }).click();

  const step = (title: string) =>
    page
      .getByRole('list', { name: 'Set-up steps' })
      .getByRole('listitem')
      .filter({ hasText: title });

  await test.step('an empty project shows the steps of the first hour, with the one command', async () => {
    await expect(page).toHaveURL(new RegExp(`/p/${project.slug}$`));
    await expect(page.getByLabel('Command that sends a first turn')).toContainText('YOUR_KEY');
    await expect(step('Create a key')).toHaveAttribute('aria-current', 'step');
    await expectNoViolations(page);
  });

  await test.step('a key is created in place, shown once, and filled into the command; its step is ticked', async () => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('e2e');
    await expect(dialog.getByRole('checkbox', { name: /^read\b/ })).toBeChecked();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key =
      (await page
        .getByRole('dialog', { name: 'Copy the new key' })
        .getByLabel('New key')
        .textContent()) ?? '';
    expect(key).toMatch(/^asy_/);
    keepKey(key);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Create another key' })).toBeFocused();
    const command = page.getByLabel('Command that sends a first turn');
    await expect(command).toContainText(key.slice(-4));
    await expect(page.getByText(key)).toHaveCount(0);
    await expect(step('Create a key')).not.toContainText('not done yet');
    await expect(step('Send a first trace')).toHaveAttribute('aria-current', 'step');
    await page.getByRole('link', { name: 'Verdicts', exact: true }).click();
    await expect(page.getByText('Nothing yet.')).toBeVisible();
    await expect(page.getByText(key)).toHaveCount(0);
  });

  await test.step('a sent turn ticks its steps without a reload', async () => {
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expectListening(page);
    await sendTurns([firstTurn]);
    for (const title of ['Send a first trace', 'Get its verdict'])
      await expect(step(title)).not.toContainText('not done yet');
    await expect(page.getByRole('status').filter({ hasText: '3 of 6 done' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '1 new verdict' })).toBeAttached();
  });

  await test.step('more turns appear in the open list', async () => {
    await page.getByRole('link', { name: 'Verdicts', exact: true }).click();
    await expectListening(page);
    await sendTurns(variedTurns);
    await expect(page.getByRole('table', { name: 'Verdicts' }).getByRole('link')).toHaveCount(
      1 + variedTurns.length,
    );
  });

  await test.step('a figure leads to its source and back, by keyboard alone', async () => {
    await page.getByRole('button', { name: 'Failed' }).click();
    await expect(page).toHaveURL(/outcome=failed/);
    await page.getByRole('link', { name: /web-1 is at 91.4%/ }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /Failed unsourced/ })).toBeVisible();
    await page.keyboard.press('n');
    const figure = page.getByRole('link', { name: /Figure 1: 91.4%, sourced/ });
    await expect(figure).toBeFocused();
    await page.keyboard.press('Enter');
    const place = page.getByRole('link', { name: /^91.4 *, source of figure 1, go back/ });
    await expect(place).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(figure).toBeFocused();
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('region', { name: 'Sources' }).getByRole('link', { name: /^90 %/ }),
    ).toBeFocused();
    const unsourced = page.getByRole('link', { name: /73.5%, unsourced, go to the reason/ });
    await unsourced.press('Enter');
    await expect(
      page.getByRole('listitem').filter({ hasText: 'This value is in no source of the turn.' }),
    ).toBeFocused();
  });

  await test.step('Escape returns to the list with its filters, the row focused', async () => {
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/verdicts\?outcome=failed/);
    await expect(page.getByRole('link', { name: /web-1 is at 91.4%/ })).toBeFocused();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: /Failed/ })).toBeVisible();
  });

  await test.step('a project without traces shows how to send one; five are sent', async () => {
    await page.goto(`/p/${project.slug}/traces`);
    await expectListening(page);
    await expect(page.getByLabel('Settings of an OpenTelemetry exporter')).toContainText(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    );
    await expectNoViolations(page);
    await sendTraces();
    await expect(page.getByRole('table', { name: 'Traces' }).getByRole('link')).toHaveCount(5, {
      timeout: 30_000,
    });
    await expect(
      page.getByRole('row', { name: /1 failed How full is web-3.*invoke_agent/ }),
    ).toBeVisible({
      timeout: 30_000,
    });
  });

  await context.storageState({ path: ownerState });
});
