import type { ProjectCtx } from '../../access';
import { getPrompt, listPrompts, type PromptDefaults } from '../../prompts';
import { judgeListText } from '../trials/judge-list';
import { getTrial, listAllTrials, type TrialHead } from '../trials/get-trial';
import type { GateFindings, GateVerdict, NotTried } from './gate-findings';
import { decidingTrial } from './decide-promotion';
import type { PromotionMode } from './promotion';

/** The evidence for and against a promotion. */
export interface Gate {
  readonly mode: PromotionMode;
  /** The trial of the findings; null if none counts. */
  readonly trialId: string | null;
  /** Number of trials that count. */
  readonly trials: number;
  readonly findings: GateFindings | NotTried;
}

/** The current state. */
export interface PromotionSettings {
  readonly mode: PromotionMode;
  /** The judges of the settings (`JudgeList`); '' if none is named. */
  readonly judges: string;
}

export async function readPromotionSettings({
  sql,
  projectId,
}: ProjectCtx): Promise<PromotionSettings> {
  const [row] = await sql<
    { promotion_gate: PromotionMode; default_judge: string | null; jury: string[] }[]
  >`
    select promotion_gate, default_judge, to_jsonb(jury) as jury from project_settings where project_id = ${projectId}`;
  if (row === undefined) return { mode: 'advise', judges: '' };
  return {
    mode: row.promotion_gate,
    judges: judgeListText({ defaultJudge: row.default_judge, jury: row.jury }),
  };
}

/**
 * The trials of a version against the current one, on held-out labels and by the project's current
 * judges, with the deciding one. Trials by another judge do not apply.
 * @throws AssayError not_found (no such prompt)
 */
export async function readPromptGate(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  { slug, version }: { readonly slug: string; readonly version: number },
): Promise<Gate> {
  const [{ production, fellBack, base }, now, heads] = await Promise.all([
    getPrompt(ctx, prompts, slug),
    readPromotionSettings(ctx),
    listAllTrials(ctx, trialsMax),
  ]);
  const running = fellBack === null ? production.version : base;
  const counting = heads.filter(
    (head) =>
      isOver(head) &&
      head.slug === slug &&
      head.version === version &&
      head.productionVersion === running &&
      candidateJudges(head) === now.judges &&
      againstJudges(head) === now.judges,
  );
  if (counting.length === 0)
    return withoutTrial(
      now.mode,
      `Version ${version} was not tried against version ${running}, which runs`,
    );
  return gateOf(ctx, now.mode, counting, counting.length);
}

/**
 * The trials of the new judges against the current ones, with the deciding trial of the current
 * version of each prompt. A worse finding takes precedence over one that allows the promotion.
 */
export async function readJudgeGate(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  after: string,
): Promise<Gate> {
  const [now, heads, running] = await Promise.all([
    readPromotionSettings(ctx),
    listAllTrials(ctx, trialsMax),
    listPrompts(ctx, prompts),
  ]);
  const versionOf = new Map(
    running.map(({ slug, production, fellBack, base }) => [
      slug,
      fellBack === null ? production.version : base,
    ]),
  );
  const counting = heads.filter(
    (head) =>
      isOver(head) &&
      head.version === head.productionVersion &&
      head.version === versionOf.get(head.slug) &&
      candidateJudges(head) === after &&
      againstJudges(head) === now.judges,
  );
  const ofPrompt = new Map<string, TrialHead[]>();
  for (const head of counting) ofPrompt.set(head.slug, [...(ofPrompt.get(head.slug) ?? []), head]);
  const gates = await Promise.all(
    [...ofPrompt.values()].map((heads) => gateOf(ctx, now.mode, heads, counting.length)),
  );
  const [first] = gates.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (
    first ??
    withoutTrial(
      now.mode,
      `${after === '' ? 'No judge' : after} was not tried against ${now.judges === '' ? 'the current judges' : now.judges}`,
    )
  );
}

const ranks: Readonly<Record<GateVerdict | NotTried['verdict'], number>> = {
  worse: 0,
  not_worse: 1,
  better: 2,
  insufficient: 3,
  could_not_run: 4,
  not_tried: 5,
};
const rankOf = ({ findings }: Gate): number => ranks[findings.verdict];

/** Number of the project's newest trials to search; a prompt is tried a few times a day at most. */
const trialsMax = 5_000;

const isOver = ({ state, heldOut }: TrialHead): boolean => state === 'done' && heldOut;
const candidateJudges = ({ judge, projectJudges }: TrialHead): string | null =>
  judge ?? projectJudges;
const againstJudges = ({ againstJudge, projectJudges }: TrialHead): string | null =>
  againstJudge ?? projectJudges;

/** @param heads trials of the same two options, newest first */
async function gateOf(
  ctx: ProjectCtx,
  mode: PromotionMode,
  heads: readonly TrialHead[],
  trials: number,
): Promise<Gate> {
  const found: (GateFindings & { readonly id: string })[] = [];
  for (const { slug, id } of heads.toReversed()) {
    const { findings } = await getTrial(ctx, { slug, id });
    if (findings !== null) found.push({ ...findings, id });
  }
  const deciding = decidingTrial(found);
  if (deciding === null) return withoutTrial(mode, 'The trial compared it with no other option');
  const { id, ...findings } = deciding;
  return { mode, trialId: id, trials, findings };
}

function withoutTrial(mode: PromotionMode, what: string): Gate {
  return {
    mode,
    trialId: null,
    trials: 0,
    findings: {
      verdict: 'not_tried',
      reasons: [`${what}, on held-out labels.`],
    },
  };
}
