import type { Browser, BrowserContext, Page } from '@playwright/test';
import { callProcedure } from './calls';
import { ownerState, readInstance } from './instance';
import { appCode } from '../testing/totp';
import { choose, expect, expectNoViolations, test } from './test';

const slug = `people-${process.pid}`;
const password = 'first long password';
const anonymous = { cookies: [], origins: [] };

test.use({ storageState: ownerState, allowedErrors: /status of 40[014]/ });

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: readInstance().webUrl,
  });
  await callProcedure(await context.newPage(), 'projects.create', { slug, name: 'People' });
  await context.close();
});

/** A person who joins the project by an invitation, in a separate browser. */
async function join(
  page: Page,
  browser: Browser,
  name: string,
  role: string,
): Promise<{ context: BrowserContext; view: Page }> {
  await page.goto(`/p/${slug}/settings/members`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(`${name.toLowerCase()}-${slug}@assay.test`);
  await choose(dialog.getByLabel('Role'), role);
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await page.getByLabel('Invitation link').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  const context = await browser.newContext({
    storageState: anonymous,
    baseURL: readInstance().webUrl,
  });
  const view = await context.newPage();
  await view.goto(link);
  await view.getByLabel('Your name').fill(name);
  await view.getByLabel('Password').fill(password);
  await view.getByRole('button', { name: 'Join' }).click();
  await expect(view).toHaveURL(new RegExp(`/p/${slug}$`));
  return { context, view };
}

async function signIn(view: Page, name: string, with_: string): Promise<void> {
  await view.goto('/sign-in');
  await view.getByLabel('Email').fill(`${name.toLowerCase()}-${slug}@assay.test`);
  await view.getByLabel('Password').fill(with_);
  await view.getByRole('button', { name: 'Sign in' }).click();
}

test('S-120 a member changes the password, an owner resets it by a link', async ({
  page,
  browser,
}) => {
  const { context, view } = await join(page, browser, 'Pia', 'reviewer');
  await test.step('the current password is needed', async () => {
    await view.goto('/account');
    const form = view.getByRole('form', { name: 'Change password' });
    await form.getByLabel('Current password').fill('not the password');
    await form.getByLabel('New password').fill('second long password');
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(form.getByRole('alert')).toContainText(/wrong/i);
    await expectNoViolations(view);
    await form.getByLabel('Current password').fill(password);
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(form.getByText('Password changed. Other sessions have ended.')).toBeVisible();
  });
  await test.step('an owner creates a link, which works once', async () => {
    await page.goto(`/p/${slug}/settings/members`);
    await page.getByRole('button', { name: 'Reset password of Pia' }).click();
    await expectNoViolations(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByLabel('Password link').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await context.clearCookies();
    await view.goto(link);
    await expect(view.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
    await expectNoViolations(view);
    await view.getByLabel('New password').fill('third long password');
    await view.getByRole('button', { name: 'Set password' }).click();
    await expect(view).toHaveURL(new RegExp(`/p/${slug}`));
    await view.goto(link);
    await expect(
      view.getByRole('heading', { level: 1, name: 'This link has been used' }),
    ).toBeVisible();
    await context.clearCookies();
    await signIn(view, 'Pia', 'second long password');
    await expect(
      view.getByRole('alert').filter({ hasText: 'Email or password is wrong.' }),
    ).toBeVisible();
  });
  await context.close();
});

test('two-step sign-in is set up, asked for, and turned off', async ({ page, browser }) => {
  const { context, view } = await join(page, browser, 'Toni', 'viewer');
  const dialog = view.getByRole('dialog');
  let secret = '';
  let backupCode = '';
  await test.step('it is on after the first code of the app', async () => {
    await view.goto('/account');
    await view.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The password is wrong.');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
    await expectNoViolations(view);
    secret = (await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.getByLabel('Backup codes').textContent()) ?? '';
    backupCode = codes.split('\n')[0] ?? '';
    await expectNoViolations(view);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(view.getByText(/^On: signing in with a password/)).toBeVisible();
  });
  await test.step('the code is asked for after the password', async () => {
    await context.clearCookies();
    await signIn(view, 'Toni', password);
    await expect(view.getByLabel('Code')).toBeFocused();
    await expectNoViolations(view);
    await view.getByLabel('Code').fill('abcdefgh');
    await view.getByRole('button', { name: 'Sign in' }).click();
    await expect(view.getByRole('alert').filter({ hasText: 'The code is wrong.' })).toBeVisible();
    await view.getByLabel('Code').fill(backupCode);
    await view.getByRole('button', { name: 'Sign in' }).click();
    await expect(view).toHaveURL(new RegExp(`/p/${slug}`));
  });
  await test.step('it is turned off with the password', async () => {
    await view.goto('/account');
    await view.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(view.getByRole('button', { name: 'Set up' })).toBeVisible();
  });
  await context.close();
});

test('a passkey is added, signs in, and is removed', async ({ page, browser }) => {
  const { context, view } = await join(page, browser, 'Quinn', 'viewer');
  const device = await context.newCDPSession(view);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const dialog = view.getByRole('dialog');
  await test.step('it is added with the password', async () => {
    await view.goto('/account');
    await view.getByRole('button', { name: 'Add passkey' }).click();
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Give it a name');
    await dialog.getByLabel('Name').fill('Work laptop');
    await expectNoViolations(view);
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await expect(view.getByRole('row', { name: /Work laptop/ })).toBeVisible();
    const note = view.getByRole('status').filter({ hasText: 'Passkey added' });
    await expect(note).toBeVisible();
    await expect(note).toHaveCSS('pointer-events', 'none');
    await expectNoViolations(view);
  });
  await test.step('it signs in without the password', async () => {
    await context.clearCookies();
    await view.goto('/sign-in');
    await expectNoViolations(view);
    await view.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(view).toHaveURL(new RegExp(`/p/${slug}`));
  });
  await test.step('after its removal it is not known', async () => {
    await view.goto('/account');
    await view.getByRole('button', { name: 'Remove passkey Work laptop' }).click();
    await expect(view.getByRole('row', { name: /Work laptop/ })).toBeHidden();
    await context.clearCookies();
    await view.goto('/sign-in');
    await view.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(
      view.getByRole('alert').filter({ hasText: 'The passkey is not known here' }),
    ).toBeVisible();
  });
  await context.close();
});

const codeOf = (secret: string): string =>
  appCode(`otpauth://totp/Assay?secret=${secret.trim()}`, Date.now());

test('S-120 keys of a demoted and of a removed member are handed over or revoked by choice', async ({
  page,
  browser,
}) => {
  const { context, view } = await join(page, browser, 'Kim', 'admin');
  for (const name of ['kim-one', 'kim-two'])
    await callProcedure(view, 'keys.create', { project: slug, name, scopes: ['read'] });
  await context.close();
  await test.step('a lower role asks first', async () => {
    await page.goto(`/p/${slug}/settings/members`);
    await choose(page.getByLabel('Role of Kim'), 'viewer');
    const dialog = page.getByRole('dialog', { name: 'Make Kim viewer' });
    await expect(dialog.getByRole('group', { name: 'Kim owns 2 API keys' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByLabel('Role of Kim')).toHaveText('admin');
  });
  await test.step('handed over to the owner', async () => {
    await page.getByRole('button', { name: 'Remove Kim' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Kim' });
    await dialog.getByRole('radio', { name: 'Hand over' }).check();
    await expect(dialog.getByLabel('New owner')).toBeVisible();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await expect(page.getByRole('rowheader', { name: 'Kim' })).toHaveCount(0);
    await page.goto(`/p/${slug}/settings/keys`);
    await expect(page.getByRole('row', { name: /kim-one/ })).toContainText('owned by');
    await expect(page.getByRole('row', { name: /kim-one/ })).toContainText('active');
  });
  await test.step('revoked', async () => {
    const second = await join(page, browser, 'Lou', 'admin');
    await callProcedure(second.view, 'keys.create', {
      project: slug,
      name: 'lou-one',
      scopes: ['read'],
    });
    await second.context.close();
    await page.goto(`/p/${slug}/settings/members`);
    await page.getByRole('button', { name: 'Remove Lou' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await expect(page.getByRole('rowheader', { name: 'Lou' })).toHaveCount(0);
    await page.goto(`/p/${slug}/settings/keys`);
    await expect(page.getByRole('row', { name: /lou-one/ })).toContainText('revoked');
  });
});
