import AxeBuilder from '@axe-core/playwright';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { ownerState, readInstance } from './instance';

interface Fixtures {
  /** Console messages that a test provokes on purpose. */
  allowedErrors: RegExp;
}

/** Every journey also proves that the page logged no error: content policy breaches are such errors. */
export const test = base.extend<Fixtures & { quiet: undefined }>({
  allowedErrors: [/^$/, { option: true }],
  baseURL: async ({}, use) => use(readInstance().webUrl),
  quiet: [
    async ({ context, allowedErrors }, use) => {
      const errors: string[] = [];
      const watch = (page: Page) => {
        page.on('pageerror', (error) => errors.push(`${error.name}: ${error.message}`));
        page.on('console', (message) => {
          if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
        });
      };
      for (const page of context.pages()) watch(page);
      context.on('page', watch);
      await use(undefined);
      expect(errors.filter((error) => !allowedErrors.test(error))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The page's scripts run and its live stream is open: a key pressed before that is lost. */
export async function expectListening(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

export async function expectNoViolations(page: Page): Promise<void> {
  // A page that streams in stands hidden in the document for a moment before it is swapped in.
  await expect(page.locator('h1').first()).toBeVisible();
  // On the way from one page to the next the document has no title for a moment.
  await expect(page).toHaveTitle(/./);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`),
  ).toEqual([]);
}

/** Wide and narrow, light and dark: no barrier, and nothing that scrolls sideways. */
export async function expectFourForms(browser: Browser, path: string): Promise<void> {
  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        storageState: ownerState,
        viewport: { width, height: 844 },
        colorScheme,
        baseURL: readInstance().webUrl,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(path);
      await expectNoViolations(page);
      const [content, frame] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(content).toBeLessThanOrEqual(frame ?? 0);
      await context.close();
    }
  }
}
