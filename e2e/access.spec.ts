import { owner, ownerState, project, readInstance } from './instance';
import { choose, expect, expectNoViolations, test } from './test';

const anonymous = { cookies: [], origins: [] };

test.describe('not signed in', () => {
  test.use({ storageState: anonymous, allowedErrors: /status of 40[14]/ });

  test('pages redirect to the sign-in and back, and show no data before', async ({ page }) => {
    for (const path of ['', '/verdicts', '/settings/keys', '/verdicts/anything']) {
      await page.goto(`/p/${project.slug}${path}`);
      await expect(page).toHaveURL(/\/sign-in\?next=/);
      await expect(page.getByText(project.name)).toHaveCount(0);
    }
  });

  test('a wrong password is refused with a message, the right one opens the requested page', async ({
    page,
  }) => {
    await page.goto(`/p/${project.slug}/verdicts?outcome=passed`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Email or password is wrong.' }),
    ).toBeVisible();
    await expectNoViolations(page);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(new RegExp(`/p/${project.slug}/verdicts\\?outcome=passed`));
  });

  test('S-59 open redirect: after signing in, own paths only', async ({ page }) => {
    for (const next of [
      '//evil.test',
      '/\\evil.test',
      'javascript:alert(1)',
      'https://evil.test',
    ]) {
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      expect(await page.content()).not.toMatch(/"next":"(\/\/|\/\\|javascript:|https:)/);
    }
    await page.goto('/sign-in?next=//evil.test');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(new RegExp(`^${readInstance().webUrl}/p/`));
  });

  test('the owner link works once', async ({ page }) => {
    await page.goto(readInstance().ownerLink);
    await expect(
      page.getByRole('heading', { level: 1, name: 'This link has been used' }),
    ).toBeVisible();
    await expectNoViolations(page);
  });

  test('S-56 S-61 each page has a content policy with its own nonce, and may not be framed', async ({
    request,
  }) => {
    const read = async () =>
      (await request.get('/sign-in')).headers()['content-security-policy'] ?? '';
    const [one, two] = [await read(), await read()];
    for (const rule of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "'strict-dynamic'",
    ]) {
      expect(one).toContain(rule);
    }
    const scripts = /script-src ([^;]*)/.exec(one)?.[1] ?? '';
    expect(scripts).not.toContain('unsafe');
    expect(/'nonce-[^']+'/.exec(one)?.[0]).not.toBe(/'nonce-[^']+'/.exec(two)?.[0]);
    const head = (await request.get('/sign-in')).headers();
    expect(head['x-content-type-options']).toBe('nosniff');
    expect(head['referrer-policy']).toBe('same-origin');
    expect(head['x-frame-options']).toBe('DENY');
    expect(head['x-powered-by']).toBeUndefined();
    for (const path of ['/nowhere', '/p/nowhere', '/api', '/%2e%2e/x'])
      expect((await request.get(path)).headers()['content-security-policy'], path).toContain(
        "frame-ancestors 'none'",
      );
    for (const path of [
      '/api/trpc/account.me',
      '/api/auth/nowhere',
      '/api/v1/turns',
      '/api/v1/x',
    ]) {
      const answer = await request.get(path, { headers: { origin: 'https://evil.example' } });
      expect(answer.headers()['content-security-policy'], path).toContain('sandbox');
      expect(answer.headers()['access-control-allow-origin'], path).toBeUndefined();
    }
  });
});

