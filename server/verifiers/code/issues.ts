import type { Issue } from '../../domain';
import type { GateResult } from '../../code';
import { shortenedIssues } from '../shortened';
import type { Weighed } from './weighed';

const ISSUES_MAX = 100;
const TEXT_MAX = 500;

/**
 * The issues for pages and callers: the faults of the work, and the parts that could not be
 * checked. The most severe kinds first.
 */
export function issuesOf(weighed: Weighed): readonly Issue[] {
  const all = [...faultsOf(weighed), ...weaknessesOf(weighed), ...remarksOn(weighed)];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low', null),
  ];
}

/** Issues for faults that keep the work from meeting the request. */
function faultsOf({ read, gates, truncated, broken, notRun }: Weighed): readonly Issue[] {
  const { files, patterns, framework } = read.measured;
  const fault = (code: string, message: string, path: string | null = null): Issue =>
    issue(code, message, 'high', path);
  return [
    ...(broken === null ? [] : [fault('not_read', `The files could not be read: ${broken}`)]),
    ...files.missing.map((path) => fault('missing_file', `${path} was not written`, path)),
    ...(framework.violation
      ? [
          fault(
            'wrong_framework',
            `${framework.expected ?? ''} was requested, but ${framework.found ?? ''} is used`,
            framework.path,
          ),
        ]
      : []),
    ...(truncated ? [fault('truncated', 'A file was cut off while it was written')] : []),
    ...missedPatterns(patterns, 'hard').map(({ pattern, path }) =>
      fault('missing_pattern', `Required and missing: ${pattern}`, path),
    ),
    ...gates.flatMap(gateIssues),
    ...(notRun !== null && gates.length === 0 ? [fault('gate_not_run', notRun)] : []),
  ];
}

/** Issues for faults that lower the points. */
function weaknessesOf({ read }: Weighed): readonly Issue[] {
  const { patterns, framework, structure, complete } = read.measured;
  const weakness = (code: string, message: string, path: string | null = null): Issue =>
    issue(code, message, 'medium', path);
  return [
    ...read.files.flatMap(({ path, errorLine }) =>
      errorLine === null
        ? []
        : [weakness('syntax_error', `${path}, line ${errorLine}: no valid code`, path)],
    ),
    ...read.files
      .filter(({ isIdle }) => isIdle)
      .map(({ path }) =>
        weakness('idle_module', `${path} imports, and neither exports nor runs anything`, path),
      ),
    ...structure.stubs.map(({ path, element: { line, name, stub } }) =>
      weakness(
        'stub',
        `${path}, line ${line}: ${name || 'a function'} is a stub (${stub ?? ''})`,
        path,
      ),
    ),
    ...patterns.undeclared.map(({ pattern, path, line }) =>
      issue(
        'undeclared_name',
        `${pattern.pattern} is used (${path ?? ''}, line ${line ?? 0}), and nothing declares it`,
        pattern.kind === 'hard' ? 'medium' : 'low',
        path,
      ),
    ),
    ...(!framework.violation && framework.share === 0 && framework.expected !== null
      ? [weakness('framework_missing', `${framework.expected} was requested, but nothing uses it`)]
      : []),
    ...complete.flatMap(({ path, share, by }) =>
      path === null || share >= 1
        ? []
        : [
            weakness(
              'thin_file',
              `${path} is ${Math.round(share * 100)}% of what the request requires, by ${by}`,
              path,
            ),
          ],
    ),
  ];
}

/** Notes, including the checks that had no result. */
function remarksOn({ read, semantic, tier, tierAssumed }: Weighed): readonly Issue[] {
  const { patterns, framework } = read.measured;
  const remark = (code: string, message: string, path: string | null = null): Issue =>
    issue(code, message, 'low', path);
  return [
    ...missedPatterns(patterns, 'soft').map(({ pattern, path }) =>
      remark('optional_pattern', `Optional and missing: ${pattern}`, path),
    ),
    ...(framework.expected === null && framework.found !== null
      ? [
          remark(
            'unasked_framework',
            `${framework.found} is used, and the request names no framework`,
            framework.path,
          ),
        ]
      : []),
    ...(semantic?.result?.state === 'failed'
      ? [remark('judge_failed', `The semantic judge gave no result: ${semantic.why ?? ''}`)]
      : []),
    ...shortenedIssues(
      semantic?.result?.state === 'judged' ? semantic.result.judgement.leftOut : 0,
      'the files and the request',
      null,
    ),
    ...(tierAssumed
      ? [
          remark(
            'tier_assumed',
            `The model's name does not contain its size: tier ${tier} is assumed`,
          ),
        ]
      : []),
  ];
}

function missedPatterns(
  { matches }: Weighed['read']['measured']['patterns'],
  kind: 'hard' | 'soft',
) {
  return matches
    .filter(({ how, pattern }) => how === 'missing' && pattern.kind === kind)
    .map(({ pattern }) => pattern);
}

export function gateIssues({ command, status, reason, kind, tests }: GateResult): readonly Issue[] {
  const why = [reason ?? 'no reason is known', kind === 'test' ? failedTests(tests) : '']
    .filter((part) => part !== '')
    .join(' ');
  switch (status) {
    case 'passed':
      return [];
    case 'failed':
      return [issue('gate_failed', `${command}: ${why}`, 'high', null)];
    case 'timeout':
      return [issue('gate_timeout', `${command}: ${why}`, 'medium', null)];
    case 'not_run':
      return [issue('gate_not_run', `${command}: ${why}`, 'high', null)];
    case 'neutral':
      return [issue('gate_neutral', `${command}: ${why}`, 'low', null)];
  }
}

const NAMED_TESTS = 5;

/** The caller's tests decide the verdict (`ruleCode`), so the issue names the failed ones. */
export function failedTests(tests: GateResult['tests']): string {
  if (tests === null || tests.failures.length === 0) return '';
  const named = tests.failures
    .slice(0, NAMED_TESTS)
    .map(({ id, message }) => (message === '' ? id : `${id} (${message.slice(0, 120)})`));
  const otherFailures = Math.max(tests.failed, tests.failures.length) - named.length;
  const more = otherFailures > 0 ? `, and ${otherFailures} more` : '';
  return `Failed: ${named.join(', ')}${more}. A failed test decides: the verdict is FAIL regardless of the points.`;
}

function issue(
  code: string,
  message: string,
  severity: Issue['severity'],
  path: string | null,
): Issue {
  return {
    code,
    message: (message.length > TEXT_MAX
      ? `${message.slice(0, TEXT_MAX)}…`
      : message
    ).toWellFormed(),
    severity,
    path,
  };
}
