import { ownerState, project } from './instance';
import { open } from './pages';
import { expect, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

const verdict = { name: 'verdict-envelope', verdict: 'web-1 has 17.2 GiB' } as const;

test('VS-45 VS-48 a person overrules, grades and undoes; the verdict of the verifier stays visible, and open pages follow', async ({
  page,
  context,
}) => {
  const list = await context.newPage();
  await list.goto(`/p/${project.slug}/verdicts?text=${encodeURIComponent(verdict.verdict)}`);
  const row = list.getByRole('row').filter({ hasText: verdict.verdict });
  await expect(list.getByText('Live', { exact: true })).toBeVisible();
  await open(page, verdict);
  const head = page.getByRole('heading', { level: 1 });
  const form = page.getByRole('form', { name: 'Rule on this verdict' });
  await expect(head).toContainText('Failed');

  await test.step('overruling needs a reason', async () => {
    await form
      .getByRole('radiogroup', { name: 'Your verdict' })
      .getByRole('radio', { name: 'sourced', exact: true })
      .check();
    await form.getByRole('button', { name: 'Override verdict' }).click();
    await expect(form.getByRole('alert')).toContainText('Explain why you overrule it.');
    await expect(form.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  });

  await test.step('cleared, the form asks for nothing and keeps the focus', async () => {
    await form.getByRole('button', { name: 'Clear' }).click();
    await expect(form.getByRole('alert')).toHaveCount(0);
    await expect(form.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    await form
      .getByRole('radiogroup', { name: 'Your verdict' })
      .getByRole('radio', { name: 'sourced', exact: true })
      .check();
    await form.getByRole('textbox', { name: 'Reason' }).focus();
  });

  await test.step('by keyboard: a reason, a grade, Enter on the button', async () => {
    await page.keyboard.type('121 GiB is what the other tool says.');
    await form
      .getByRole('radiogroup', { name: 'Grade' })
      .getByRole('radio', { name: '4, good' })
      .focus();
    await page.keyboard.press('Space');
    await expect(form.getByRole('radio', { name: '4, good' })).toBeChecked();
    await form.getByRole('button', { name: 'Override verdict' }).focus();
    await page.keyboard.press('Enter');
    await expect(head).toContainText('Passed');
    await expect(form.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
    await expect(head).toContainText('the verifier decided');
    await expect(head).toContainText('unsourced');
    // Feedback that a person refuted must not reach the model.
    await expect(page.getByRole('button', { name: 'Send back' })).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Rulings' })).toContainText(
      '121 GiB is what the other tool says.',
    );
    await expectNoViolations(page);
  });

  await test.step('the open list marks it within 5 s', async () => {
    await expect(row).toContainText('the verifier decided', { timeout: 30_000 });
    await expect(row).toContainText('Failed');
  });

  await test.step('a grade alone is not a ruling', async () => {
    await form.getByRole('radio', { name: '2, poor' }).check();
    await form.getByRole('button', { name: 'Save grade' }).click();
    await expect(page.getByRole('list', { name: 'Rulings' })).toContainText('2 of 5');
    await expect(head).toContainText('Passed');
  });

  await test.step('after an undo, the row stays and the verdict of the verifier counts', async () => {
    await page.getByRole('button', { name: /^Undo sourced by/ }).click();
    await expect(page.getByRole('list', { name: 'Rulings' })).toBeFocused();
    await page.getByRole('button', { name: /^Undo grade 2 by/ }).click();
    await expect(head).toContainText('Failed');
    await expect(page.getByText('undone by').first()).toBeVisible();
    await expect(row).not.toContainText('the verifier decided', { timeout: 30_000 });
  });
});

test.describe('at 390', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('VS-45 the form is used on a narrow screen', async ({ page }) => {
    await open(page, verdict);
    const form = page.getByRole('form', { name: 'Rule on this verdict' });
    await form.getByRole('radio', { name: 'unsourced', exact: true }).check();
    // 44 px, less the border.
    for (const radio of await form.getByRole('radio').all())
      expect((await radio.boundingBox())?.height).toBeGreaterThanOrEqual(42);
    await form.getByRole('button', { name: 'Confirm verdict' }).click();
    await page.getByRole('button', { name: /^Undo unsourced by/ }).click();
    await expect(page.getByText('undone by').first()).toBeVisible();
    const [content, frame] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(content).toBeLessThanOrEqual(frame ?? 0);
    await expectNoViolations(page);
  });
});
