// The pool of processes with scripted boxes: which subjects are sent, blamed and resent.
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { BoxResult, BoxStream } from '../../sandbox';
import { createFunctionRunner, type FunctionOutcome, type FunctionSource } from '.';

type BoxEnd = BoxResult['end'];

/** A scripted process's reaction to a subject: its answer, or the end of its box. */
type Step = number | BoxEnd | 'garbage' | 'twice' | 'wait';

interface Sent {
  readonly box: number;
  readonly output: unknown;
}

const ended = (end: BoxEnd): BoxResult => ({
  end,
  exitCode: end === 'exit' ? 7 : end === 'signal' ? 137 : null,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  report: Buffer.alloc(0),
  durationMs: 1,
  peakBytes: 0,
  fault: end === 'setup' ? 'No room.' : null,
  limits: { wallMs: 1, memoryBytes: 1, tasks: 1, outputBytes: 1, diskBytes: 1, fileCount: 1 },
});

/** Boxes with scripted processes: the script gets the output of a subject and the box's number. */
function scripted(
  script: (output: unknown, box: number) => Step,
  { atOnce = 2, first = '["ready",[["output",true]],false]' } = {},
) {
  const sent: Sent[] = [];
  let started = 0;
  let open = 0;
  let max = 0;
  const run = async (
    _job: unknown,
    signal: AbortSignal,
    stream?: BoxStream,
  ): Promise<BoxResult> => {
    await Promise.resolve();
    started += 1;
    open += 1;
    max = Math.max(max, open);
    const box = started;
    const input = new PassThrough();
    const result = await new Promise<BoxResult>((resolve) => {
      signal.addEventListener('abort', () => resolve(ended('interrupted')));
      if (first === 'setup') return resolve(ended('setup'));
      if (first === 'exit') return resolve(ended('exit'));
      const report = (text: string): void =>
        void setImmediate(() => stream?.report(Buffer.from(`${text}\n`)));
      let isFirst = true;
      let rest = '';
      let isOver = false;
      input.on('data', (part: Buffer) => {
        const lines = (rest + part.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (isOver || signal.aborted) return;
          if (isFirst) {
            isFirst = false;
            report(first);
            continue;
          }
          const [token, { output }] = JSON.parse(line) as [string, { output: unknown }];
          sent.push({ box, output });
          const step = script(output, box);
          if (step === 'wait') isOver = true;
          else if (step === 'garbage') report('garbage');
          else if (typeof step === 'number' || step === 'twice') {
            const answer = `["${token}",1,"ok",${step === 'twice' ? 1 : step},"",null]`;
            report(answer);
            if (step === 'twice') report(answer);
          } else {
            isOver = true;
            setImmediate(() => resolve(ended(step)));
          }
        }
      });
      stream?.started(input);
    });
    open -= 1;
    return result;
  };
  return {
    runner: createFunctionRunner({ atOnce, run }),
    sent,
    started: () => started,
    max: () => max,
  };
}

const never = new AbortController().signal;
const javascript: FunctionSource = { language: 'javascript', source: 'x', timeoutMs: 20_000 };
const given = (output: unknown) => ({
  valueOf: (name: string): unknown => (name === 'output' ? output : undefined),
  names: ['output'],
});
const brief = (outcome: FunctionOutcome): unknown =>
  outcome.state === 'returned' ? outcome.value : outcome.reason;
const run = async (
  { runner }: ReturnType<typeof scripted>,
  outputs: readonly unknown[],
  { project = 'prj_1', source = javascript, signal = never } = {},
): Promise<readonly unknown[]> =>
  (await runner.forProject(project).run(source, outputs.map(given), signal)).map(brief);

const half = (output: unknown): Step => (typeof output === 'number' ? output / 2 : 'exit');

