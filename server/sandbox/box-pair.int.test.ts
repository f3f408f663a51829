import { describe, expect, it } from 'vitest';
import type { BoxJob } from './box-job';
import { createBoxMonitor } from './box-monitor';

const monitor = createBoxMonitor();
const state = await monitor.check();
const never = new AbortController().signal;

const python = (code: string, more: Partial<BoxJob> = {}): BoxJob => ({
  files: [],
  command: [
    '/usr/bin/python3',
    '-I',
    '-c',
    `import os\nlink = 5\nos.set_blocking(link, True)\n${code}`,
  ],
  ...more,
});

describe.runIf(state.state === 'ready')('two boxes', () => {
  it('S-88 talk over their link, and share nothing else', async () => {
    const asks = python(
      'os.write(link, b"3 4")\nprint(os.read(link, 100).decode(), os.listdir("/box"))',
      {
        files: [{ path: 'secret.txt', content: 'x' }],
      },
    );
    const adds = python(
      'a, b = os.read(link, 100).split()\nos.write(link, b"%d %s" % (int(a) + int(b), str(os.listdir("/box")).encode()))',
    );
    const [one, other] = await monitor.runPair([asks, adds], never);
    expect([one.end, one.exitCode, one.stdout.toString(), one.stderr.toString()]).toEqual([
      'exit',
      0,
      "7 [] ['secret.txt']\n",
      '',
    ]);
    expect(other?.end).toBeOneOf(['exit', 'interrupted']);
  });

  it('S-88 each sees when the other has ended, and the second never outlives the first', async () => {
    const [one] = await monitor.runPair(
      [python('print(os.read(link, 1))'), python('os._exit(3)')],
      never,
    );
    expect(one.stdout.toString()).toBe("b''\n");
    const [two, endless] = await monitor.runPair(
      [python('os.read(link, 1)'), python('os.write(link, b"1")\nwhile True: pass')],
      never,
    );
    expect([two.end, endless?.end]).toEqual(['exit', 'interrupted']);
  });

  it('S-88 a limit of one is a limit of that one', async () => {
    const eats = python('a = []\nwhile True: a.append(bytearray(8 << 20))', {
      limits: { memoryBytes: 128 << 20 },
    });
    const [one, other] = await monitor.runPair([python('print(os.read(link, 1))'), eats], never);
    expect([one.end, one.stdout.toString(), other?.end]).toEqual(['exit', "b''\n", 'memory']);
  });

  it('S-88 a machine without room for two reports it', async () => {
    const narrow = createBoxMonitor({ atOnce: 1 });
    const [one, other] = await narrow.runPair([python(''), python('')], never);
    expect([one.end, one.fault, other]).toEqual([
      'setup',
      'This machine has no room for 2 boxes at once.',
      null,
    ]);
    narrow.stop();
  });
});
