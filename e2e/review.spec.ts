import type { Browser, BrowserContext, Page } from '@playwright/test';
import { ownerState, project, readInstance } from './instance';
import {
  allowNoPointer,
  choose,
  expect,
  expectAllForms,
  expectListening,
  expectNoViolations,
  test,
} from './test';

/**
 * Each journey has its own project, so that its review queue contains exactly the work that it
 * sent.
 */

test.use({ storageState: ownerState });

const disk = { rows: [{ host: 'web-1', disk_pct: 91.4, free_gib: 17.2 }] };

/**
 * Answers with traced and with invented figures, alternately. The check is deterministic, without a
 * model.
 */
function turnsOf(name: string, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${name}-${at}`,
    session_id: name,
    model: 'openai/gpt-4o',
    input: [{ role: 'user', content: `How full is web-1, reading ${name} ${at}?` }],
    tools: [
      {
        id: 'tc1',
        name: 'disk',
        arguments: { host: 'web-1' },
        result: { ...disk, reading: `${name} ${at}` },
      },
    ],
    output: isGood(at)
      ? `web-1 (${nameOf(name, at)}) is at 91.4%, with 17.2 GiB free.`
      : `web-1 (${nameOf(name, at)}) is at 91.4%, with 55.5 GiB free.`,
  }));
}
const isGood = (at: number): boolean => at % 2 === 0;
const letters = 'abcdefghij';
/** `long` and 17 become `long-bh`, since digits would be figures. */
const nameOf = (name: string, at: number): string =>
  `${name}-${String(at).replaceAll(/\d/g, (digit) => letters.charAt(Number(digit)))}`;
/** `long-bh` becomes 17. */
const numberOf = (subject: string): number =>
  Number(subject.replace(/^.*-/, '').replaceAll(/[a-j]/g, (each) => String(letters.indexOf(each))));

async function send(key: string, turns: readonly object[]): Promise<void> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  expect(response.status).toBe(202);
}

interface Settings {
  readonly audit: string;
  readonly raters?: string;
  readonly blind?: boolean;
}

/** Creates a project, sets up its review queue on the settings page, and returns a key. */
async function createProject(
  page: Page,
  slug: string,
  { audit, raters = '1', blind = false }: Settings,
): Promise<string> {
  await page.goto('/projects/new');
  await page.getByLabel('Name', { exact: true }).fill(slug);
  await page.getByLabel('Short name').fill(slug);
  await page.getByRole('button', { name: /create/i }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${slug}$`));
  await page.goto(`/p/${slug}/settings/review`);
  await page.getByRole('button', { name: 'Change all verifiers' }).click();
  const form = page.getByRole('dialog', { name: /^Review of/ });
  await form.getByLabel('Audit, percent').fill(audit);
  await form.getByLabel('People per item').fill(raters);
  await form.getByRole('checkbox', { name: 'Blind' }).setChecked(blind);
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('row', { name: /^All verifiers/ })).toContainText(`${audit}%`);
  await page.goto(`/p/${slug}/settings/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('desk');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key =
    (await page
      .getByRole('dialog', { name: 'Copy the new key' })
      .getByLabel('New key')
      .textContent()) ?? '';
  expect(key).toMatch(/^asy_/);
  return key;
}

/** A second person, who joins the project by an invitation. */
async function invite(
  page: Page,
  browser: Browser,
  slug: string,
  name: string,
): Promise<BrowserContext> {
  const email = `${name}-${slug}@assay.test`;
  await page.goto(`/p/${slug}/settings/members`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(email);
  await choose(dialog.getByLabel('Role'), 'reviewer');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await page.getByLabel('Invitation link').textContent()) ?? '';
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    baseURL: readInstance().webUrl,
    reducedMotion: 'reduce',
  });
  const join = await context.newPage();
  await join.goto(link);
  await join.getByLabel('Your name').fill(name);
  await join.getByLabel('Password').fill('another long password');
  await join.getByRole('button', { name: 'Join' }).click();
  await expect(join).toHaveURL(new RegExp(`/p/${slug}$`));
  await join.close();
  return context;
}

const heldList = (page: Page) => page.getByRole('list', { name: 'Items reserved for you' });
const current = (page: Page) => heldList(page).locator('[aria-current="true"]');
const ruledList = (page: Page) => page.getByRole('list', { name: 'Recent rulings' });
const content = (page: Page) => page.getByRole('region', { name: 'Content' });
const answerPane = (page: Page) => page.getByRole('region', { name: 'Answer' });
const evidence = (page: Page) => page.getByRole('region', { name: 'Evidence' });
const reason = (page: Page) => page.getByRole('textbox', { name: /^Reason/ });

/** The title of the current item. */
const titleIn = (page: Page) => current(page).locator('[title]').first();
/** A title that names this subject. */
const titled = (subject: string): RegExp => new RegExp(`\\(${subject}\\)`);

/** The current item, once it can be read and differs from `not`. @returns its subject */
async function expectItem(page: Page, not: string | null = null): Promise<string> {
  if (not !== null) await expect(titleIn(page)).not.toHaveAttribute('title', titled(not));
  const title = (await titleIn(page).getAttribute('title')) ?? '';
  const subject = /\((\w+-[a-j]+)\)/.exec(title)?.[1] ?? '';
  await expect(answerPane(page)).toContainText(`(${subject})`);
  await expect(content(page)).toContainText(
    `reading ${subject.replace(/-.*/, '')} ${numberOf(subject)}?`,
  );
  await expectInHand(page);
  return subject;
}

/**
 * A key pressed within a quarter of a second after an item appears has no effect, by the page's own
 * clock.
 */
async function expectInHand(page: Page): Promise<void> {
  const seen = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since >= 250, seen);
}

const expectCurrent = (page: Page, subject: string) =>
  expect(titleIn(page)).toHaveAttribute('title', titled(subject));

test.describe('fifty items', () => {
  test.describe.configure({ mode: 'serial' });
  // A retry creates its own project.
  const slug = `desk-long-${process.pid}`;

  test('50 items are ruled on by keyboard alone, with overruling, grades, undo and a reload in the middle', async ({
    page,
  }) => {
    test.setTimeout(240_000);
    const key = await createProject(page, slug, { audit: '100' });
    await allowNoPointer(page);

    await test.step('items appear in the open review queue without a reload', async () => {
      await page.goto(`/p/${slug}/review`);
      await expect(page.getByText(/^Nothing/)).toBeVisible();
      await expectListening(page);
      await send(key, turnsOf('long', 52));
      await expect(current(page)).toBeVisible({ timeout: 30_000 });
      await expect(page.getByText('0 of 52 today')).toBeVisible({ timeout: 30_000 });
      await expectNoViolations(page);
    });

    let at: string | null = null;
    const answer = (keyName: '1' | '2') => page.keyboard.press(keyName);

    await test.step('a figure leads to its evidence in the review queue as on the page of the verdict', async () => {
      await expectItem(page);
      await page.keyboard.press('n');
      await expect(answerPane(page).locator('[data-figure]').first()).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/review\?/);
      await content(page).focus();
    });

    for (let count = 0; count < 50; count += 1) {
      const subject = await expectItem(page, at);
      const good = isGood(numberOf(subject));
      if (count % 10 === 3) {
        // Overruled: the reason is requested in place, and Enter sends both.
        await answer(good ? '2' : '1');
        await expect(reason(page)).toBeFocused();
        await page.keyboard.type('12 and g: typed, not taken for keys.');
        await expectCurrent(page, subject);
        await page.keyboard.press('Enter');
      } else if (count % 10 === 5) {
        await page.keyboard.press('g');
        await page.keyboard.press('4');
        await expect(page.getByRole('button', { name: 'Grade 4 of 5' })).toHaveAttribute(
          'aria-pressed',
          'true',
        );
        await answer(good ? '1' : '2');
      } else if (count === 17) {
        await page.keyboard.press('r');
        await expect(reason(page)).toBeFocused();
        await page.keyboard.type('Agreed, with a reason.');
        await page.keyboard.press('Enter');
        await expect(reason(page)).not.toBeFocused();
        await answer(good ? '1' : '2');
      } else if (count === 34) {
        await test.step('a ruling that a reload cut off is sent again', async () => {
          await page.route(/review\.rule/, () => undefined);
          await answer(good ? '1' : '2');
          await expect(ruledList(page).getByRole('listitem').first()).toContainText(
            `being stored, ${good ? 'Pass' : 'Fail'} web-1 (${subject})`,
          );
          await page.unroute(/review\.rule/);
          await page.reload();
          await expect(page.getByText('35 of 52 today')).toBeVisible();
          await expectListening(page);
        });
      } else if (count === 40) {
        // A key that is pressed and held rules once.
        for (let times = 0; times < 5; times += 1) await page.keyboard.down(good ? '1' : '2');
        await page.keyboard.up(good ? '1' : '2');
        await expect(page.getByText('41 of 52 today')).toBeVisible();
      } else {
        await answer(good ? '1' : '2');
      }
      at = subject;

      if (count === 24) {
        await test.step('a reload in the middle keeps the current item, and earlier rulings can still be undone', async () => {
          await page.keyboard.press('j');
          const here = await expectItem(page, subject);
          await expect(page).toHaveURL(/item=/);
          await expect(page.getByText('25 of 52 today')).toBeVisible();
          await page.reload();
          await expectCurrent(page, here);
          await expect(ruledList(page).getByRole('listitem').first()).toContainText(subject);
          await expectListening(page);
          await expectItem(page);
        });
      }
      if (count === 30) {
        await test.step('undo gives the item back, and it is ruled on again', async () => {
          await expectItem(page, subject);
          // Its content is reread once the undo is stored; until then keys have no effect.
          const undone = page.waitForResponse(/review\.undo/);
          await page.keyboard.press('u');
          await expectCurrent(page, subject);
          await undone;
          await page.waitForResponse(/review\.content/);
          await expect(page.getByText('30 of 52 today')).toBeVisible();
          await expectItem(page);
          await answer(good ? '1' : '2');
        });
        await test.step('a ruling on an item that is being undone waits, and goes to no other item', async () => {
          await expectItem(page, subject);
          let letGo = (): void => undefined;
          const replyGate = new Promise<void>((resolve) => {
            letGo = resolve;
          });
          await page.route(/review\.undo/, async (route) => {
            await replyGate;
            await route.continue();
          });
          await page.keyboard.press('u');
          await expectCurrent(page, subject);
          await expect(current(page)).toContainText('Being undone');
          await expectInHand(page);
          await answer(good ? '1' : '2');
          await expectCurrent(page, subject);
          letGo();
          await expectItem(page, subject);
          await expect(ruledList(page).getByRole('listitem').first()).toContainText(subject);
          await expect(page.getByText('31 of 52 today')).toBeVisible();
          await page.unroute(/review\.undo/);
        });
      }
    }
    await expect(page.getByText('50 of 52 today')).toBeVisible();
    await expect(evidence(page)).toContainText('Your last ruling');
    await expect(evidence(page)).toContainText('45/50');

    await test.step('Enter opens the verdict, and back leads to the same item', async () => {
      const subject = await expectItem(page, at);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/verdicts\/ver_/);
      await page.goBack();
      await expectCurrent(page, subject);
    });
    await test.step('the rulings are labels of their verdicts', async () => {
      await page.goto(`/p/${slug}/verdicts`);
      await expect(page.getByText(/ruled by a person/).first()).toBeAttached();
    });
  });

  test.describe('a server that does not answer', () => {
    test.use({ allowedErrors: /status of 500|Failed to load resource/ });
    test('a ruling that was not stored is reported, and its item stays', async ({ page }) => {
      await page.goto(`/p/${slug}/review`);
      await expectListening(page);
      const subject = await expectItem(page);
      await page.route(/review\.rule/, (route) => route.fulfill({ status: 500, body: 'away' }));
      await page.keyboard.press(isGood(numberOf(subject)) ? '1' : '2');
      const alert = page.getByRole('alert').filter({ hasText: 'A ruling was not stored' });
      await expect(alert).toContainText(subject);
      await expect(heldList(page)).toContainText(subject);
      await expectNoViolations(page);
      await page.unroute(/review\.rule/);
      await alert.getByRole('button', { name: 'Store it again' }).click();
      await expect(alert).toHaveCount(0);
      await expect(ruledList(page)).toContainText(subject);
      await expect(page.getByText('51 of 52 today')).toBeVisible();
    });
  });

  test('the review queue in every form', async ({ page }) => {
    test.setTimeout(120_000);
    await page.goto(`/p/${slug}/review`);
    await expectListening(page);
    await expectItem(page);
    await expectAllForms(page);
  });

  test('filters are in the address, and an empty result is explained', async ({ page }) => {
    await page.goto(`/p/${slug}/review`);
    await expectListening(page);
    await page.getByRole('button', { name: /^Contested/ }).click();
    await expect(page).toHaveURL(/queue=contested/);
    await expect(page.getByText('No open item passes these filters.')).toBeVisible();
    await page.goBack();
    await expect(current(page)).toBeVisible();
    await page.getByRole('button', { name: /^Contested/ }).click();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(page).not.toHaveURL(/queue=/);
    await expect(current(page)).toBeVisible();
  });
});

test('a key that is pressed while an item is loading rules on nothing', async ({ page }) => {
  const slug = `desk-loading-${process.pid}`;
  const key = await createProject(page, slug, { audit: '100' });
  await send(key, turnsOf('slow', 2));
  let letGo = (): void => undefined;
  const replyGate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  // The content may arrive before the verdict: no ruling is possible until both are shown.
  await page.route(/verdicts\.get/, async (route) => {
    await replyGate;
    await route.continue();
  });
  await page.goto(`/p/${slug}/review`);
  await expect(current(page)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('status', { name: 'Loading the item' })).toBeAttached();
  await expectInHand(page);
  for (const pressed of ['1', '2', '3', 's', 'r']) await page.keyboard.press(pressed);
  await expect(page.getByRole('button', { name: /^Pass/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(ruledList(page)).toHaveCount(0);
  letGo();
  const subject = await expectItem(page);
  await expect(ruledList(page)).toHaveCount(0);
  await page.keyboard.press(isGood(numberOf(subject)) ? '1' : '2');
  await expect(ruledList(page)).toContainText(subject);
});

test('similar items are ruled on at once and undone together, and an item is assigned', async ({
  page,
}) => {
  const slug = `desk-similar-${process.pid}`;
  const key = await createProject(page, slug, { audit: '100' });
  await send(key, turnsOf('like', 8));
  await page.goto(`/p/${slug}/review`);
  await expect(page.getByText('0 of 8 today')).toBeVisible({ timeout: 30_000 });
  const similar = page.getByRole('list', { name: 'Similar items' });
  await page.getByRole('button', { name: new RegExp(nameOf('like', 3)) }).click();
  await expectItem(page);

  await test.step('the request is collapsed for the session', async () => {
    await page.keyboard.press('c');
    await expect(content(page).getByText(/How full is/)).toBeHidden();
    await page.reload();
    await expect(content(page).getByRole('button', { name: /Request and context/ })).toBeVisible();
    await expect(content(page).getByText(/How full is/)).toBeHidden();
    await page.keyboard.press('c');
    await expectItem(page);
  });

  await expect(similar.getByRole('checkbox')).toHaveCount(3);
  await page.keyboard.press('s');
  await similar.getByRole('checkbox').last().uncheck();
  await expect(page.getByText('Applies to 3 items: this one and 2 similar.')).toBeVisible();
  await expectAllForms(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('2');
  await expect(page.getByText('3 of 8 today')).toBeVisible();
  await expect(evidence(page)).toContainText('and 2 similar');
  await expect(ruledList(page).getByRole('listitem')).toHaveCount(3);
  await page.keyboard.press('u');
  await expect(page.getByText('0 of 8 today')).toBeVisible();
  await expect(ruledList(page)).toHaveCount(0);

  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await choose(page.getByLabel('Assigned to'), 1);
  await expect(page.getByRole('button', { name: 'Reassign' })).toBeVisible();
  await page.getByRole('button', { name: /^Assigned to me 1/ }).click();
  await expect(page).toHaveURL(/assigned=mine/);
  await expect(heldList(page).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('1 open here, 0 ruled on today')).toBeVisible();
});

test.describe('by thumb', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test('at 390 the answer and the bar stay in view, and the targets are 44 px high', async ({
    page,
  }) => {
    const slug = `desk-thumb-${process.pid}`;
    const key = await createProject(page, slug, { audit: '100' });
    await send(key, turnsOf('thumb', 4));
    await page.goto(`/p/${slug}/review`);
    await expect(page.getByText('0 of 4 today')).toBeVisible({ timeout: 30_000 });
    const bar = page.getByRole('form', { name: 'Ruling' });
    let at: string | null = null;
    for (let count = 0; count < 3; count += 1) {
      at = await expectItem(page, at);
      await evidence(page).getByText('Why it is here').scrollIntoViewIfNeeded();
      await expect(answerPane(page)).toBeInViewport();
      await expect(bar).toBeInViewport({ ratio: 1 });
      await bar.getByRole('button', { name: isGood(numberOf(at)) ? /^Pass/ : /^Fail/ }).tap();
    }
    await expect(page.getByText('3 of 4 today')).toBeVisible();
    const sizes = await bar
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()));
    for (const { width, height } of sizes) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(width).toBeGreaterThanOrEqual(44);
    }
  });
});

test('two reviewers never have the same item reserved', async ({ page, browser }) => {
  const slug = `desk-shared-${process.pid}`;
  const key = await createProject(page, slug, { audit: '100' });
  const rita = await invite(page, browser, slug, 'rita');
  await send(key, turnsOf('shared', 24));
  const other = await rita.newPage();
  await page.goto(`/p/${slug}/review`);
  await expect(page.getByText('0 of 24 today')).toBeVisible({ timeout: 30_000 });
  await other.goto(`/p/${slug}/review`);
  const heldBy = async (view: Page) => {
    // At most 10, since items that another transaction has locked at that moment are skipped.
    await expect(heldList(view).getByRole('listitem').nth(4)).toBeVisible();
    return heldList(view)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-item')));
  };
  const [mine, hers] = [await heldBy(page), await heldBy(other)];
  expect(mine.filter((id) => hers.includes(id))).toEqual([]);
  await rita.close();
});

test('blind: neither the page nor the network reveals the verdict and other rulings before the own ruling', async ({
  page,
  browser,
}) => {
  const slug = `desk-blind-${process.pid}`;
  const key = await createProject(page, slug, { audit: '100', raters: '2', blind: true });
  const rita = await invite(page, browser, slug, 'rita');
  await send(key, turnsOf('blind', 2));
  const heard: string[] = [];
  const reading: Promise<unknown>[] = [];
  const listen = (view: Page) =>
    view.on('response', (response) => {
      // The stream of live counts never ends.
      if (!response.url().includes('/api/trpc/') || response.url().includes('verdicts.live'))
        return;
      // A page that was closed in the meantime showed nothing of the answer.
      reading.push(
        response.text().then(
          (text) => heard.push(text),
          () => undefined,
        ),
      );
    });
  const silent = async () => {
    await Promise.all(reading);
    expect(heard.join('')).toContain('blind');
    expect(heard.join('')).not.toMatch(/sourced|"outcome"|"failed"|"passed"/);
  };

  listen(page);
  await page.goto(`/p/${slug}/review`);
  await expect(page.getByText('0 of 2 today')).toBeVisible({ timeout: 30_000 });
  const subject = await expectItem(page);
  await expect(evidence(page)).toContainText('this review is blind');
  await expect(page.getByRole('main')).not.toContainText(/sourced/);
  await expect(answerPane(page).locator('[data-figure]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'review is blind' })).toBeAttached();
  await expect(page).toHaveURL(/\/review/);
  expect(await page.content()).not.toMatch(/unsourced/);
  await silent();
  await expectNoViolations(page);

  // In blind mode, a ruling against the verifier needs no reason.
  await page.keyboard.press(isGood(numberOf(subject)) ? '2' : '1');
  await expect(evidence(page)).toContainText(isGood(numberOf(subject)) ? 'sourced' : 'unsourced');
  await expect(evidence(page)).toContainText('0/1');
  await expectItem(page, subject);

  heard.length = 0;
  const other = await rita.newPage();
  listen(other);
  await other.goto(`/p/${slug}/review`);
  // The first reviewer has reserved the other item.
  await expect(heldList(other).getByRole('listitem')).toHaveCount(1);
  expect(await expectItem(other)).toBe(subject);
  await Promise.all(reading);
  expect(heard.join('')).not.toMatch(/Olga|owner@/);
  await other.keyboard.press(isGood(numberOf(subject)) ? '1' : '2');
  await expect(evidence(other)).toContainText(/Olga|owner@assay\.test/);
  await expect(evidence(other)).toContainText('0/1');
  await rita.close();
});

test('a policy is written in versions, and the review queue shows the current one', async ({
  page,
}) => {
  const slug = `desk-policy-${process.pid}`;
  const key = await createProject(page, slug, { audit: '100' });
  await send(key, turnsOf('policy', 2));
  await page.goto(`/p/${slug}/review/policy?verifier=integrity`);
  await expect(page.getByText('No policy yet.')).toBeVisible();
  await page
    .getByLabel('Policy, markdown')
    .fill('A figure that the tool did not return is a fail.');
  await page.getByLabel('What changed').fill('first wording');
  await page.getByRole('button', { name: 'Save as version 1' }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(1);
  await expect(versions).toContainText('0 labels');
  await page.getByLabel('Policy, markdown').fill('A figure that no source returned is a fail.');
  await page.keyboard.press('Control+s');
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Save as version 3' })).toBeDisabled();
  await expectNoViolations(page);
  await page.goto(`/p/${slug}/review`);
  await expect(current(page)).toBeVisible({ timeout: 30_000 });
  await expectItem(page);
  await expect(evidence(page)).toContainText('Policy, version 2');
  await expect(evidence(page)).toContainText('A figure that no source returned is a fail.');
  await page.goto(`/p/${slug}/settings/review`);
  await expect(page.getByRole('link', { name: 'Policy of integrity' })).toBeVisible();
  await expectAllForms(page);
});

test('a role without rulings sees no review queue, with the reason', async ({ page, browser }) => {
  await page.goto(`/p/${project.slug}/settings/members`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill('vito@assay.test');
  await choose(dialog.getByLabel('Role'), 'viewer');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await page.getByLabel('Invitation link').textContent()) ?? '';
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    baseURL: readInstance().webUrl,
    reducedMotion: 'reduce',
  });
  const view = await context.newPage();
  await view.goto(link);
  await view.getByLabel('Your name').fill('Vito');
  await view.getByLabel('Password').fill('another long password');
  await view.getByRole('button', { name: 'Join' }).click();
  await expect(view).toHaveURL(new RegExp(`/p/${project.slug}$`));
  await view.goto(`/p/${project.slug}/review`);
  await expect(view.getByText(/Your role in this project, viewer, has no access/)).toBeVisible();
  await expectNoViolations(view);
  await view.goto(`/p/${project.slug}/settings/review`);
  await expect(view.getByRole('button', { name: /^Change/ })).toHaveCount(0);
  await context.close();
});
