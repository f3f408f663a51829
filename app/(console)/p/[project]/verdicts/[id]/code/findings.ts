import type { CodeView } from '@/app/_trpc/outputs';

/** A finding at a line of a file. */
export interface Finding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** A fault, or a match of a requested pattern. */
  readonly kind: 'fault' | 'match';
  readonly message: string;
}

type Place = (
  line: string,
) => { readonly path: string; readonly line: number; readonly message: string } | null;

/**
 * Locations as compilers and test runners print them. One line each: tsc `a.ts(3,5): error …`; Go,
 * javac, gcc `a.go:3:5: …`; Rust `--> a.rs:3:5`; Python `File "a.py", line 3`.
 */
const places: readonly Place[] = [
  (line) => placeOf(/^(?<path>[^\s(:][^(:]*)\((?<line>\d+),\d+\): (?<message>.+)$/.exec(line)),
  (line) => placeOf(/^\s*--> (?<path>[^:]+):(?<line>\d+):\d+$/.exec(line)),
  (line) => placeOf(/\bFile "(?<path>[^"]+)", line (?<line>\d+)/.exec(line)),
  (line) => placeOf(/^(?<path>[^\s:][^:]*):(?<line>\d+)(?::\d+)?: (?<message>.+)$/.exec(line)),
];

function placeOf(found: RegExpExecArray | null): ReturnType<Place> {
  const { path, line, message } = found?.groups ?? {};
  if (path === undefined || line === undefined) return null;
  return {
    path: path.replace(/^(?:\.\/|\/box\/)+/, ''),
    line: Number(line),
    message: message ?? '',
  };
}

/**
 * The findings of gates, of the search for stubs and of the search for patterns, by file; only for
 * files that were sent.
 */
export function listFindings({
  files,
  gates,
  stubs,
  patterns,
}: CodeView): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>(files.map(({ path }) => [path, []]));
  const add = (finding: Finding): void => {
    const ofFile = found.get(finding.path);
    if (
      ofFile?.some(({ line, message }) => line === finding.line && message === finding.message) ===
      false
    )
      ofFile.push(finding);
  };
  for (const { command, stderr, status } of gates) {
    if (status !== 'failed') continue;
    for (const { path, line, message } of placesIn(stderr))
      add({ path, line, kind: 'fault', message: message || `named by ${command}` });
  }
  for (const { path, line, name, reason } of stubs)
    add({ path, line, kind: 'fault', message: `stub: ${name}, ${reason}` });
  for (const { path, line, pattern, matched } of patterns) {
    if (matched && path !== null && line !== null)
      add({ path, line, kind: 'match', message: pattern });
  }
  return new Map(
    [...found].map(([path, list]) => [path, list.toSorted((a, b) => a.line - b.line)]),
  );
}

function placesIn(stderr: string): NonNullable<ReturnType<Place>>[] {
  return stderr.split('\n').flatMap((line) => {
    const at = places.map((read) => read(line)).find((place) => place !== null);
    return at == null ? [] : [at];
  });
}
