import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Child, endAll, waitForMessage, startProcess } from '../../../testing/processes';
import { reportFigure } from '../../../testing/figures';
import { canMeasureResident, peakResident, resetPeak } from '../../../testing/resident';
import {
  type ScriptedFault,
  type ScriptedLlm,
  startScriptedLlm,
} from '../../../testing/scripted-llm';
import { createStack, type Stack } from '../../../testing/stack';
import { putProvider } from '../providers/put';

const model = 'house:llama3:8b';
const mebibyte = 1024 * 1024;
let stack: Stack;
let llm: ScriptedLlm;
let child: Child;
let asked = 0;

beforeAll(async () => {
  llm = await startScriptedLlm();
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
  });
  await putProvider(stack.project, 'house', {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    api_key: 'k',
    models: ['llama3:8b'],
    enabled: true,
  });
  child = await startProcess('asking-process', {
    ...stack.variables,
    HARNESS_PROJECT: stack.project.projectId,
  });
  await waitForMessage(child, 'ready');
});

afterAll(async () => {
  await endAll();
  await stack?.close();
  await llm?.close();
});

async function ask(fault: ScriptedFault | null, deadlineMs = 20_000): Promise<unknown> {
  llm.answerWith(() => (fault === null ? { text: 'yes' } : { fault }));
  const id = ++asked;
  child.send({ ask: id, model, deadlineMs });
  return (await waitForMessage(child, `answer${id}`))[`answer${id}`];
}

/** Ordinary answers: afterwards the process has allocated everything that it needs only once. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 60; round++) await ask(null);
}

test.skipIf(!canMeasureResident)(
  'R-53 R-54 R-55 a hostile reply raises the resident memory of the process by at most 8 MiB',
  async () => {
    expect(await ask(null)).toBe('answered');
    await warmUp();
    const faults: readonly (readonly [string, ScriptedFault, unknown, number])[] = [
      ['500 MB', { kind: 'huge', bytes: 500 * mebibyte }, 'too_large', 20_000],
      ['endless', { kind: 'endless' }, 'too_large', 20_000],
      ['br bomb', { kind: 'bomb', coding: 'br' }, expect.any(String), 20_000],
      ['gzip bomb', { kind: 'bomb', coding: 'gzip' }, expect.any(String), 20_000],
      ['drip', { kind: 'drip', everyMs: 5 }, 'timeout', 500],
    ];
    const grown: [string, number][] = [];
    for (const [name, fault, errorClass, deadlineMs] of faults) {
      const before = resetPeak(child.pid);
      expect(await ask(fault, deadlineMs), name).toEqual(errorClass);
      grown.push([name, (peakResident(child.pid) - before) / mebibyte]);
    }
    reportFigure(
      'R-54 resident memory of a hostile reply',
      Object.fromEntries(grown.map(([name, mib]) => [`${name}, MiB`, mib.toFixed(1)])),
    );
    for (const [name, mib] of grown) expect(mib, name).toBeLessThanOrEqual(8);
  },
);
