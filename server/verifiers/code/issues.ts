import type { Issue } from '../../domain';
import type { GateResult } from '../../code';
import { shortenedIssues } from '../shortened';
import type { Weighed } from './weighed';

const ISSUES_MAX = 100;
const TEXT_MAX = 500;

/**
 * What is wrong with the work, and what of it could not be told, for the card and for callers. The
 * gravest kinds first.
 */
export function issuesOf(weighed: Weighed): readonly Issue[] {
  const { read, gates, truncated, semantic, broken, tier, tierAssumed, notRun } = weighed;
  const { files, patterns, framework, structure, complete } = read.measured;
  const missed = patterns.matches.filter(({ how }) => how === 'missing');
  const all: Issue[] = [
    ...(broken === null
      ? []
      : [issue('not_read', `The files could not be read: ${broken}`, 'high', null)]),
    ...files.missing.map((path) => issue('missing_file', `${path} was not written`, 'high', path)),
    ...(framework.violation
      ? [
          issue(
            'wrong_framework',
            `${framework.expected ?? ''} was asked for, and ${framework.found ?? ''} is used`,
            'high',
            framework.path,
          ),
        ]
      : []),
    ...(truncated
      ? [issue('truncated', 'A file was cut off while it was written', 'high', null)]
      : []),
    ...missed.flatMap(({ pattern }) =>
      pattern.kind === 'hard'
        ? [
            issue(
              'missing_pattern',
              `Required and missing: ${pattern.pattern}`,
              'high',
              pattern.path,
            ),
          ]
        : [],
    ),
    ...gates.flatMap(gateIssues),
    ...(notRun !== null && gates.length === 0 ? [issue('gate_not_run', notRun, 'high', null)] : []),
    ...read.files.flatMap(({ path, errorLine }) =>
      errorLine === null
        ? []
        : [issue('syntax_error', `${path}, line ${errorLine}: no valid code`, 'medium', path)],
    ),
    ...read.files.flatMap(({ path, isIdle }) =>
      isIdle
        ? [
            issue(
              'idle_module',
              `${path} imports, and neither exports nor runs anything`,
              'medium',
              path,
            ),
          ]
        : [],
    ),
    ...structure.stubs.map(({ path, element }) =>
      issue(
        'stub',
        `${path}, line ${element.line}: ${element.name || 'a function'} is a stub (${element.stub ?? ''})`,
        'medium',
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
      ? [
          issue(
            'framework_missing',
            `${framework.expected} was asked for, and nothing uses it`,
            'medium',
            null,
          ),
        ]
      : []),
    ...complete.flatMap(({ path, share, by }) =>
      path === null || share >= 1
        ? []
        : [
            issue(
              'thin_file',
              `${path} is ${Math.round(share * 100)} % of what is owed, by ${by}`,
              'medium',
              path,
            ),
          ],
    ),
    ...missed.flatMap(({ pattern }) =>
      pattern.kind === 'soft'
        ? [
            issue(
              'optional_pattern',
              `Optional and missing: ${pattern.pattern}`,
              'low',
              pattern.path,
            ),
          ]
        : [],
    ),
    ...(framework.expected === null && framework.found !== null
      ? [
          issue(
            'unasked_framework',
            `${framework.found} is used, and the request names no framework`,
            'low',
            framework.path,
          ),
        ]
      : []),
    ...(semantic?.result?.state === 'failed'
      ? [
          issue(
            'judge_failed',
            `The semantic judge gave nothing: ${semantic.why ?? ''}`,
            'low',
            null,
          ),
        ]
      : []),
    ...shortenedIssues(
      semantic?.result?.state === 'judged' ? semantic.result.judgement.leftOut : 0,
      'the files and the request',
      null,
    ),
    ...(tierAssumed
      ? [
          issue(
            'tier_assumed',
            `The model's name tells no size: tier ${tier} is assumed`,
            'low',
            null,
          ),
        ]
      : []),
  ];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low', null),
  ];
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

/**
 * Tests that were sent along decide the verdict (`ruleCode`): the reader learns which of them did.
 */
export function failedTests(tests: GateResult['tests']): string {
  if (tests === null || tests.failures.length === 0) return '';
  const named = tests.failures
    .slice(0, NAMED_TESTS)
    .map(({ id, message }) => (message === '' ? id : `${id} (${message.slice(0, 120)})`));
  const others = Math.max(tests.failed, tests.failures.length) - named.length;
  const more = others > 0 ? `, and ${others} more` : '';
  return `Failed: ${named.join(', ')}${more}. A failed test decides: the verdict is FAIL whatever the points.`;
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