describe('functions in boxes', () => {
  it.each<[Step, string]>([
    ['exit', 'evaluate ended its process (exit code 7)'],
    ['signal', 'evaluate ended its process (signal 9)'],
    ['memory', 'evaluate used more than 512 MiB of memory'],
    ['output', 'evaluate printed more than the sandbox accepts'],
    ['garbage', 'evaluate wrote to descriptor 3, which is reserved for results'],
  ])(
    'a subject whose process ends by %s fails, and the rest go on in the next',
    async (step, reason) => {
      const boxes = scripted((output) => (output === 'bad' ? step : half(output)));
      expect(await run(boxes, [0, 1, 'bad', 1, 0])).toEqual([0, 0.5, reason, 0.5, 0]);
      expect(boxes.started()).toBe(2);
    },
  );

  it('each process that ends answers or blames a subject, so the number of boxes is bounded', async () => {
    const boxes = scripted(() => 'exit');
    expect(await run(boxes, [1, 2, 3])).toEqual(
      Array.from({ length: 3 }, () => 'evaluate ended its process (exit code 7)'),
    );
    expect(boxes.started()).toBe(3);
  });

  it('a box that is stopped from outside blames no subject at first', async () => {
    const once = scripted((output, box) => (box === 1 ? 'interrupted' : half(output)));
    expect(await run(once, [0, 1])).toEqual([0, 0.5]);
    const always = scripted(() => 'interrupted');
    expect(await run(always, [1])).toEqual(['evaluate was stopped with its sandbox']);
    expect(always.started()).toBe(2);
  });

  it('a second answer to a subject is ignored', async () => {
    const boxes = scripted((output) => (output === 'again' ? 'twice' : half(output)));
    expect(await run(boxes, ['again', 1, 0])).toEqual([1, 0.5, 0]);
    expect(boxes.started()).toBe(1);
  });

  it.each([
    ['setup', 'the function was not run: No room.'],
    ['exit', 'the source ended its process (exit code 7) while it was loaded'],
    ['["fault","syntax","SyntaxError: x",3]', 'SyntaxError: x'],
    [
      'garbage',
      'the source wrote to descriptor 3, which is reserved for results while it was loaded',
    ],
    ['["t",1,"ok",1,"",null]', 'the source wrote to descriptor 3'],
  ])('a process that begins with %s fails all subjects with one box', async (first, reason) => {
    const boxes = scripted(half, { first });
    for (const found of await run(boxes, [1, 0])) expect(found).toContain(reason);
    expect(boxes.started()).toBe(1);
  });

  it('a parameter without a value fails its subject only', async () => {
    const boxes = scripted(half);
    expect(await run(boxes, [1, undefined, 0])).toEqual([
      0.5,
      expect.stringContaining('evaluate has the parameter "output"'),
      0,
    ]);
  });

  it('1,000 subjects take one box, in calls of any size', async () => {
    const boxes = scripted(half);
    const calls = Array.from({ length: 100 }, () =>
      run(
        boxes,
        Array.from({ length: 10 }, () => 1),
      ),
    );
    expect((await Promise.all(calls)).flat()).toEqual(Array.from({ length: 1_000 }, () => 0.5));
    expect(boxes.started()).toBe(1);
  });

  it('projects, sources and time limits have separate processes, at most half of the boxes at once', async () => {
    const boxes = scripted(half, { atOnce: 4 });
    const sources = [javascript, { ...javascript, source: 'y' }, { ...javascript, timeoutMs: 500 }];
    const all = ['prj_1', 'prj_2'].flatMap((project) =>
      sources.map((source) => run(boxes, [1], { project, source })),
    );
    expect((await Promise.all(all)).flat()).toEqual(Array.from({ length: 6 }, () => 0.5));
    expect(boxes.started()).toBe(6);
    expect(boxes.max()).toBe(2);
  });

  it('a caller that gives up is not sent to a process', async () => {
    const boxes = scripted(half);
    const ending = new AbortController();
    const given = run(boxes, [1], { signal: ending.signal });
    ending.abort();
    await expect(given).rejects.toThrow('The run was aborted.');
    expect(await run(boxes, [0])).toEqual([0]);
    expect(boxes.sent.map(({ output }) => output)).toEqual([0]);
  });

  it('close fails what waits', async () => {
    const boxes = scripted(() => 'wait');
    const waiting = run(boxes, [1, 2]);
    // The first subject has been sent when the process has received the request for it.
    const asked = new Promise<void>((resolve) => {
      const look = (): void => (boxes.sent.length > 0 ? resolve() : void setImmediate(look));
      look();
    });
    await asked;
    boxes.runner.close();
    expect(await waiting).toEqual(
      Array.from({ length: 2 }, () => 'the function was not run: the worker is stopping'),
    );
  });
});
