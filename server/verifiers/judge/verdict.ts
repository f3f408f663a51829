import type { Issue } from '../../domain';
import { addUsage, describeHidden, noUsage, type CustomJudgement } from '../../evaluators/judges';
import { sumJudgeCost, rounded } from '../asking';
import type { JudgeCost, JudgedDecision } from '../kind';
import { decideCustom, type CustomBasis, type CustomSubject } from '../custom';
import type { Walk } from '../plan-node';
import { shortenedIssues, withholdPass } from '../shortened';
import type { JudgeDetail } from './detail';
import { feedbackOf } from './feedback';
import { isMet, type PartDetail, partNode, SCREEN, type ScreenDetail } from './plan';
import type { JudgeAnswer, JudgeSetting } from './question';

/** The results of a walk. */
interface Found {
  readonly screen: ScreenDetail;
  /** One for each criterion, or one in total; undefined for a node that was not run. */
  readonly parts: readonly (PartDetail | undefined)[];
  /** Null if no judge answered. */
  readonly judgement: CustomJudgement | null;
  readonly answer: JudgeAnswer | null;
  /** Reasons of scores that failed. */
  readonly failures: readonly string[];
}

/** The verdict by the value of the judges (`decideOwn`). Pure. */
export function decideJudge(
  walk: Walk,
  _subject: CustomSubject,
  setting: JudgeSetting,
): JudgedDecision<JudgeDetail> {
  const found = foundIn(walk, setting);
  const basis = basisOf(found, setting);
  const leftOut = found.judgement?.leftOut ?? 0;
  const detail = detailOf(found, setting);
  const decided = decideCustom(
    {
      basis,
      issues: issuesOf(found, setting),
      feedback: null,
      detail,
      judgeCost: usageOf(found),
      toCache: found.judgement,
    },
    setting,
  );
  const feedback =
    decided.verdict === 'fail'
      ? feedbackOf(detail, found.screen.screened, basis.value, setting)
      : null;
  return withholdPass({ ...decided, feedback, basis }, leftOut, decided.verdict === 'pass');
}

/**
 * Safe casts: the details come from this kind's plan; a node that was not run, or threw, has none.
 */
function foundIn(walk: Walk, { config }: JudgeSetting): Found {
  const count = Math.max(1, config.judge.criteria.length);
  const parts = Array.from(
    { length: count },
    (_, index) => walk.details.get(partNode(index)) as PartDetail | undefined,
  );
  const answer = parts.find((part) => part?.answer != null)?.answer ?? null;
  const screen = walk.details.get(SCREEN) as ScreenDetail | undefined;
  return {
    screen: screen ?? { screened: null, hidden: [] },
    parts,
    judgement: answer?.result.state === 'judged' ? answer.result.judgement : null,
    answer,
    failures: [
      ...new Set(
        walk.scores.flatMap(({ state, reasoning }) =>
          state === 'failed' ? [reasoning ?? 'the evaluator broke'] : [],
        ),
      ),
    ],
  };
}

function basisOf({ screen, judgement, failures }: Found, setting: JudgeSetting): CustomBasis {
  const { criteria } = setting.config.judge;
  const { notJudged } = setting;
  const required = (judgement?.parts ?? []).flatMap(({ index, value }) =>
    criteria[index]?.must_pass === true && value !== null ? [value] : [],
  );
  const isScreened = screen.screened !== null;
  return {
    value: isScreened ? 0 : (judgement?.value ?? null),
    must_pass: required.length === 0 ? null : Math.min(...required),
    confidence: judgement === null ? null : rounded(judgement.confidence),
    broken: !isScreened && failures.length > 0,
    disputed: judgement !== null && (judgement.tied || judgement.absent.length > 0),
    not_judged:
      notJudged === null ? null : notJudged.state === 'over_budget' ? 'over_budget' : 'passed_over',
  };
}

function detailOf({ judgement, parts }: Found, setting: JudgeSetting): JudgeDetail {
  const { criteria, output } = setting.config.judge;
  const labelOf = (answer: unknown): string | null =>
    output.type === 'choice' && typeof answer === 'string' ? answer : null;
  const partOf = (index: number) => judgement?.parts.find((each) => each.index === index);
  const answer = criteria.length === 0 ? (partOf(0)?.answer ?? null) : null;
  const reasons = (judgement?.parts ?? []).map(({ index, reasoning }) => {
    const name = criteria[index]?.name;
    return name === undefined ? reasoning : `${name}: ${reasoning}`;
  });
  return {
    output: answer,
    choice: labelOf(answer),
    reasoning: reasons.length === 0 ? null : reasons.join('\n').toWellFormed(),
    votes: (judgement?.votes ?? []).map(({ answer: own, ...vote }) => ({
      ...vote,
      choice: labelOf(own),
      reasoning: vote.reasoning.toWellFormed(),
    })),
    criteria: criteria.map(({ name, weight, must_pass }, index) => {
      const part = partOf(index);
      const value = part?.value ?? null;
      return {
        name,
        value,
        choice: labelOf(part?.answer),
        met: value === null ? null : isMet(value, setting),
        reasoning: part?.reasoning ?? parts[index]?.score.reasoning ?? null,
        weight,
        must_pass,
      };
    }),
  };
}

