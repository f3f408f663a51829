import { findFramework, frameworkLanguageOf, frameworksIn, usesFramework } from '../frameworks';
import type { CodeFile } from '../structure';

/** Frameworks built on top of others: their own code imports those as well. */
const builtOn: ReadonlyMap<string, readonly string[]> = new Map([
  ['NestJS', ['Express', 'Fastify']],
]);

export interface FrameworkFinding {
  readonly expected: string | null;
  /** A rival, else the expected one, else the first used; null if none is used. */
  readonly found: string | null;
  readonly all: readonly string[];
  /** A rival is used: a hard fail at any score (QEL-16). */
  readonly violation: boolean;
  /** The location of the rival. */
  readonly path: string | null;
  /** 0..1 of the dimension. */
  readonly share: 0 | 1;
}

/**
 * Compares the frameworks in the files with the requested one. Full points if none was requested.
 * No points, but no hard fail, if neither it nor a rival is used (QEL-18).
 */
export function frameworkOf(
  requested: string | null,
  files: readonly CodeFile[],
): FrameworkFinding {
  const used = files.flatMap(({ path, code }) =>
    frameworksIn(code, frameworkLanguageOf(path)).map(({ name }) => ({ name, path })),
  );
  const all = [...new Set(used.map(({ name }) => name))];
  const expected = requested === null ? null : findFramework(requested);
  if (expected === null) {
    // A framework missing in the table cannot be detected.
    return {
      expected: requested,
      found: all[0] ?? null,
      all,
      violation: false,
      path: null,
      share: 1,
    };
  }
  const isUsed = files.some(({ path, code }) => usesFramework(expected, path, code));
  const below = isUsed ? (builtOn.get(expected.name) ?? []) : [];
  const rival = used.find(({ name }) => expected.rivals.includes(name) && !below.includes(name));
  const found = rival?.name ?? (isUsed ? expected.name : (all[0] ?? null));
  return {
    expected: expected.name,
    found,
    all: isUsed && !all.includes(expected.name) ? [...all, expected.name] : all,
    violation: rival !== undefined,
    path: rival?.path ?? null,
    share: isUsed && rival === undefined ? 1 : 0,
  };
}
