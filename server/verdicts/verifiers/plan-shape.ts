import { z } from 'zod';
import type { Ctx } from '../../platform';
import type { ProjectCtx } from '../../access';
import type { PromptDefaults } from '../../prompts';
import type { PlanNode } from '../../verifiers';
import { WorkFacts } from '../input';
import type { SubjectFacts } from '../subjects/load-subjects';
import { createRunSource, type RunVerifier } from '../subjects/run-setting';
import { readContent, type SubjectContent } from '../subjects/subject-content';
import { exampleSubjects } from './example-subjects';

/** One node of a verifier's DAG, as drawn. */
export interface PlanStep {
  readonly name: string;
  /**
   * The measured property, as display text. It may contain the text of a criterion and is
   * untrusted.
   */
  readonly title: string;
  readonly evaluator: string;
  readonly needs: readonly string[];
  readonly mustPass: boolean;
  readonly weight: number;
  /** `free`: deterministic. `gate`: runs commands. `judge`: calls a model. */
  readonly cost: 'free' | 'gate' | 'judge';
}

export interface PlanShape {
  /** In the order of a run that no failed check stops. */
  readonly steps: readonly PlanStep[];
  /**
   * The verdict whose subject was planned; null if an example was used because there is no verdict
   * yet.
   */
  readonly verdictId: string | null;
}

/** The largest subject that is read: a page must not parse 20 MiB. */
const contentBytesMax = 262_144;

/**
 * The plan for the project's latest subject of the kind, otherwise for an example; null if there is
 * neither. Calls no model.
 */
export async function planShapeOf(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  verifier: RunVerifier,
): Promise<PlanShape | null> {
  const latest = await findLatest(ctx, verifier);
  if (latest !== null)
    return {
      steps: orderSteps(await planOf(ctx, prompts, verifier, latest.content)),
      verdictId: latest.verdictId,
    };
  const { kind } = verifier;
  const subject = kind.subject.safeParse(exampleSubjects.get(kind.name));
  if (!subject.success) return null;
  const content = { subject: subject.data, facts: WorkFacts.parse({}) };
  return { steps: orderSteps(await planOf(ctx, prompts, verifier, content)), verdictId: null };
}

/** A plan has the same nodes with and without examples. */
const noExamples = () => Promise.resolve([]);

async function planOf(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  verifier: RunVerifier,
  content: SubjectContent,
): Promise<readonly PlanNode[]> {
  const { setting } = await createRunSource(ctx satisfies Ctx, {
    prompts,
    findExamples: noExamples,
  }).settingOf(verifier, content, unstored(ctx.projectId, verifier.slug));
  // The plan does not depend on which judges are chosen: nodes that call a judge are drawn as such
  // even without a provider.
  const judges = setting.judges.length > 0 ? setting.judges : ['a judge'];
  return verifier.kind.plan(content.subject, { ...setting, judges, notJudged: null, cached: null });
}

async function findLatest(
  ctx: ProjectCtx,
  { slug, kind }: RunVerifier,
): Promise<{ verdictId: string; content: SubjectContent } | null> {
  const [row] = await ctx.sql<{ id: string; content: string | null }[]>`
    select v.id, case when octet_length(s.content) <= ${contentBytesMax} then s.content end as content
    from verdicts v join subjects s on s.project_id = v.project_id and s.kind = v.subject_kind and s.id = v.subject_id
    where v.project_id = ${ctx.projectId} and v.verifier_slug = ${slug} and v.subject_kind <> 'turn' and v.experiment_id is null
    order by v.settled_at desc, v.id desc limit 1`;
  if (row === undefined || row.content === null) return null;
  try {
    return { verdictId: row.id, content: readContent(kind, row.content) };
  } catch (error) {
    // Another release stored it in another format.
    if (error instanceof z.ZodError) return null;
    throw error;
  }
}

function unstored(projectId: string, kind: string): SubjectFacts {
  const none = {
    clientId: null,
    missionId: null,
    taskId: null,
    sessionId: null,
    traceId: null,
    turnId: null,
    model: null,
    costUsd: null,
  };
  return { projectId, kind, id: '', revision: 1, createdAt: new Date(0), ...none };
}

/** The cheapest ready node first, as in a run. */
export function orderSteps(plan: readonly PlanNode[]): PlanStep[] {
  const left = new Set(plan);
  const done = new Set<string>();
  const steps: PlanStep[] = [];
  while (left.size > 0) {
    const ready = [...left].filter(({ needs }) => needs.every((need) => done.has(need)));
    const [next] = ready.toSorted((a, b) => a.cost - b.cost);
    if (next === undefined)
      throw new Error(`the plan has a cycle: ${[...left].map(({ name }) => name).join(', ')}`);
    left.delete(next);
    done.add(next.name);
    const { name, title = name, evaluator, needs, mustPass, weight, cost } = next;
    steps.push({
      name,
      title,
      evaluator,
      needs,
      mustPass,
      weight,
      cost: cost >= 100 ? 'judge' : cost > 0 ? 'gate' : 'free',
    });
  }
  return steps;
}