function usageOf({ answer }: Found): JudgeCost {
  if (answer === null) return sumJudgeCost([]);
  const { result } = answer;
  return sumJudgeCost([
    result.state === 'judged'
      ? {
          models: result.judgement.votes.map(({ model }) => model),
          answered: true,
          retryAfterMs: null,
          usage: addUsage(noUsage, result.judgement.usage),
        }
      : {
          models: result.models,
          answered: false,
          retryAfterMs: result.retryAfterMs,
          usage: result.usage,
        },
  ]);
}

const textMax = 300;

function issue(
  code: string,
  message: string,
  severity: Issue['severity'],
  path: string | null,
): Issue {
  const short = message.length > textMax ? `${message.slice(0, textMax)}…` : message;
  return { code, message: short.toWellFormed(), severity, path };
}

/** The most severe first. */
function issuesOf({ screen, judgement, failures }: Found, setting: JudgeSetting): readonly Issue[] {
  const { notJudged, whyNone, judges, config } = setting;
  const { criteria } = config.judge;
  const found: Issue[] = [];
  if (screen.screened !== null)
    return [issue(screen.screened.code, screen.screened.message, 'high', 'output')];
  if (notJudged !== null)
    found.push(
      issue(
        'llm_skipped',
        `No judge was called: ${notJudged.reason}`,
        notJudged.state === 'over_budget' ? 'medium' : 'low',
        null,
      ),
    );
  else if (judges.length === 0)
    found.push(
      issue(
        'no_judge',
        `No judge can be called: ${whyNone ?? 'no provider is configured'}`,
        'high',
        null,
      ),
    );
  else
    for (const reason of failures)
      found.push(issue('judge_failed', `The judge gave no answer: ${reason}`, 'high', null));
  if (judgement === null) return found;
  for (const { index, value } of judgement.parts) {
    const criterion = criteria[index];
    if (criterion === undefined || value === null || isMet(value, setting)) continue;
    found.push(
      issue(
        'criterion_not_met',
        `Not met: ${criterion.name}`,
        criterion.must_pass ? 'high' : 'medium',
        `judge.criteria[${index}]`,
      ),
    );
  }
  return [...found, ...doubts(judgement, setting), ...hiddenIssues(screen)];
}

/** Reasons to doubt the answer of the judges. */
function doubts(judgement: CustomJudgement, { config }: JudgeSetting): readonly Issue[] {
  const { tied, absent, parts, leftOut, unresolvedQuotes } = judgement;
  const isSplit = parts.some(({ agreement }) => agreement < 1);
  const absentWords = [...new Set(absent)].join(', ');
  return [
    ...(tied
      ? [issue('jury_tie', 'The judges gave no answer with a majority', 'medium', null)]
      : isSplit
        ? [issue('jury_disagreement', 'The judges do not agree on every answer', 'medium', null)]
        : []),
    ...(parts.some(({ value, answer }) => value === null && answer !== null)
      ? [
          issue(
            'no_value',
            `${config.name} gave an answer that has no value, so that there is no verdict`,
            'low',
            null,
          ),
        ]
      : []),
    ...(absent.length === 0
      ? []
      : [
          issue(
            'jury_incomplete',
            `${absent.length} of ${absent.length + judgement.votes.length} judge calls gave no answer: ${absentWords}`,
            'medium',
            null,
          ),
        ]),
    ...shortenedIssues(leftOut, 'the subject', null),
    ...(unresolvedQuotes === 0
      ? []
      : [
          issue(
            'unresolved_quotes',
            `${unresolvedQuotes} passages that the judge quotes do not occur in the subject`,
            'low',
            null,
          ),
        ]),
  ];
}

const hiddenIssues = ({ hidden }: ScreenDetail): readonly Issue[] =>
  hidden.length === 0
    ? []
    : [issue('hidden_text', `The subject has ${describeHidden(hidden)}`, 'medium', null)];
