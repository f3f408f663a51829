import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { extractContract } from '../contract';
import { readCode, structuralMultiplier } from '../structure';
import { standardScale } from './complete';
import { measureFiles } from './points';

const Row = z.object({
  id: z.string(),
  request: z.string(),
  files: z.record(z.string(), z.string()),
});

const dataFile = resolve(
  process.env['ASSAY_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data'),
  'code-convex-typescript.jsonl',
);

const rows = (): readonly z.infer<typeof Row>[] =>
  readFileSync(dataFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)));

const written = (files: Readonly<Record<string, string>>) =>
  readCode(Object.entries(files).map(([path, content]) => ({ path, content })));

/** The first handler of a file, made empty; null where it has none. */
function emptied(text: string): string | null {
  const head = /handler: (?:\w+\()?async \([^)]*\)(?:: [^=]+)? => \{/u.exec(text);
  if (head === null) return null;
  const from = head.index + head[0].length;
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at++)
    depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
  return `${text.slice(0, from)}\n  ${text.slice(at - 1)}`;
}

describe('real reference solutions', () => {
  test('QEL-22 references have no stubs and no errors of syntax; a function emptied and a brace lost are seen in each', async (context) => {
    if (!existsSync(dataFile)) return context.skip('skipped: shared data not present');
    const missed: string[] = [];
    for (const { id, files } of rows()) {
      const read = await written(files);
      if (structuralMultiplier(read).multiplier < 1) missed.push(`${id}: a stub in the reference`);
      if (read.some(({ errorLine }) => errorLine !== null))
        missed.push(`${id}: an error in the reference`);
      for (const [path, text] of Object.entries(files).filter(([name]) => name.endsWith('.ts'))) {
        const brace = text.lastIndexOf('}');
        const broken = await written({ [path]: text.slice(0, brace) + text.slice(brace + 1) });
        if (brace >= 0 && broken[0]?.errorLine === null)
          missed.push(`${id}: ${path} without a brace`);
        const mutant = emptied(text);
        if (
          mutant !== null &&
          structuralMultiplier(await written({ [path]: mutant })).stubs.length !== 1
        )
          missed.push(`${id}: ${path} emptied`);
      }
    }
    expect(missed).toEqual([]);
  });

  test('QEL-14 QEL-16 references contain what the request names, and use no wrong framework', async (context) => {
    if (!existsSync(dataFile)) return context.skip('skipped: shared data not present');
    const all = rows();
    let whole = 0;
    for (const { request, files } of all) {
      const { patterns, framework } = measureFiles(
        extractContract(request),
        await written(files),
        standardScale,
      );
      if (patterns.share === 1 && !framework.violation) whole++;
    }
    expect(whole / all.length).toBeGreaterThanOrEqual(0.9);
  });
});
