import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { z } from 'zod';
import type { DataSet } from './data-set';
import type { ApiClient } from './api-client';
import { type Compared, compareFigures } from './figures';

const folder = (): string => resolve(root, process.env.ASSAY_DATA ?? '../shared/data');
const fileOf = ({ name }: DataSet): string => join(folder(), `${name}.jsonl`);
const expectedFile = (): string => join(folder(), 'expected.json');

/** Whether the shared data contains it. */
export const hasData = (set: DataSet): boolean =>
  existsSync(fileOf(set)) && existsSync(expectedFile());

/** Imports a data set and compares every figure that the shared data contains for it. */
export async function checkSet(set: DataSet, client: ApiClient): Promise<Compared[]> {
  const taken = await client.importFile(readFileSync(fileOf(set)), {
    format: 'jsonl',
    ...set.mapping,
  });
  const expected = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(expectedFile(), 'utf8')));
  return compareFigures(set.name, await set.figures(client, taken), expected[set.name]);
}
