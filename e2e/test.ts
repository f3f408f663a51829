import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { readInstance } from './instance';

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
