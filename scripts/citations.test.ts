// Citations in comments, test titles and documents must exist: sections of docs/spec
// (`calibration.md 5.4`), and the numbers of behaviours, faults and attacks (QV-1, R-104, S-115).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './data-dir.mjs';

const folder = join(root, 'docs', 'spec');
const pages = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);
const systems = ['QV', 'VS', 'QEL', 'SOAR', 'INT', 'X', 'R', 'S'].join('|');
const numbers = numbersIn([...pages.values()].join('\n'));

/** `R-104` and every member of `S-115 … S-128`. */
function numbersIn(text: string): ReadonlySet<string> {
  const single = [...text.matchAll(new RegExp(`\\b(?:${systems})-\\d+\\b`, 'g'))].map(
    ([all]) => all,
  );
  const ranges = [
    ...text.matchAll(new RegExp(`\\b(${systems})-(\\d+) ?(?:…|–|to) ?(?:\\1-)?(\\d+)\\b`, 'g')),
  ].flatMap(([, system = '', first, last]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, at) => `${system}-${Number(first) + at}`,
    ),
  );
  return new Set([...single, ...ranges]);
}

/** Citations in a text that match no heading, and unknown numbers. */
function lostIn(text: string): string[] {
  const names = [...pages.keys()].map((name) => name.replace('.', '\\.')).join('|');
  const sections = [
    ...text.matchAll(new RegExp(`\\b(${names}),? (?:section )?(\\d+(?:\\.\\d+)*)\\b`, 'g')),
  ].flatMap(([all, page = '', section = '']) => {
    const heading = new RegExp(`^#+ ${section.replaceAll('.', '\\.')}[. ]`, 'm');
    return heading.test(pages.get(page) ?? '') ? [] : [all];
  });
  const cited = [...text.matchAll(new RegExp(`\\b(?:${systems})-\\d+\\b`, 'g'))].map(
    ([all]) => all,
  );
  return [...new Set([...sections, ...cited.filter((number) => !numbers.has(number))])];
}

describe('citations', () => {
  it('of sections and numbers lead into docs/spec', () => {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    }).split('\n');
    const files = listed.filter(
      (path) =>
        /\.(?:ts|tsx|mjs|cjs|md)$/.test(path) &&
        !/^(?:db\/migrations|docs\/spec)\//.test(path) &&
        path !== 'scripts/citations.test.ts',
    );
    expect(files.length).toBeGreaterThan(1000);
    const lost = files.flatMap((path) =>
      lostIn(readFileSync(join(root, path), 'utf8')).map((what) => `${path}: ${what}`),
    );
    expect(lost).toEqual([]);
  });

  it('of unknown sections and numbers are found', () => {
    expect(lostIn('calibration.md 5.4, QV-1, R-104 and S-120')).toEqual([]);
    expect(lostIn('calibration.md 5.99')).toEqual(['calibration.md 5.99']);
    expect(lostIn('QV-999 and S-9999')).toEqual(['QV-999', 'S-9999']);
  });
});
