import { familyOf, type JudgeChoice, sameFamily, sameModel } from '../../llm';
import type { NamedJudges } from '../../verifiers';
import type { WorkFacts } from '../input';

/** A notice about the judges, which becomes an issue of the verdict. */
export interface JudgeNotice {
  readonly code: 'judge_related' | 'judge_replaced' | 'jury_reduced';
  readonly message: string;
}

/** The judge that the verifier's definition or the mission names. */
interface WantedJudge {
  readonly model: string;
  /** `The mission's judge`. */
  readonly title: string;
}

interface ChosenJudges {
  readonly wanted: WantedJudge | null;
  readonly choice: JudgeChoice;
  /** Members of the jury that may not judge. */
  readonly leftOut: readonly string[];
  readonly facts: WorkFacts;
}

/** All notices about the judges of one run. */
export const judgeNotices = ({
  wanted,
  choice,
  leftOut,
  facts,
}: ChosenJudges): readonly JudgeNotice[] => [
  ...replacedJudgeNotice(wanted, choice, facts),
  ...noticesOf(choice, leftOut, facts.executor_model ?? null),
];

/** The named judge of a run; null if the project's default judge applies. */
export function wantedJudge(
  named: NamedJudges | null,
  mission: { readonly judge: string | null } | null,
): WantedJudge | null {
  if (named !== null && named.model !== null)
    return { model: named.model, title: "The verifier's judge" };
  return mission === null || mission.judge === null
    ? null
    : { model: mission.judge, title: "The mission's judge" };
}

/**
 * The judge of a mission or of a definition does not judge work of its own model family (VS-34); a
 * notice names the judge that replaced it.
 */
function replacedJudgeNotice(
  wanted: WantedJudge | null,
  choice: JudgeChoice,
  facts: WorkFacts,
): readonly JudgeNotice[] {
  if (
    wanted === null ||
    facts.verifier_model != null ||
    choice.state !== 'chosen' ||
    choice.judge === wanted.model
  )
    return [];
  if (choice.crossModel === 'self') return [];
  const executor = facts.executor_model ?? 'the work';
  const why = sameModel(wanted.model, executor)
    ? 'it did the work'
    : sameFamily(wanted.model, executor) === null
      ? 'its name does not show its family'
      : `it is of the same family as ${executor}`;
  return [
    {
      code: 'judge_replaced',
      message: `${wanted.title} ${wanted.model} does not judge this work: ${why}; ${choice.judge} judges instead`,
    },
  ];
}

/**
 * The notices about the judges: how the judge is related to the model that did the work, and each
 * member of the jury that may not judge.
 */
function noticesOf(
  choice: JudgeChoice,
  leftOut: readonly string[],
  executor: string | null,
): readonly JudgeNotice[] {
  const warning =
    choice.state === 'chosen' && choice.warning !== null
      ? [{ code: 'judge_related' as const, message: choice.warning }]
      : [];
  return [
    ...warning,
    ...leftOut.map((model) => {
      const why =
        familyOf(model) === null
          ? 'its name does not show its family'
          : `it is of the same family as ${executor ?? 'the work'}`;
      return {
        code: 'jury_reduced' as const,
        message: `The member ${model} of the jury does not judge this work: ${why}`,
      };
    }),
  ];
}
