import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import type { Page } from '@playwright/test';
import { ownerState, readInstance } from './instance';
import { open, pages } from './pages';
import { expect, expectAllForms, test as journey } from './test';

/**
 * These tests change nothing: they share one page. A page for each would start a process of the
 * browser each time, which compiles the scripts again.
 */
const test = journey.extend<object, { shared: Page }>({
  shared: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        storageState: ownerState,
        baseURL: readInstance().webUrl,
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ shared }, use) => use(shared.context()),
  page: async ({ shared, viewport }, use) => {
    if (viewport !== null) await shared.setViewportSize(viewport);
    await shared.emulateMedia({ colorScheme: 'light' });
    await use(shared);
  },
});

/**
 * One page, opened once and tested in each form: light and dark on a wide screen, then narrow,
 * where nothing may scroll sideways.
 */
for (const to of pages) {
  test(`axe finds nothing on ${to.name}, light, dark and at 390, where it does not scroll sideways`, async ({
    page,
  }) => {
    await open(page, to);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectAllForms(page);
  });
}

test.describe('at 390', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('a verdict reads in the order verdict, evidence, sources, answer, details', async ({
    page,
  }) => {
    await open(page, { name: 'verdict-failed', verdict: 'web-1 is at 91.4%' });
    const tops = await Promise.all(
      [
        page.getByRole('heading', { level: 1 }),
        ...['Evidence', 'Sources', 'Answer', 'Details'].map((name) =>
          page.getByRole('region', { name, exact: true }).first(),
        ),
      ].map(async (part) => (await part.boundingBox())?.y ?? 0),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });
});

test('untrusted text stays text: no markup, links or images are made from it', async ({ page }) => {
  await open(page, { name: 'verdict-hostile', verdict: 'script>alert' });
  const main = page.getByRole('main');
  await expect(main.locator('img, script, a[href^="javascript:"]')).toHaveCount(0);
  await expect(main).toContainText('<script>alert(1)</script>');
  await expect(main.getByTitle('Hidden character U+202E').first()).toBeVisible();
  await expect(main.getByTitle('Hidden character ESC').first()).toBeVisible();
  await expect(main).toContainText('NUL');
});

test('in greyscale no two verdict marks look alike', async ({ page }) => {
  const { verdictStyles } = await import('../app/_ui/verdict-styles');
  const { VerdictIcon } = await import('../app/_ui/verdict-mark');
  const states = Object.keys(verdictStyles) as (keyof typeof verdictStyles)[];
  await page.goto('/sign-in');
  const markup = states
    .map(
      (state) =>
        `<div data-state="${state}">${renderToStaticMarkup(createElement(VerdictIcon, { state, size: 32 }))}</div>`,
    )
    .join('');
  // On an empty page, with the console's styles: React would remove foreign markup again, and the
  // other pages refuse styles.
  const links = await page
    .locator('link[rel="stylesheet"]')
    .evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).href));
  const styles = await Promise.all(
    links.map(async (href) => (await page.request.get(href)).text()),
  );
  await page.goto('about:blank');
  await page.setContent(
    `<style>${styles.join('')}</style><body style="filter: grayscale(1)">${markup}</body>`,
  );
  const drawn = await Promise.all(
    states.map(async (state) =>
      (await page.locator(`[data-state="${state}"] svg`).screenshot()).toString('base64'),
    ),
  );
  expect(new Set(drawn).size).toBe(states.length);
});
