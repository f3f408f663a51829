import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createBoxLauncher, serveBoxLauncher, startBoxLauncher } from './box-launcher';
import { hasUser, readRequest, requestOf } from './launcher-wire';

const uid = process.getuid?.() ?? -1;
const mib = 1024 * 1024;

describe('the box launcher', () => {
  it('a request is twelve bytes of numbers', () => {
    const request = requestOf(4_194_303, 63, 1024 * mib);
    expect([request.length, readRequest(request)]).toEqual([
      12,
      { pid: 4_194_303, slot: 63, memoryBytes: 1024 * mib },
    ]);
    expect(readRequest(requestOf(1, 0, 1)).memoryBytes).toBe(mib);
  });

  it('S-128 refuses a process of another user, one that is not there, a slot that does not exist, and one that has a map', () => {
    const launcher = createBoxLauncher(uid + 1, null);
    expect(launcher.answer({ pid: 0, slot: 0, memoryBytes: mib })).toBe(hasUser);
    expect(launcher.answer({ pid: process.pid, slot: 0, memoryBytes: mib })).toBe(0);
    const own = createBoxLauncher(uid, null);
    expect(own.answer({ pid: 4_194_304, slot: 0, memoryBytes: mib })).toBe(0);
    expect(own.answer({ pid: process.pid, slot: 64, memoryBytes: mib })).toBe(0);
    expect(own.answer({ pid: process.pid, slot: 0, memoryBytes: 2 ** 41 })).toBe(0);
    // This process is in the first user namespace, whose map is written.
    const child = spawn('/bin/sleep', ['30'], { stdio: 'ignore' });
    expect(own.answer({ pid: child.pid ?? 0, slot: 0, memoryBytes: mib })).toBe(0);
    child.kill('SIGKILL');
  });

  it('S-128 answers one byte a request, however the bytes are cut', async () => {
    const there = new PassThrough();
    const written: number[] = [];
    const socket = Object.assign(there, {
      write: (chunk: Buffer) => written.push(...chunk) > 0,
    }) as unknown as Socket;
    let asked = 0;
    serveBoxLauncher({ answer: () => (asked += 1), end: () => undefined }, socket);
    const bytes = Buffer.concat([requestOf(1, 2, mib), requestOf(3, 4, mib), requestOf(5, 6, mib)]);
    for (const cut of [0, 5, 13, 30])
      there.push(bytes.subarray(cut, { 0: 5, 5: 13, 13: 30 }[cut] ?? bytes.length));
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, written]).toEqual([3, [1, 2, 3]]);
  });

  it('S-128 does not start without the uid of a worker that has given up root', () => {
    for (const wrong of [0, -1, Number.NaN, 1.5])
      expect(() => startBoxLauncher(wrong, null)).toThrow('uid of the worker');
  });
});
