import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { readInstance } from './instance';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Fixtures {
  /** Console messages that a test provokes on purpose. */
  allowedErrors: RegExp;
}

/**
 * Every journey also proves that the page logged no error: content policy breaches are such errors.
 */
export const test = base.extend<Fixtures & { quiet: undefined }>({
  allowedErrors: [/^$/, { option: true }],
  baseURL: async ({}, use) => use(readInstance().webUrl),
  quiet: [
    async ({ context, allowedErrors }, use) => {
      const errors: string[] = [];
      const onPageError = ({ name, message }: Error) => errors.push(`${name}: ${message}`);
      const onConsoleMessage = (message: ConsoleMessage) => {
        if (message.type() === 'error')
          errors.push(`${message.text()} (${message.location().url})`);
      };
      const prepare = (page: Page) => {
        page.on('pageerror', onPageError).on('console', onConsoleMessage);
        waitForScripts(page);
      };
      for (const page of context.pages()) prepare(page);
      context.on('page', prepare);
      await use(undefined);
      context.off('page', prepare);
      for (const page of context.pages())
        page.off('pageerror', onPageError).off('console', onConsoleMessage);
      expect(errors.filter((error) => !allowedErrors.test(error))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Pages whose `goto` and `reload` wait. */
const waiting = new WeakSet<Page>();

/**
 * A click on a server-rendered button is lost until React listens to it: `goto` and `reload`
 * return after that, or after 5 s on a page whose buttons have no listeners.
 */
function waitForScripts(page: Page): void {
  if (waiting.has(page)) return;
  waiting.add(page);
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const listening = async (): Promise<void> => {
    try {
      await expect
        .poll(() => page.evaluate(hasListeners), { timeout: 5_000, intervals: [50] })
        .toBe(true);
    } catch {
      // The page is used as is.
    }
  };
  page.goto = async (...input) => {
    const response = await goto(...input);
    await listening();
    return response;
  };
  page.reload = async (...input) => {
    const response = await reload(...input);
    await listening();
    return response;
  };
}

/** Runs in the page. */
function hasListeners(): boolean {
  return [...document.querySelectorAll('button')].every((button) =>
    Object.keys(button).some((key) => key.startsWith('__reactProps$')),
  );
}

/** Chooses an option of a list by its text or by its index. */
export async function choose(list: Locator, option: string | RegExp | number): Promise<void> {
  await list.click();
  const options = list.page().getByRole('listbox');
  await (typeof option === 'number'
    ? options.getByRole('option').nth(option)
    : options.getByRole('option', { name: option, exact: true })
  ).click();
}

/** The page's scripts run and its live stream is open: earlier key presses are lost. */
export async function expectListening(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible();
}

/**
 * On every page opened from now on, a pointer press is a console error, which fails the test: the
 * journey uses only the keyboard.
 */
export async function allowNoPointer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // oxlint-disable-next-line no-console -- the fixture above reads it
    addEventListener('pointerdown', () => console.error('a pointer was pressed'), {
      capture: true,
    });
  });
}

const contrast = 'color-contrast';
/**
 * Uses the browser's own API: between two pages the document has no title for a moment.
 */
const title = 'document-title';
/** Reads the style sheets, which are the same in each form of a page: once is enough. */
const orientation = 'css-orientation-lock';

/**
 * `what` selects all checks, only those of `colours`, or all others if the colours were checked in
 * another form of the page.
 */
export async function expectNoViolations(
  page: Page,
  what: 'all' | 'colours' | 'structure' = 'all',
): Promise<void> {
  // A streamed page is in the document, hidden, for a moment before it is swapped in.
  await expect(page.locator('h1').first()).toBeVisible();
  // Rows of the previous filters are pale until those of the new ones have loaded.
  await expect(page.locator('main [aria-busy="true"].opacity-60')).toHaveCount(0);
  // Its text is half a megabyte, so it is not injected again into a page that has it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const off = what === 'all' ? [title] : [title, contrast, orientation];
  const violations = await page.evaluate(runAxe, {
    resultTypes: ['violations'],
    ...(what === 'colours'
      ? { runOnly: [contrast] }
      : { rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])) }),
  } satisfies RunOptions);
  expect(violations).toEqual([]);
  await expect(page).toHaveTitle(/./);
}

/** Runs in the page, without the library's wrapper, which takes longer than the rules. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
    document,
    options,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`,
  );
}

/**
 * The page that is open, wide and narrow, light and dark: no barrier, and nothing that scrolls
 * sideways. Only colours differ between light and dark, and everything else between wide and
 * narrow: each is checked where it changes.
 */
export async function expectAllForms(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectNoViolations(page, colorScheme === 'light' ? 'all' : 'colours');
  }
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await expectNoOverflow(page);
  await expectNamesShown(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.clientWidth))
    .toBeLessThanOrEqual(390);
  await expectNoOverflow(page);
  await expectNoViolations(page, 'structure');
}

/** The same for a path, on a separate page: the page of the journey stays unchanged. */
export async function expectAllFormsOf(page: Page, path: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(path);
  await expectAllForms(other);
  await other.close();
}

/**
 * The column by which a row is known, and opened, has room: fixed columns next to it may not push
 * it out.
 */
async function expectNamesShown(page: Page): Promise<void> {
  const narrow = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('td:has(.row-link), th:has(.row-link)')].flatMap((cell) =>
        cell.checkVisibility() && cell.clientWidth < 120
          ? [`${cell.textContent} is ${cell.clientWidth} px wide`]
          : [],
      ),
    );
  await expect.poll(narrow, { message: 'columns of names that are too narrow' }).toEqual([]);
}

/** Charts are drawn again a moment after their place has changed. */
async function expectNoOverflow(page: Page): Promise<void> {
  const over = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(over, { message: 'how far the page scrolls sideways' }).toBeLessThanOrEqual(0);
}