test.describe('members', () => {
  test.use({ storageState: ownerState, allowedErrors: /status of 404/ });

  test('an invited viewer joins by the link and sees no write buttons', async ({
    page,
    browser,
  }) => {
    await page.goto(`/p/${project.slug}/settings/members`);
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite member' });
    await dialog.getByLabel('Email').fill('vera@assay.test');
    await choose(dialog.getByLabel('Role'), 'viewer');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const link = (await page.getByLabel('Invitation link').textContent()) ?? '';
    expect(link).toContain('/claim?token=');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(
      'vera@assay.test',
    );

    const viewer = await browser.newContext({ storageState: anonymous });
    const view = await viewer.newPage();
    await view.goto(link);
    await expect(
      view.getByRole('heading', { level: 1, name: `Join ${project.name}` }),
    ).toBeVisible();
    await expect(view.getByLabel('Email')).toHaveValue('vera@assay.test');
    await view.getByLabel('Your name').fill('Vera Viewer');
    await view.getByLabel('Password').fill('another long password');
    await view.getByRole('button', { name: 'Join' }).click();
    await expect(view).toHaveURL(new RegExp(`/p/${project.slug}$`));

    await view.goto(`/p/${project.slug}/settings/members`);
    await expect(view.getByRole('rowheader', { name: /Vera Viewer/ })).toBeVisible();
    for (const name of [/invite/i, /remove/i, /revoke/i])
      await expect(view.getByRole('button', { name })).toHaveCount(0);
    await view.goto(`/p/${project.slug}/settings/integrity`);
    for (const toggle of await view.getByRole('switch').all()) await expect(toggle).toBeDisabled();
    await view.goto(`/p/${project.slug}/settings/keys`);
    await expect(view.getByText(/Your role in this project, viewer, has no access/)).toBeVisible();
    await expect(view.getByRole('button', { name: 'Create key' })).toHaveCount(0);
    await view.goto(`/p/${project.slug}/settings/audit`);
    await expect(view.getByText(/Your role in this project, viewer, has no access/)).toBeVisible();
    await view.goto(`/p/${project.slug}/verdicts`);
    await expect(view.getByRole('table', { name: 'Verdicts' })).toBeVisible();
    await viewer.close();
  });

  test('a key is revoked after a confirmation', async ({ page }) => {
    await page.goto(`/p/${project.slug}/settings/keys`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('to revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke to revoke' }).click();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await expect(page.getByRole('row', { name: /to revoke/ })).toContainText('revoked');
    await page.goto(`/p/${project.slug}/settings/audit`);
    await expect(page.getByRole('cell', { name: 'keys.revoke' })).toBeVisible();
  });

  test('a key with an expiry is rotated; its successor is shown once', async ({ page }) => {
    await page.goto(`/p/${project.slug}/settings/keys`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const create = page.getByRole('dialog', { name: 'Create key' });
    await create.getByLabel('Name').fill('to rotate');
    await create.getByLabel('Expires after (days)').fill('0');
    await create.getByRole('button', { name: 'Create key' }).click();
    await expect(create.getByLabel('Expires after (days)')).toHaveAttribute('aria-invalid', 'true');
    await create.getByLabel('Expires after (days)').fill('90');
    await create.getByRole('button', { name: 'Create key' }).click();
    const first = await page.getByLabel('New key', { exact: true }).textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Rotate to rotate' }).click();
    const rotate = page.getByRole('dialog', { name: 'Rotate to rotate' });
    await expectNoViolations(page);
    await rotate.getByLabel('Old key works for (hours)').fill('0');
    await rotate.getByRole('button', { name: 'Rotate key' }).click();
    const second = await page.getByLabel('New key', { exact: true }).textContent();
    expect(second).toMatch(/^asy_/);
    expect(second).not.toBe(first);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /to rotate .*rotated, ended/ })).toHaveCount(1);
    await expect(page.getByRole('row', { name: /to rotate .*active/ })).toHaveCount(1);
  });

  test('a service account owns a key, which is revoked with it', async ({ page }) => {
    await page.goto(`/p/${project.slug}/settings/members`);
    await page.getByRole('button', { name: 'Create service account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create service account' });
    await dialog.getByLabel('Name').fill('Nightly export');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Create service account' }).click();
    const accounts = page.getByRole('table', { name: 'Service accounts' });
    await expect(accounts.getByRole('row', { name: /Nightly export/ })).toContainText('viewer');
    await page.goto(`/p/${project.slug}/settings/keys`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const create = page.getByRole('dialog', { name: 'Create key' });
    await create.getByLabel('Name').fill('of the export');
    await choose(create.getByLabel('Owner'), 'Nightly export');
    await create.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const key = page.getByRole('row', { name: /of the export/ });
    await expect(key).toContainText('service account Nightly export');
    await page.goto(`/p/${project.slug}/settings/members`);
    await page.getByRole('button', { name: 'Remove Nightly export' }).click();
    await page.getByRole('button', { name: 'Remove service account' }).click();
    await expect(accounts).toHaveCount(0);
    await page.goto(`/p/${project.slug}/settings/keys`);
    await expect(key).toContainText('revoked');
  });

  test('another project, an unknown verdict and an unknown page do not exist', async ({ page }) => {
    await page.goto('/p/not-mine');
    await expect(
      page.getByRole('heading', { level: 1, name: 'There is nothing here' }),
    ).toBeVisible();
    await page.goto(`/p/${project.slug}/verdicts/ver_unknown`);
    await expect(page.getByRole('heading', { level: 1, name: 'No such verdict' })).toBeVisible();
    await page.goto('/nowhere');
    await expect(
      page.getByRole('heading', { level: 1, name: 'There is nothing here' }),
    ).toBeVisible();
  });
});
