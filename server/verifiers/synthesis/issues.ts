import type { Issue } from '../../domain';
import { describeHidden, findHiddenText } from '../../evaluators/judges';
import { lineOf } from '../asking';
import type { Walk } from '../plan-node';
import { shortenedIssues } from '../shortened';
import type { RunSetting } from '../kind';
import type { OutputComparison } from './compare-outputs';
import { type Answered, needsJudge } from './judging';
import type { ClaimSupport } from './claim-support';
import type { SynthesisSubject } from './subject';

const ISSUES_MAX = 100;
const HIDDEN_CHARS = 200_000;

interface IssueInput {
  readonly walk: Walk;
  readonly claimSupport: ClaimSupport | null;
  readonly answered: Answered | null;
  readonly verdict: string | null;
  readonly subject: SynthesisSubject;
  readonly setting: RunSetting<unknown>;
  readonly compared: OutputComparison;
}

/** The issues of the verdict, the most severe kinds first; at most a hundred. */
export function issuesOf(input: IssueInput): readonly Issue[] {
  const all = [
    ...brokenIssues(input),
    ...claimIssues(input),
    ...comparedIssues(input),
    ...wholeIssues(input),
    ...judgingIssues(input),
  ];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low'),
  ];
}

function issue(
  code: string,
  message: string,
  severity: Issue['severity'],
  path: string | null = null,
): Issue {
  return { code, message: message.slice(0, 500).toWellFormed(), severity, path };
}

/** Issues for the parts that could not be checked at all. */
function brokenIssues({ walk, claimSupport }: IssueInput): readonly Issue[] {
  if (claimSupport !== null) return [];
  return walk.scores.flatMap(({ state, reasoning }) =>
    state === 'failed' ? [issue('not_traced', reasoning ?? 'it broke', 'high', 'answer')] : [],
  );
}

function claimIssues({ claimSupport, subject, verdict }: IssueInput): readonly Issue[] {
  if (claimSupport === null) return [];
  const { claims, undecided } = claimSupport;
  if (claims.length === 0)
    return [
      issue('no_claims', 'The answer makes no claim: there is nothing to trace', 'high', 'answer'),
    ];
  const known = new Set(subject.agent_outputs.map(({ id }) => id));
  return [
    ...claims.flatMap(({ claim }) =>
      claim.state === 'unsupported'
        ? [
            issue(
              'unsupported_claim',
              `In no output: ${lineOf(claim.text)}${claim.reason === null ? '' : ` (${claim.reason})`}`,
              'high',
              pathOf(claim),
            ),
          ]
        : [],
    ),
    ...(undecided === 0
      ? []
      : [
          issue(
            'undecided_claims',
            `${undecided} of ${claims.length} claims are unjudged${verdict === null ? '' : '; they count as unsupported, and the verdict is the same either way'}`,
            'medium',
            'answer',
          ),
        ]),
    ...(subject.claims ?? []).flatMap(({ supported_by }, i) => {
      const unknown = supported_by.filter((id) => !known.has(id));
      if (unknown.length === 0) return [];
      const names = new Set(subject.agent_outputs.map(({ agent }) => agent));
      const agents = unknown.filter((name) => names.has(name));
      const message =
        agents.length > 0
          ? `The name of an agent is no support: ${agents.join(', ')}`
          : `No output has the id ${unknown.join(', ')}`;
      return [
        issue(
          agents.length > 0 ? 'agent_name_only' : 'unknown_output',
          message,
          'medium',
          `claims[${i}].supported_by`,
        ),
      ];
    }),
  ];
}

/** Issues found without a judge, which do not affect the verdict. */
function comparedIssues({ claimSupport, compared }: IssueInput): readonly Issue[] {
  return [
    ...compared.contradicted.map(({ claim, output, statement }) => {
      const found = claimSupport?.claims[claim]?.claim;
      const message = `${output} says otherwise: ${lineOf(statement)} The answer: ${lineOf(found?.text ?? '')}`;
      return issue(
        'contradicted_claim',
        message,
        'high',
        found === undefined ? 'answer' : pathOf(found),
      );
    }),
    ...(compared.unused.length === 0
      ? []
      : [
          issue(
            'unused_outputs',
            `The answer uses nothing of the outputs ${compared.unused.join(', ')}`,
            'low',
            'agent_outputs',
          ),
        ]),
  ];
}

const pathOf = ({
  start,
  end,
}: {
  readonly start: number | null;
  readonly end: number | null;
}): string => (start === null || end === null ? 'claims' : `answer:${start}-${end}`);

/** Issues that are reported but do not affect the verdict (SOAR-23). */
function wholeIssues({ answered }: IssueInput): readonly Issue[] {
  const finding = answered?.judged.state === 'judged' ? answered.judged.reply : null;
  if (finding === null) return [];
  return [
    ...(finding.coherence < 0.5
      ? [
          issue(
            'incoherent',
            `The answer does not hold together: ${finding.coherenceReasoning}`,
            'medium',
            'answer',
          ),
        ]
      : []),
    ...finding.missing.map((text) =>
      issue('missing_information', `Missing and not explained: ${text}`, 'medium', 'answer'),
    ),
  ];
}

function judgingIssues({
  answered,
  claimSupport,
  verdict,
  subject,
  setting,
}: IssueInput): readonly Issue[] {
  const { notJudged, judges, whyNone } = setting;
  const judged = answered?.judged ?? null;
  const hidden = findHiddenText(subject.answer.slice(0, HIDDEN_CHARS));
  const isJudgeNeeded =
    needsJudge(subject) && claimSupport !== null && claimSupport.claims.length > 0;
  // If the verdict needed no judge, only the reported scores are missing.
  const severity = verdict === null ? 'high' : 'low';
  return [
    ...(judged?.state === 'failed'
      ? [
          issue(
            'judge_failed',
            `The judge gave no judgement (${judged.errorClass}): ${judged.reason}`,
            'high',
          ),
        ]
      : []),
    ...(isJudgeNeeded && notJudged !== null
      ? [issue('llm_skipped', `No judge was asked: ${notJudged.reason}`, 'medium')]
      : []),
    ...(isJudgeNeeded && notJudged === null && judges.length === 0
      ? [
          issue(
            'no_judge',
            `No judge can be asked: ${whyNone ?? 'no provider is configured'}`,
            severity,
          ),
        ]
      : []),
    ...(judged?.state === 'judged'
      ? shortenedIssues(judged.reply.leftOut, 'the answer and the outputs', 'answer')
      : []),
    ...(hidden.length > 0
      ? [issue('hidden_text', `The answer contains ${describeHidden(hidden)}`, 'medium', 'answer')]
      : []),
  ];
}
