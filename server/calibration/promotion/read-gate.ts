import type { ProjectCtx } from '../../access';
import { getPrompt, listPrompts, type PromptDefaults } from '../../prompts';
import { seatsText } from '../trials/seats';
import { getTrial, listAllTrials, type TrialHead } from '../trials/get-trial';
import type { GateFindings, GateVerdict, NotTried } from './gate-findings';
import type { PromotionMode } from './promotion';

/** What speaks for and against letting something into production. */
export interface Gate {
  readonly mode: PromotionMode;
  /** The trial that the findings are of; null: there is none that counts. */
  readonly trialId: string | null;
  /** Trials that count. */
  readonly trials: number;
  readonly findings: GateFindings | NotTried;
}

/** What holds now. */
export interface InForce {
  readonly mode: PromotionMode;
  /** Who judges by the settings (`JudgeSeats`); '' where nobody is named. */
  readonly seats: string;
}

export async function readInForce({ sql, projectId }: ProjectCtx): Promise<InForce> {
  const [row] = await sql<{ promotion_gate: PromotionMode; default_judge: string | null; jury: string[] }[]>`
    select promotion_gate, default_judge, to_jsonb(jury) as jury from project_settings where project_id = ${projectId}`;
  if (row === undefined) return { mode: 'advise', seats: '' };
  return { mode: row.promotion_gate, seats: seatsText({ defaultJudge: row.default_judge, jury: row.jury }) };
}

/**
 * The latest trial of a version against the one that runs, on held-out labels, by the judges that the project has now: another judge's trial tells
 * nothing of this one. @throws AssayError not_found (no such prompt)
 */
export async function readPromptGate(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  { slug, version }: { readonly slug: string; readonly version: number },
): Promise<Gate> {
  const [{ production, fellBack }, now, heads] = await Promise.all([getPrompt(ctx, prompts, slug), readInForce(ctx), listAllTrials(ctx)]);
  const running = fellBack === null ? production.version : 0;
  const counting = heads.filter(
    (head) =>
      isOver(head) &&
      head.slug === slug &&
      head.version === version &&
      head.productionVersion === running &&
      seatsTried(head) === now.seats &&
      seatsAgainst(head) === now.seats,
  );
  const [latest] = counting;
  if (latest === undefined) return notTried(now.mode, `Version ${version} was not tried against version ${running}, which runs`);
  return gateOf(ctx, now.mode, latest, counting.length);
}

/**
 * The latest trials of who is to judge against who judges now, of each prompt that they were tried with as it runs: the one that says worse decides,
 * else one that lets through.
 */
export async function readJudgeGate(ctx: ProjectCtx, prompts: PromptDefaults, after: string): Promise<Gate> {
  const [now, heads, running] = await Promise.all([readInForce(ctx), listAllTrials(ctx), listPrompts(ctx, prompts)]);
  const versionOf = new Map(running.map(({ slug, production, fellBack }) => [slug, fellBack === null ? production.version : 0]));
  const counting = heads.filter(
    (head) =>
      isOver(head) &&
      head.version === head.productionVersion &&
      head.version === versionOf.get(head.slug) &&
      seatsTried(head) === after &&
      seatsAgainst(head) === now.seats,
  );
  const latest = new Map<string, TrialHead>();
  for (const head of counting) if (!latest.has(head.slug)) latest.set(head.slug, head);
  const gates = await Promise.all([...latest.values()].map((head) => gateOf(ctx, now.mode, head, counting.length)));
  const [first] = gates.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (
    first ??
    notTried(now.mode, `${after === '' ? 'No judge' : after} was not tried against ${now.seats === '' ? 'whoever judges now' : now.seats}`)
  );
}

const ranks: Readonly<Record<GateVerdict | NotTried['verdict'], number>> = {
  worse: 0,
  not_worse: 1,
  better: 2,
  insufficient: 3,
  not_tried: 4,
};
const rankOf = ({ findings }: Gate): number => ranks[findings.verdict];

const isOver = ({ state, heldOut }: TrialHead): boolean => state === 'done' && heldOut;
const seatsTried = ({ judge, seats }: TrialHead): string | null => judge ?? seats;
const seatsAgainst = ({ againstJudge, seats }: TrialHead): string | null => againstJudge ?? seats;

async function gateOf(ctx: ProjectCtx, mode: PromotionMode, { slug, id }: TrialHead, trials: number): Promise<Gate> {
  const { findings } = await getTrial(ctx, { slug, id });
  return findings === null ? notTried(mode, 'The trial held it against nothing') : { mode, trialId: id, trials, findings };
}

function notTried(mode: PromotionMode, what: string): Gate {
  return {
    mode,
    trialId: null,
    trials: 0,
    findings: { verdict: 'not_tried', reasons: [`${what}, on labels that are held out for tests.`] },
  };
}
