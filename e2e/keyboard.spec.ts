import { ownerState, project } from './instance';
import { expect, expectListening, test } from './test';

test.use({ storageState: ownerState });

test('the list and its verdicts are read by keyboard alone', async ({ page }) => {
  await page.goto(`/p/${project.slug}/verdicts`);
  const links = page.getByRole('table', { name: 'Verdicts' }).getByRole('link');
  await expectListening(page);
  await page.keyboard.press('j');
  await expect(links.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(links.nth(0)).toBeFocused();

  await test.step('/ goes to the filter, and no shortcut fires while typing', async () => {
    await page.keyboard.press('/');
    const filter = page.getByRole('searchbox', { name: 'Filter by text' });
    await expect(filter).toBeFocused();
    await page.keyboard.type('jk?');
    await expect(filter).toHaveValue('jk?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(/text=jk/);
    await expect(page.getByText('No verdict passes these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(page).not.toHaveURL(/text=/);
  });

  await test.step('Enter opens, j and k go on in the order of the list', async () => {
    await expect(links.nth(1)).toBeVisible();
    const ids = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('data-verdict') ?? ''),
    );
    await links.nth(0).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${ids[0]}$`));
    await expect(page.getByRole('region', { name: 'Evidence' }).first()).toBeVisible();
    await page.keyboard.press('j');
    await expect(page).toHaveURL(new RegExp(`${ids[1]}$`));
    await page.keyboard.press('k');
    await expect(page).toHaveURL(new RegExp(`${ids[0]}$`));
    await expect(page.getByRole('region', { name: 'Evidence' }).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/verdicts$/);
    await expect(links.nth(0)).toBeFocused();
  });
});

test('? shows the shortcuts, Ctrl+K opens pages, Escape closes and returns the focus', async ({
  page,
}) => {
  await page.goto(`/p/${project.slug}`);
  await expectListening(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('audit');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/settings\/audit$/);
});

test('t turns the chart into its table', async ({ page }) => {
  await page.goto(`/p/${project.slug}`);
  await expect(page.getByRole('img', { name: /^Pass rate per / })).toBeVisible();
  await expectListening(page);
  await page.keyboard.press('t');
  await expect(page.getByRole('columnheader', { name: 'Failed' }).first()).toBeVisible();
});

test('the chosen theme persists and is set before the first paint', async ({ page }) => {
  await page.goto(`/p/${project.slug}`);
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForSelector('body');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'System' }).click();
});

test('the skip link is the first stop and leads to the content', async ({ page }) => {
  await page.goto(`/p/${project.slug}`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});
