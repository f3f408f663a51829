// Single sign-on in the browser: the console with the variables of docs/how-to/single-sign-on.md,
// next to an OpenID Connect provider.
import type { Page } from '@playwright/test';
import { type OidcServer, startOidc } from '../testing/oidc';
import { readCompose } from './compose-file';
import { createLocalServices, type LocalServices, missing } from './local-services';
import { expect, expectNoViolations, test } from './test';

let local: LocalServices | null = null;
let oidc: OidcServer | null = null;

test.afterAll(async () => {
  await oidc?.close();
  local?.remove();
});

/** Web and its dependencies. */
async function start(): Promise<{ web: string; local: LocalServices; oidc: OidcServer }> {
  const { postgres, redis, migrate, web } = readCompose({
    POSTGRES_PASSWORD: 'ofsinglesignon0123456789',
    ASSAY_SECRET: 'secret-of-the-single-sign-on-test-0123456789',
  });
  if (postgres === undefined || redis === undefined || migrate === undefined || web === undefined)
    throw new Error('the compose file lacks a service');
  // The provider must know the port of web, and web the address of the provider.
  const environment = { ...web.environment };
  const services = { postgres, redis, migrate, web: { ...web, environment } };
  local = await createLocalServices(services, Object.keys(services));
  const address = `http://localhost:${local.ports.web}`;
  oidc = await startOidc(`${address}/api/auth/callback/sso`);
  Object.assign(environment, {
    ASSAY_SSO_ISSUER: oidc.issuer,
    ASSAY_SSO_CLIENT_ID: oidc.clientId,
    ASSAY_SSO_CLIENT_SECRET: oidc.clientSecret,
    ASSAY_SSO_NAME: 'Staff ID',
    ASSAY_SSO_GROUPS: JSON.stringify({ leads: { support: 'admin' }, staff: { '*': 'viewer' } }),
  });
  await local.start();
  local.assay('projects', 'create', 'support');
  return { web: address, local, oidc };
}

/** From the sign-in page to the provider, where `sub` is signed in, and back. */
async function signInAs(page: Page, provider: OidcServer, sub: string): Promise<void> {
  provider.signedIn = sub;
  await page.getByRole('button', { name: 'Sign in with Staff ID' }).click();
}

test('people sign in through the provider, with the role of their groups', async ({
  page,
  context,
}) => {
  test.skip(missing !== null, missing ?? '');
  test.setTimeout(180_000);
  const { web, local: services, oidc: provider } = await start();
  const person = (email: string, groups: string[]) => ({ email, email_verified: true, groups });
  provider.people.set('lead', person('lead@example.org', ['leads']));
  provider.people.set('guest', person('guest@example.org', ['visitors']));

  await test.step('a member of a mapped group lands on the page that was asked for', async () => {
    await page.goto(`${web}/p/support/settings/members`);
    await expect(page).toHaveURL(/\/sign-in\?/);
    await expectNoViolations(page);
    await signInAs(page, provider, 'lead');
    await expect(page).toHaveURL(`${web}/p/support/settings/members`);
    await expect(page.getByRole('row', { name: /lead@example\.org/ })).toContainText(/admin/i);
  });
  await test.step('one without a mapped group reads why not', async () => {
    await context.clearCookies();
    await page.goto(`${web}/sign-in`);
    await signInAs(page, provider, 'guest');
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: 'Your account is in no group that may use Assay.' }),
    ).toBeVisible();
    await expectNoViolations(page);
  });
  await services.stop();
});
