import { ownerState, project } from './instance';
import { checkedTask, verifyTask } from './tasks';
import { expect, expectAllFormsOf, test } from './test';

test.use({ storageState: ownerState });

test('VS-33 VS-45 the verdicts of a mission, its cost, its judge and its review limit', async ({
  page,
}) => {
  await verifyTask({
    ...checkedTask,
    id: 'e2e-mission-cost',
    mission_id: 'release-12',
    task_id: 'note',
  });
  const path = `/p/${project.slug}/verdicts?mission=release-12`;
  await page.goto(path);
  const panel = page.getByRole('region', { name: 'Mission', exact: true });
  await expect(panel).toContainText('$0.40');
  await expect(panel.getByRole('list', { name: 'Verdicts of Task' })).toContainText('Passed');
  await expect(page.getByText('1 shown, no more')).toBeVisible();
  await panel.getByRole('button', { name: 'Edit settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mission settings' });
  await dialog.getByLabel('Review limit, US dollars').fill('minus one');
  await dialog.getByRole('button', { name: 'Save settings' }).click();
  await expect(dialog.getByLabel('Review limit, US dollars')).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await dialog.getByLabel('Review limit, US dollars').fill('2.5');
  await dialog.getByRole('button', { name: 'Save settings' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(panel).toContainText('$2.50');
  await expectAllFormsOf(page, path);
});
