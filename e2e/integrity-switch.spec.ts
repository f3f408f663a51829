import { ownerState, project } from './instance';
import { expect, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

test('INT-24: while integrity is off, every page of the project shows a warning', async ({
  page,
}) => {
  const base = `/p/${project.slug}`;
  const banner = page.getByRole('region', { name: 'Integrity is off' });
  await page.goto(`${base}/settings/integrity`);
  await expect(banner).toHaveCount(0);
  await page.getByRole('switch', { name: 'Verify figures' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(banner).toBeVisible();
  try {
    await page.goto(`${base}/verdicts`);
    const verdict = await page
      .getByRole('table', { name: 'Verdicts' })
      .getByRole('link')
      .first()
      .getAttribute('href');
    for (const path of [
      base,
      `${base}/verdicts`,
      verdict ?? '',
      ...['keys', 'members', 'integrity', 'work', 'audit'].map(
        (each) => `${base}/settings/${each}`,
      ),
    ]) {
      await page.goto(path);
      await expect(banner).toBeVisible();
      await expect(banner).toContainText('Integrity verification is off');
    }
    await expectNoViolations(page);
  } finally {
    await page.goto(`${base}/settings/integrity`);
    await page.getByRole('switch', { name: 'Verify figures' }).click();
  }
  await expect(banner).toHaveCount(0);
});
