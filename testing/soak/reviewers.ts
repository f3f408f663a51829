import { type Browser, chromium, type Page } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '../../scripts/chromium.mjs';
import type { Product } from './product';
import type { Tenant } from './tenants';

/** One simulated reviewer per tenant, who works through the review queue in Chromium. */
export interface Reviewers {
  /** Rulings that the console confirmed, by tenant. */
  readonly rulings: ReadonlyMap<Tenant, number>;
  /** Uncaught exceptions of the pages. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

const pauseMs = 3_000;

async function signIn(browser: Browser, product: Product, { reviewer }: Tenant): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.webUrl });
  await context.addCookies(
    reviewer.cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: product.webUrl };
    }),
  );
  return context.newPage();
}

/** Rules on the current item. An override needs a reason. */
async function ruleOnItem(page: Page): Promise<void> {
  const items = page.getByRole('list', { name: 'Items reserved for you' });
  await items.locator('[aria-current="true"]').waitFor({ timeout: 20_000 });
  await sleep(pauseMs);
  await page.keyboard.press('1');
  const reason = page.getByRole('textbox', { name: /^Reason/ });
  await sleep(300);
  if (!(await reason.evaluate((box) => box === document.activeElement, { timeout: 2_000 }))) return;
  await page.keyboard.type('The figure is in the table.');
  await page.keyboard.press('Enter');
}

export async function startReviewers(
  product: Product,
  tenants: readonly Tenant[],
): Promise<Reviewers> {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const rulings = new Map(tenants.map((tenant) => [tenant, 0]));
  const errors: string[] = [];
  let stopped = false;
  const review = async (tenant: Tenant): Promise<void> => {
    const page = await signIn(browser, product, tenant);
    page.on('pageerror', ({ name, message }) => errors.push(`${name}: ${message}`));
    page.on('response', (response) => {
      if (response.ok() && response.url().includes('review.rule'))
        rulings.set(tenant, (rulings.get(tenant) ?? 0) + 1);
    });
    let isOpen = false;
    while (!stopped) {
      try {
        if (!isOpen) await page.goto(`/p/${tenant.slug}/review`, { timeout: 30_000 });
        isOpen = true;
        await ruleOnItem(page);
      } catch {
        // The queue is empty, or the console is down. The page is then loaded again.
        isOpen = false;
        await sleep(pauseMs);
      }
    }
  };
  const running = tenants.map(review);
  return {
    rulings,
    errors,
    async stop() {
      stopped = true;
      await Promise.all(running);
      await browser.close();
    },
  };
}
