// Creating and changing a dataset under a slug, and its duplicates.
import { expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { addItems } from './add-items';
import { countDuplicates } from './count-duplicates';
import { getDataset } from './list-datasets';
import { putDataset } from './put-dataset';

test('a slug creates a dataset once, and then changes it', async ({ runtime }) => {
  const project = await createTestProject(runtime);
  expect(await putDataset(project, 'd', { name: 'One', description: '' })).toBe(true);
  expect(await putDataset(project, 'd', { name: 'Two', description: 'New' })).toBe(false);
  expect(await getDataset(project, 'd')).toMatchObject({ name: 'Two', description: 'New' });
});

test('with `onlyNew`, a slug in use is refused and its dataset does not change', async ({
  runtime,
}) => {
  const project = await createTestProject(runtime);
  const other = await createTestProject(runtime);
  const input = { name: 'One', description: '', onlyNew: true };
  expect(await putDataset(project, 'd', input)).toBe(true);
  expect(await putDataset(other, 'd', input)).toBe(true);
  await expect(putDataset(project, 'd', { ...input, name: 'Two' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'slug: "d" is the slug of another dataset; choose a different one',
  });
  expect(await getDataset(project, 'd')).toMatchObject({ name: 'One' });
});

test('duplicates are items of the latest version with equal content', async ({ runtime }) => {
  const project = await createTestProject(runtime);
  await putDataset(project, 'd', { name: 'One', description: '' });
  const send = (inputs: readonly string[], mode: 'append' | 'replace') =>
    addItems(project, 'd', {
      bytes: Buffer.from(
        inputs.map((input, at) => JSON.stringify({ id: `${at}`, input })).join('\n'),
      ),
      format: 'jsonl',
      mode,
    });
  expect(await countDuplicates(project, 'd')).toBe(0);
  await send(['a', 'b', 'a', 'a', 'b'], 'append');
  expect(await countDuplicates(project, 'd')).toBe(3);
  await send(['a', 'b'], 'replace');
  expect(await countDuplicates(project, 'd')).toBe(0);
});
