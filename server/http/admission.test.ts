import { describe, expect, test } from 'vitest';
import { AssayError } from '../platform';
import { createAdmission } from './admission';

const mebi = 1024 * 1024;

function codeOf(enter: () => unknown): string {
  try {
    enter();
    return 'entered';
  } catch (error) {
    return error instanceof AssayError ? `${error.code} ${error.retryAfterS}` : 'other';
  }
}

describe('I6: what one process has in hand is bounded before it is read', () => {
  test('by bytes: 128 MiB, whoever sends them', () => {
    const admission = createAdmission();
    const leaves = Array.from({ length: 6 }, () => admission.enter('a', 20 * mebi));
    expect(codeOf(() => admission.enter('a', 20 * mebi))).toBe('unavailable 1');
    expect(codeOf(() => admission.enter('b', 20 * mebi))).toBe('unavailable 1');
    leaves[0]?.leave();
    expect(codeOf(() => admission.enter('b', 20 * mebi))).toBe('entered');
  });

  test('by requests: 1,000; a body of untold length counts as 256 KiB', () => {
    const admission = createAdmission();
    for (let i = 0; i < 1_000; i++) admission.enter('a', 10);
    expect(codeOf(() => admission.enter('a', 10))).toBe('unavailable 1');
    const untold = createAdmission();
    for (let i = 0; i < 512; i++) untold.enter('a', Number.NaN);
    expect(codeOf(() => untold.enter('a', Number.NaN))).toBe('unavailable 1');
  });

  test('R-4 a project may have all of it while it is alone, and half while others are at work', () => {
    const admission = createAdmission();
    for (let i = 0; i < 600; i++) admission.enter('noisy', 10);
    expect(codeOf(() => admission.enter('quiet', 10))).toBe('entered');
    expect(codeOf(() => admission.enter('noisy', 10))).toBe('rate_limited 1');
    expect(codeOf(() => admission.enter('quiet', 10))).toBe('entered');
  });

  test('leaving twice counts once', () => {
    const admission = createAdmission();
    const { leave } = admission.enter('a', 20 * mebi);
    leave();
    leave();
    for (let i = 0; i < 6; i++) admission.enter('a', 20 * mebi);
    expect(codeOf(() => admission.enter('a', 20 * mebi))).toBe('unavailable 1');
  });

  test('a body that grows beyond what it said is counted as it grows; one that says it is too long weighs nothing', () => {
    const admission = createAdmission();
    const { hold } = admission.enter('a', Number.NaN);
    for (let i = 0; i < 6; i++) admission.enter('a', 20 * mebi);
    hold(7 * mebi);
    expect(codeOf(() => hold(9 * mebi))).toBe('unavailable 1');
    expect(codeOf(() => admission.enter('a', 500 * mebi))).toBe('entered');
  });
});
