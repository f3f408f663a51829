import { maxPoints } from '../../code';
import type { Decided } from './describe';
import { failedTests } from './issues';
import { type CodeSubject, modelOf } from './subject';
import type { Weighed } from './weighed';

const LINES_MAX = 60;
const OUTPUT_LINES = 20;

/** The whole verification as text, for readers without the page (QEL-45). */
export function reportOf(
  { weighed, verdict, repairPlan, skipped, instructions }: Decided,
  subject: CodeSubject,
): string {
  if (skipped !== null)
    return [`Not verified: ${skipped}`, section('Gates', gateLines(weighed))]
      .filter((part) => part !== '')
      .join('\n\n');
  const { tier, tierAssumed, passThreshold, total, semantic } = weighed;
  const model = modelOf(subject) ?? 'unknown model';
  const parts = [
    `${verdict ?? 'NO VERDICT'} - ${total.total}/100, ${passThreshold} needed (${model}, tier ${tier}${tierAssumed ? ', assumed' : ''})`,
    ...(repairPlan.repairState.iteration > 0
      ? [`Repair ${repairPlan.repairState.iteration} of ${repairPlan.repairState.budget}`]
      : []),
    pointLines(weighed),
    section('Files', fileLines(weighed)),
    section('Patterns', patternLines(weighed)),
    section(
      'Stubs',
      weighed.read.measured.structure.stubs.map(
        ({ path, element }) => `${path}:${element.line} ${element.name} - ${element.stub ?? ''}`,
      ),
    ),
    section('Gates', gateLines(weighed)),
    section('Proof', weighed.notes),
    section(
      'Semantic judge',
      semantic === null ? [] : [semantic.why ?? `${semantic.value ?? 0} of 1`],
    ),
    section(
      'To fix',
      instructions.map(
        ({ action, target, reasons }) => `${action} ${target}: ${reasons.join(' ')}`,
      ),
    ),
    section(
      'Repair',
      [repairPlan.noNudge, repairPlan.exhaustedNote, repairPlan.boostSuggestion].filter(
        (text) => text !== null,
      ),
    ),
    'A PASS says that the code is well formed and complete for what the request names. It says nothing about whether it is right.',
  ];
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .toWellFormed();
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > LINES_MAX ? [`and ${lines.length - LINES_MAX} more`] : [];
  return [title, ...lines.slice(0, LINES_MAX).map((line) => `  ${line}`), ...more].join('\n');
}

function pointLines({ points, total, semantic, bonus, read, proof }: Weighed): string {
  const line = (name: string, value: number, max: number): string =>
    `  ${name.padEnd(10)} ${String(Math.round(value * 100) / 100)} / ${max}`;
  return [
    'Points',
    line('Files', points.files, maxPoints.files),
    `${line('Patterns', points.patterns, maxPoints.patterns)} (times ${Math.round(read.measured.structure.multiplier * 100)}% written)`,
    line('Framework', points.framework, maxPoints.framework),
    line('Complete', points.complete, maxPoints.complete),
    `${line('Proof', points.proof, maxPoints.proof)}${proof.share === null ? ' (unknown)' : ''}`,
    ...(semantic?.value == null ? [] : [line('Semantic', bonus, maxPoints.semantic)]),
    `  ${'Total'.padEnd(10)} ${total.total} / 100${total.capped ? ' (capped: it does not compile)' : ''}${total.rescaled ? ' (of 70, stretched)' : ''}`,
  ].join('\n');
}

function fileLines({ read, contract }: Weighed): readonly string[] {
  const { files, framework } = read.measured;
  return [
    ...files.found.map(({ planned, path }) =>
      planned === path ? `found    ${planned}` : `found    ${planned} (as ${path})`,
    ),
    ...files.missing.map((path) => `missing  ${path}`),
    ...(contract.deliverables.length === 0
      ? [`${files.written} written, none named in the request`]
      : []),
    ...(framework.expected === null
      ? []
      : [
          `Framework ${framework.expected}: ${framework.violation ? `${framework.found ?? ''} is used instead` : framework.share === 1 ? 'used' : 'not used'}`,
        ]),
  ];
}

function patternLines({ read }: Weighed): readonly string[] {
  return read.measured.patterns.matches.map(({ pattern, how, path, line, distance }) => {
    const where = path === null ? '' : ` in ${path}:${line ?? 0}`;
    const edits = how === 'fuzzy' ? ` (${distance ?? 0} edits)` : '';
    return `${how.padEnd(8)} ${pattern.kind} ${pattern.pattern}${where}${edits}`;
  });
}

function gateLines({ gates }: Weighed): readonly string[] {
  return gates.flatMap(({ command, status, durationMs, reason, stderr, kind, tests }) => [
    `${status.padEnd(8)} ${command} (${Math.round(durationMs)} ms)${reason === null ? '' : ` - ${reason}`}`,
    ...(kind === 'test' && status === 'failed' && tests !== null && tests.failures.length > 0
      ? [`  ${failedTests(tests)}`]
      : []),
    ...(status === 'passed'
      ? []
      : stderr
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(0, OUTPUT_LINES)
          .map((line) => `  ${line}`)),
  ]);
}
