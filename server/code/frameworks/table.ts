import { compiledFrameworks } from './compiled';
import type { Framework, FrameworkEntry } from './framework';
import { serverFrameworks, viewFrameworks } from './javascript';
import { pythonFrameworks } from './python';

const entries: readonly FrameworkEntry[] = [
  ...pythonFrameworks,
  ...serverFrameworks,
  ...viewFrameworks,
  ...compiledFrameworks,
];

/**
 * All known frameworks (QEL-8). A new one is one entry in the file of its language, and rows in
 * frameworks.test.ts.
 */
export const frameworks: readonly Framework[] = entries.map((entry) => ({
  ...entry,
  rivals: rivalsOf(entry),
}));

const byName: ReadonlyMap<string, Framework> = new Map(
  frameworks.map((framework) => [framework.name.toLowerCase(), framework]),
);

/** By its name in any case; null for an unknown one. */
export function findFramework(name: string): Framework | null {
  return byName.get(name.toLowerCase()) ?? null;
}

/** The frameworks of the same role: if one was requested, each of the others is wrong. */
function rivalsOf({ name, role, goesWith = [] }: FrameworkEntry): string[] {
  if (role === 'store') return [];
  return entries
    .filter((other) => other.role === role && other.name !== name && !goesWith.includes(other.name))
    .map((other) => other.name);
}
