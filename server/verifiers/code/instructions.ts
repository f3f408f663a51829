import type { Contract } from '../../domain';
import { extensionOf, type GateResult, type PatternMatch, type Static } from '../../code';
import type { ReadDetail } from './nodes';
import { gather, type Instruction } from './nudge';

/** The target of instructions that concern no single file. */
const WHOLE_PROJECT = 'the project';
const NAMES_MAX = 12;
const GATE_LINES = 3;

/**
 * The required fixes, file by file. Proof that the environment could not give needs no fix, so
 * there is no instruction for it (QEL-28, QEL-29).
 */
export function instructionsOf(
  contract: Contract,
  { files, measured }: ReadDetail,
  gates: readonly GateResult[],
): readonly Instruction[] {
  const paths = files.map(({ path }) => path);
  return gather([
    ...measured.files.missing.map((path) => rewrite(path, 'The file is missing.')),
    ...patternParts(measured, contract, paths),
    ...frameworkParts(measured, contract, paths),
    ...stubParts(measured),
    ...thinParts(measured),
    ...gates.flatMap((gate) =>
      gate.status === 'failed' || gate.status === 'timeout' ? [gatePart(gate, paths)] : [],
    ),
    ...files.flatMap(({ path, errorLine }) =>
      errorLine === null ||
      gates.some(({ kind, status }) => kind === 'compile' && status === 'failed')
        ? []
        : [patch(path, `Line ${errorLine} is no valid code.`)],
    ),
  ]);
}

const rewrite = (target: string, reason: string): Instruction => ({
  action: 'REWRITE',
  target,
  reasons: [reason],
});
const patch = (target: string, reason: string): Instruction => ({
  action: 'PATCH',
  target,
  reasons: [reason],
});

function frameworkParts(
  { framework }: Static,
  contract: Contract,
  paths: readonly string[],
): readonly Instruction[] {
  const { expected, found, violation, path, share } = framework;
  if (violation)
    return [rewrite(path ?? WHOLE_PROJECT, `Use ${expected ?? ''}, not ${found ?? ''}.`)];
  if (share === 1 || expected === null) return [];
  return [patch(mainFile(contract, paths), `Use ${expected}.`)];
}

function patternParts(
  { patterns }: Static,
  contract: Contract,
  paths: readonly string[],
): readonly Instruction[] {
  const missing = patterns.matches.filter(({ how }) => how === 'missing');
  const targetOf = ({ pattern }: PatternMatch): string => pattern.path ?? mainFile(contract, paths);
  // A field is often only used; a required name must be defined somewhere.
  const used = patterns.undeclared.filter(({ pattern }) => pattern.kind === 'hard');
  const targets = [...new Set([...missing, ...used].map(targetOf))];
  return targets.flatMap((target) => {
    const of = (kind: 'hard' | 'soft'): readonly string[] =>
      missing
        .filter((each) => each.pattern.kind === kind && targetOf(each) === target)
        .map(({ pattern }) => pattern.pattern);
    const [hard, soft] = [of('hard'), of('soft')];
    const undeclared = used
      .filter((each) => targetOf(each) === target)
      .map(({ pattern }) => pattern.pattern);
    return [
      ...(hard.length === 0
        ? []
        : [rewrite(target, `Missing REQUIRED patterns: ${listed(hard)}.`)]),
      ...(soft.length === 0 ? [] : [patch(target, `Add: ${listed(soft)}.`)]),
      ...(undeclared.length === 0 ? [] : [patch(target, `Declare: ${listed(undeclared)}.`)]),
    ];
  });
}

function stubParts({ structure }: Static): readonly Instruction[] {
  const paths = [...new Set(structure.stubs.map(({ path }) => path))];
  return paths.map((path) => {
    const names = structure.stubs.flatMap((each) =>
      each.path === path
        ? [`${each.element.name || 'a function'} (line ${each.element.line})`]
        : [],
    );
    return patch(path, `Implement: ${listed(names)}.`);
  });
}

function thinParts({ complete }: Static): readonly Instruction[] {
  return complete.flatMap(({ path, share, by }) => {
    if (path === null || share >= 1) return [];
    return [
      patch(
        path,
        by === 'elements'
          ? `Only ${Math.round(share * 100)}% of the requested functions and classes are there.`
          : 'There is too little in it.',
      ),
    ];
  });
}

function gatePart(
  { command, status, stderr, tests, kind, reason }: GateResult,
  paths: readonly string[],
): Instruction {
  const output = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const failures = (tests?.failures ?? [])
    .slice(0, GATE_LINES)
    .map(({ id, message }) => `${id}: ${message}`);
  // If the reason has the parser's findings, the compiler's output is about the environment.
  const parsed =
    kind === 'compile' && reason?.includes(': found by the parser') === true ? reason : null;
  const named = paths.find((path) =>
    parsed === null
      ? output.some((line) => line.includes(path))
      : parsed.startsWith(`${path}, line `),
  );
  const why =
    status === 'timeout' ? 'did not end in time' : kind === 'compile' ? 'failed' : 'had failures';
  const detail = (parsed === null ? [...failures, ...output] : [parsed])
    .slice(0, GATE_LINES)
    .join(' | ')
    .slice(0, 600);
  return patch(named ?? WHOLE_PROJECT, `${command} ${why}${detail === '' ? '.' : `: ${detail}`}`);
}

/**
 * The target of an instruction without a file: the contract's first code file, else the first
 * written one.
 */
function mainFile({ deliverables }: Contract, paths: readonly string[]): string {
  const isCode = (path: string): boolean =>
    !['json', 'md', 'txt', 'css', 'html', 'yaml', 'yml', 'toml'].includes(extensionOf(path));
  return (
    deliverables.find(isCode) ?? deliverables[0] ?? paths.find(isCode) ?? paths[0] ?? WHOLE_PROJECT
  );
}

function listed(names: readonly string[]): string {
  return names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`;
}
