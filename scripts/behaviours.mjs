// `npm run behaviours`: lists the tests that cover each numbered behaviour of the five systems,
// each fault (R-) and each attack (S-), and the numbers that no test names.
//   --check INT-1,INT-2   exits 1 when one of these is not named
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './data-dir.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { findNumbers, findTitles } from './test-titles.mjs';

/** The numbers that each page of the specification defines, each at the start of a line. */
const pages = {
  'systems.md': ['QV', 'VS', 'QEL', 'SOAR', 'INT', 'X'],
  'reliability.md': ['R', 'S'],
};
/** Behaviours that only state a source; there is nothing to test. */
const withoutProof = new Set(['VS-49', 'VS-50', 'VS-54', 'SOAR-36', 'SOAR-38']);
const systems = Object.values(pages).flat();

/** @returns {string[]} every number, in the order of the systems */
function readNumbers() {
  const found = Object.entries(pages).flatMap(([page, numbers]) => {
    const text = readFileSync(join(root, 'docs', 'spec', page), 'utf8');
    const heads = new RegExp(`^[-*|# ]*((?:${numbers.join('|')})-\\d+)\\b`, 'gm');
    return [...text.matchAll(heads)].map((match) => match[1] ?? '');
  });
  return [...new Set(found)].sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {string} number
 * @returns {number}
 */
function rank(number) {
  const [system = '', index = ''] = number.split('-');
  return systems.indexOf(system) * 1000 + Number(index);
}

const notSource = new Set([
  'node_modules',
  '.next',
  '.git',
  'dist',
  '.assay',
  'test-results',
  'playwright-report',
]);

/**
 * @param {string} [dir] below the root
 * @returns {string[]} test files, relative to the root
 */
function testFiles(dir = '') {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return notSource.has(entry.name) ? [] : testFiles(path);
    return /\.test\.tsx?$/.test(path) || /^e2e\/.*\.spec\.ts$/.test(path) ? [path] : [];
  });
}

/** @returns {Map<string, string[]>} number → tests that name it */
function mapTests() {
  /** @type {Map<string, string[]>} */
  const map = new Map();
  for (const file of testFiles().sort()) {
    for (const title of findTitles(readFileSync(join(root, file), 'utf8'))) {
      for (const number of findNumbers(title, systems))
        map.set(number, [...(map.get(number) ?? []), `${file}: ${title}`]);
    }
  }
  return map;
}

/**
 * @param {string[]} args
 * @returns {number}
 */
function main(args) {
  const numbers = readNumbers();
  const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
  const map = mapTests();
  if (args[0] === '--check') {
    const requested = (args[1] ?? '').split(',').filter(Boolean);
    const unknown = requested.filter((number) => !numbers.includes(number));
    if (requested.length === 0 || unknown.length > 0)
      throw new Failure(
        `--check needs numbers that exist: ${unknown.join(', ') || 'none was given'}.`,
      );
    const missing = requested.filter((number) => !map.has(number));
    print(
      missing.length === 0
        ? `all ${requested.length} are named by a test`
        : `named by no test: ${missing.join(' ')}`,
    );
    return missing.length === 0 ? 0 : 1;
  }
  const required = numbers.filter((number) => !withoutProof.has(number));
  for (const number of numbers)
    for (const test of map.get(number) ?? []) print(`${number}  ${test}`);
  const missing = required.filter((number) => !map.has(number));
  const unknownNumbers = [...map.keys()].filter((number) => !numbers.includes(number));
  print(`\nNamed by no test (${missing.length}): ${missing.join(' ') || '-'}`);
  if (unknownNumbers.length > 0)
    print(`Named by a test, but no behaviour: ${unknownNumbers.join(' ')}`);
  for (const system of systems) {
    const systemNumbers = required.filter((number) => number.startsWith(`${system}-`));
    print(
      `${system.padEnd(5)} ${systemNumbers.filter((number) => map.has(number)).length} of ${systemNumbers.length}`,
    );
  }
  return unknownNumbers.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error);
}
