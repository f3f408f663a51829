// The shared programs with recorded results, run through the gates: every 16th here, all of them in
// the long form and in bench:code.
import { afterAll, describe, expect, it } from 'vitest';
import { hasPrograms, programs, provesNothing } from '../../../bench/code/programs';
import { reportSkipped } from '../../../testing/boxes';
import { createBoxMonitor } from '../../sandbox';
import { createRunGates } from './index';

const isLong = process.env['ASSAY_LONG'] === '1';
const monitor = createBoxMonitor();
const state = await monitor.check();
const runGates = createRunGates(monitor);
afterAll(() => monitor.stop());

const absent =
  state.state !== 'ready'
    ? (state.reason ?? '')
    : hasPrograms()
      ? null
      : 'the shared data is not there';
if (absent !== null) reportSkipped(absent);

describe('shared programs', () => {
  it.runIf(absent === null).each(Object.keys(programs))(
    'S-87 QEL-27 %s passes exactly where it was recorded as passed',
    async (name) => {
      const every = isLong ? 1 : 16;
      const all = (programs[name]?.() ?? []).filter(({ isEndless }) => isLong || !isEndless);
      const some = all.filter((_program, index) => index % every === 0);
      const wrong: string[] = [];
      for (const { id, runner, path, content, passed } of some) {
        const job = {
          files: [],
          tier: 'xlarge',
          runTests: { runner, files: [{ path, content }] },
        } as const;
        const [result] = await runGates(job, new AbortController().signal);
        const expected = passed && !provesNothing.has(id);
        if ((result?.status === 'passed') !== expected)
          wrong.push(`${id}: ${result?.status} ${result?.reason}`);
      }
      expect(some.length).toBeGreaterThan(4);
      expect(wrong).toEqual([]);
    },
    isLong ? 600_000 : 300_000,
  );
});
