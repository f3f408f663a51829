// `npm run verify`: every check that needs no service: format, lint, types, import rules, dead code
// and unit tests, two at a time; two to four minutes on two cores. The output of each step goes to
// test-results/<step>.log, and is shown if the step fails.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { refuseEmptyCruise } from './cruise-report.mjs';
import { root } from './data-dir.mjs';
import { run } from './processes.mjs';
import { seconds } from './progress.mjs';

const results = join(root, 'test-results');

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @typedef {{ name: string, command: string, refuse?: (output: string) => string | undefined }}
 * Step
 * refuse may find a fault in a run that exited with 0
 */

/** The longest first, so that the two lanes end at about the same time. @type {Step[]} */
const steps = [
  {
    name: 'unit',
    command:
      'vitest run --project unit --reporter=dot --reporter=json --outputFile.json=test-results/unit.json',
  },
  { name: 'lint', command: scripts.lint ?? 'oxlint --type-aware' },
  { name: 'types', command: scripts.types ?? 'tsc --noEmit' },
  { name: 'rules', command: scripts.rules ?? 'depcruise .', refuse: refuseEmptyCruise },
  { name: 'unused', command: 'knip --production' },
  { name: 'format', command: 'biome format .' },
];

/**
 * Next writes next-env.d.ts in its first build; without it tsc does not recognize imported style
 * sheets.
 */
function writeNextTypes() {
  const file = join(root, 'next-env.d.ts');
  if (existsSync(file)) return;
  writeFileSync(
    file,
    '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n',
  );
}

/**
 * @param {Step} step
 * @returns {Promise<{ name: string, ok: boolean, seconds: number }>}
 */
async function take({ name, command, refuse }) {
  const begun = performance.now();
  const log = join(results, `${name}.log`);
  writeFileSync(log, '');
  // Like npm's scripts: in a shell, with the project's commands first in PATH.
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
    FORCE_COLOR: '0',
  };
  const result = await run('/bin/sh', ['-c', command], { cwd: root, env, log });
  const fault =
    result.code === 0 ? refuse?.(result.output) : `${command} ended with ${result.code}`;
  if (fault)
    process.stdout.write(
      `${readFileSync(log, 'utf8').trimEnd()}\n✗ ${name}, ${seconds(begun)} s: ${fault}\n`,
    );
  else process.stdout.write(`✓ ${name}, ${seconds(begun)} s\n`);
  return { name, ok: fault === undefined, seconds: Number(seconds(begun)) };
}

const begun = performance.now();
mkdirSync(results, { recursive: true });
writeNextTypes();
const queue = [...steps];
/** @type {{ name: string, ok: boolean, seconds: number }[]} */
const done = [];
const lane = async () => {
  for (let step = queue.shift(); step; step = queue.shift()) done.push(await take(step));
};
await Promise.all([lane(), lane()]);
writeFileSync(join(results, 'verify.json'), `${JSON.stringify({ steps: done }, undefined, 2)}\n`);
const failed = done.filter((step) => !step.ok).map((step) => step.name);
process.stdout.write(
  failed.length === 0
    ? `verify: all passed, ${seconds(begun)} s\n`
    : `verify: ${failed.join(', ')} failed, ${seconds(begun)} s\n`,
);
if (failed.length > 0) process.exitCode = 1;
