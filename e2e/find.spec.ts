import { ownerState, project } from './instance';
import { expect, expectAllForms, expectListening, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

test('peeking, saving a view and searching work by keyboard alone', async ({ page }) => {
  const peek = page.getByRole('complementary', { name: 'Peek' });
  const links = page.getByRole('table', { name: 'Verdicts' }).getByRole('link');
  await page.goto(`/p/${project.slug}/verdicts?text=web-`);
  await expectListening(page);

  await test.step('Space opens a panel that follows j and k; Escape closes it on its row', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await expect(peek.getByRole('heading', { name: 'First evidence' })).toBeVisible();
    const first = page.url();
    await page.keyboard.press('j');
    await expect(links.nth(1)).toBeFocused();
    await expect.poll(() => page.url()).not.toBe(first);
    const id = await links.nth(1).getAttribute('data-verdict');
    await expect(peek.getByRole('link', { name: 'Open verdict' })).toHaveAttribute(
      'href',
      new RegExp(`${id}$`),
    );
    await page.reload();
    await expect(peek.getByRole('heading', { name: 'Scores' })).toBeVisible();
    await expectListening(page);
    await page.keyboard.press('Escape');
    await expect(peek).toHaveCount(0);
    await expect(links.nth(1)).toBeFocused();
    await expect(page).not.toHaveURL(/peek=/);
  });

  await test.step('the filters are kept under a name', async () => {
    await page.getByRole('button', { name: 'Save view' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('About web hosts');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('combobox', { name: 'Saved view' })).toContainText(
      'About web hosts',
    );
  });

  const search = page.getByRole('combobox', { name: 'Search commands' });
  await test.step('the view opens from anywhere', async () => {
    await page.goto(`/p/${project.slug}`);
    await expectListening(page);
    await page.keyboard.press('Control+k');
    await search.fill('about web');
    await expect(page.getByRole('option', { name: /About web hosts/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/verdicts\?text=web-$/);
  });

  await test.step('an id leads to its page, and the way up leads back', async () => {
    await expectListening(page);
    await page.keyboard.press('Control+k');
    await search.fill('e2e-fir');
    const turns = page.getByRole('group', { name: 'Turns' });
    await expect(turns.getByRole('option', { name: /e2e-first/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect(
      page.getByRole('status').filter({ hasText: 'newest 20,000 verdicts' }),
    ).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/turns\/e2e-first$/);
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect(crumbs.getByRole('link')).toHaveText(['Sessions', 'night-watch']);
  });
});

test('the panel and the search are accessible, wide and narrow, light and dark', async ({
  page,
}) => {
  await page.goto(`/p/${project.slug}/verdicts?text=web-`);
  await expectListening(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(
    page.getByRole('complementary', { name: 'Peek' }).getByRole('heading', { name: 'Scores' }),
  ).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('web');
  await expect(
    page.getByRole('group', { name: 'Verdicts' }).getByRole('option').first(),
  ).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expectAllForms(page);
});
