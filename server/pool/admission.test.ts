import { describe, expect, test } from 'vitest';
import { AssayError } from '../platform';
import { createAdmission } from './admission';

const mebi = 1024 * 1024;

async function codeOf(enter: () => unknown): Promise<string> {
  try {
    await enter();
    return 'entered';
  } catch (error) {
    return error instanceof AssayError ? `${error.code} ${error.retryAfterS}` : 'other';
  }
}

describe('I6: the request bodies of one process are bounded before they are read', () => {
  test('by bytes: 128 MiB over all projects', async () => {
    const admission = createAdmission({ waitMs: 0 });
    const leaves = await Promise.all(
      Array.from({ length: 6 }, () => admission.enter('a', 20 * mebi)),
    );
    expect(await codeOf(() => admission.enter('a', 20 * mebi))).toBe('unavailable 1');
    expect(await codeOf(() => admission.enter('b', 20 * mebi))).toBe('unavailable 1');
    leaves[0]?.leave();
    expect(await codeOf(() => admission.enter('b', 20 * mebi))).toBe('entered');
  });

  test('by requests: 1,000; a body of unknown length counts as 256 KiB', async () => {
    const admission = createAdmission({ waitMs: 0 });
    for (let i = 0; i < 1_000; i++) await admission.enter('a', 10);
    expect(await codeOf(() => admission.enter('a', 10))).toBe('unavailable 1');
    const unknownLength = createAdmission({ waitMs: 0 });
    for (let i = 0; i < 512; i++) await unknownLength.enter('a', Number.NaN);
    expect(await codeOf(() => unknownLength.enter('a', Number.NaN))).toBe('unavailable 1');
  });

  test('R-4 a project may have all of it while it is alone, and half while others are at work', async () => {
    const admission = createAdmission({ waitMs: 0 });
    for (let i = 0; i < 600; i++) await admission.enter('noisy', 10);
    expect(await codeOf(() => admission.enter('quiet', 10))).toBe('entered');
    expect(await codeOf(() => admission.enter('noisy', 10))).toBe('rate_limited 1');
    expect(await codeOf(() => admission.enter('quiet', 10))).toBe('entered');
  });

  test('R-105 over its share a project waits, and is let in when a request of its own has left', async () => {
    const admission = createAdmission({ waitMs: 60_000 });
    const places = [];
    for (let i = 0; i < 501; i++) places.push(await admission.enter('noisy', 10));
    await admission.enter('quiet', 10);
    let isIn = false;
    const entering = admission.enter('noisy', 10).then(() => (isIn = true));
    await admission.enter('quiet', 10);
    expect(isIn).toBe(false);
    for (const place of places) place.leave();
    await entering;
    expect(isIn).toBe(true);
  });

  test('leaving twice counts once', async () => {
    const admission = createAdmission({ waitMs: 0 });
    const { leave } = await admission.enter('a', 20 * mebi);
    leave();
    leave();
    for (let i = 0; i < 6; i++) await admission.enter('a', 20 * mebi);
    expect(await codeOf(() => admission.enter('a', 20 * mebi))).toBe('unavailable 1');
  });

  test('a body is counted as it grows beyond its announced length; one announced as too long does not count', async () => {
    const admission = createAdmission({ waitMs: 0 });
    const { hold } = await admission.enter('a', Number.NaN);
    for (let i = 0; i < 6; i++) await admission.enter('a', 20 * mebi);
    hold(7 * mebi);
    expect(await codeOf(() => hold(9 * mebi))).toBe('unavailable 1');
    expect(await codeOf(() => admission.enter('a', 500 * mebi))).toBe('entered');
  });
});
