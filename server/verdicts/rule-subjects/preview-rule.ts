import type { ProjectCtx } from '../../access';
import { findVerifier } from '../../catalog';
import type { Ask, AskRequest } from '../../domain';
import { classifyStorageError, newId } from '../../platform';
import type { ClaimedWork } from '../../queue';
import {
  type Candidate,
  listCandidates,
  planVerifications,
  type Rule,
  type WantedCandidates,
} from '../../rules';
import { type PlanNode, walkPlan } from '../../verifiers';
import { estimateUsd } from '../subjects/plan-run-spending';
import { loadJudging } from '../subjects/judging';
import type { StoredSubject } from '../subjects/load-subjects';
import { createRunSource, type RunSource } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import { loadMaterials } from './load-materials';
import { type ReadRule, readRuleSubject } from './read-rule-subject';
import type { ReadSubject } from './store-read';
import { missedTurns } from './missed-turns';

/** The effect that a rule would have had on stored subjects. */
export interface RuleEstimate {
  /** The number of subjects that the rule's filter matches. */
  readonly matched: number;
  /** The number of subjects that were checked. */
  readonly of: number;
  /** The number of matched subjects that the rule's sampling selects. */
  readonly sampled: number;
  readonly judgeCalls: number;
  /** US dollars, extrapolated from a part of them; null if a price is unknown. */
  readonly costUsd: number | null;
}

export interface RulePreview extends RuleEstimate {
  /** The first selected subjects as the verifier would read them, or why it cannot read them. */
  readonly subjects: readonly MappedSubject[];
  /** The first prompt to a judge; null if no judge would be called. */
  readonly prompt: string | null;
}

export type MappedSubject =
  | { readonly id: string; readonly subject: unknown }
  | { readonly id: string; readonly reason: string };

/** The most subjects that are read to estimate calls and cost. */
const readMax = 20;
const shownMax = 5;
/** Nodes with at least this cost call a model. */
const judgeCost = 100;

/**
 * Applies the rule to stored subjects, reads them and estimates their cost; calls no model and
 * stores nothing. @throws on storage faults
 */
export async function previewRule(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  rule: Rule,
  wanted: Omit<WantedCandidates, 'target'>,
): Promise<RulePreview> {
  const taken: string[] = [];
  let of = 0;
  let matched = 0;
  for await (const part of listCandidates(ctx, { ...wanted, target: rule.target })) {
    of += part.length;
    const decided = await decidePart(ctx, rule, part);
    matched += decided.filter(({ state }) => state !== 'filtered').length;
    taken.push(...decided.flatMap(({ id, state }) => (state === 'run' ? [id] : [])));
  }
  const read = await readSubjects(ctx, deps, rule, taken.slice(0, readMax));
  const withCalls = read.flatMap((each) => ('calls' in each ? [each] : []));
  const share = read.length === 0 ? 0 : taken.length / read.length;
  const costs = withCalls.map(({ costUsd }) => costUsd);
  const total = costs.reduce<number | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost),
    0,
  );
  return {
    matched,
    of,
    sampled: taken.length,
    judgeCalls: Math.round(withCalls.reduce((sum, { calls }) => sum + calls, 0) * share),
    costUsd: total === null ? null : total * share,
    subjects: read
      .slice(0, shownMax)
      .map((each) =>
        'calls' in each
          ? { id: each.id, subject: each.subject }
          : { id: each.id, reason: each.reason },
      ),
    prompt: withCalls.find(({ prompt }) => prompt !== null)?.prompt ?? null,
  };
}

async function decidePart(ctx: ProjectCtx, rule: Rule, part: readonly Candidate[]) {
  const claimed = part.map(({ subject }) => asWork(ctx, rule, subject.id));
  const { every } = rule;
  const missed =
    every === null
      ? new Map()
      : await missedTurns(
          ctx,
          claimed.map((work) => ({ work, every })),
        );
  return part.map(({ subject, outcomes }, at) => {
    const { decisions } = planVerifications({
      rules: [{ ...rule, enabled: true }],
      target: rule.target,
      subject,
      newVerdictId: () => '',
      stored: outcomes,
    });
    const state = decisions[0]?.state ?? 'filtered';
    const work = claimed[at];
    const isMissed = state === 'run' && work !== undefined && missed.has(work);
    return { id: subject.id, state: isMissed ? ('sampled_out' as const) : state };
  });
}

type Read =
  | { readonly id: string; readonly reason: string }
  | {
      readonly id: string;
      readonly subject: unknown;
      readonly calls: number;
      readonly costUsd: number | null;
      readonly prompt: string | null;
    };

async function readSubjects(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  rule: Rule,
  ids: readonly string[],
): Promise<Read[]> {
  const claimed = ids.map((id) => asWork(ctx, rule, id));
  const materials = await loadMaterials(ctx, claimed);
  const kind = (await findVerifier(ctx, ctx.projectId, rule.verifier))?.kind;
  const runs = createRunSource(ctx, deps, { prompts: new Map() });
  const read: Read[] = [];
  for (const work of claimed) {
    const id = work.subjectId;
    const material = (await materials.get(work)?.()) ?? null;
    if (material === null) continue;
    if (kind === undefined || kind.readsTurns) {
      read.push({ id, subject: material.subject, calls: 0, costUsd: 0, prompt: null });
      continue;
    }
    const one = await readOne(ctx, runs, { kind, rule, work, material });
    read.push({ id, ...one });
  }
  return read;
}

async function readOne(
  ctx: ProjectCtx,
  runs: RunSource,
  { kind, rule, work, material }: Omit<ReadRule, 'config'> & { readonly rule: Rule },
): Promise<Omit<Exclude<Read, { reason: string }>, 'id'> | { readonly reason: string }> {
  const { config } = await loadJudging(ctx, ctx.projectId, rule.verifier);
  try {
    const found = readRuleSubject({
      work,
      kind,
      config: kind.config.parse(config),
      rule,
      material,
    });
    if (found.state === 'no_subject') return { reason: found.reason };
    const content = readContent(kind, found.subject.content);
    const run = await runs.settingOf(
      { slug: rule.verifier, kind },
      content,
      asStored(ctx, work, found.subject),
    );
    const judges = run.setting.judges.length > 0 ? run.setting.judges : ['a judge'];
    const setting = { ...run.setting, judges, notJudged: null, cached: null };
    const { subject } = content;
    const questions = await questionsOf(ctx, kind.plan(subject, setting));
    return {
      subject,
      calls: questions.length,
      costUsd:
        questions.length === 0 ? 0 : estimateUsd({ kind, subject, setting, prices: run.prices }),
      prompt: questions[0] === undefined ? null : textOf(questions[0]),
    };
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The requests that judges would receive. Runs no node that needs the sandbox, and calls no model.
 */
async function questionsOf(ctx: ProjectCtx, plan: readonly PlanNode[]): Promise<AskRequest[]> {
  const questions: AskRequest[] = [];
  const ask: Ask = (request) => {
    questions.push(request);
    return Promise.resolve({
      state: 'failed',
      errorClass: 'aborted',
      message: 'a preview calls no model',
      retryAfterMs: null,
      usage: {
        provider: null,
        model: request.model,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: 0,
        latencyMs: 0,
        calls: 0,
      },
    });
  };
  const boxed = new Set(
    plan.filter(({ cost }) => cost > 0 && cost < judgeCost).map(({ name }) => name),
  );
  const left = plan.filter(
    ({ name, needs }) => !boxed.has(name) && !needs.some((need) => boxed.has(need)),
  );
  await walkPlan(left, {
    now: () => ctx.clock.monotonicMs(),
    signal: new AbortController().signal,
    ask,
  });
  return questions;
}

const textOf = ({ system, messages }: AskRequest): string =>
  [system, ...messages.map(({ content }) => content)].filter((text) => text !== '').join('\n\n');

function asWork(ctx: ProjectCtx, { name, verifier, target }: Rule, subjectId: string): ClaimedWork {
  return {
    projectId: ctx.projectId,
    id: newId('ver', ctx.clock.now()),
    subjectKind: target,
    subjectId,
    revision: 1,
    verifier,
    rule: name,
    fence: 0,
    attempts: 1,
    createdAt: ctx.clock.now(),
  };
}

function asStored(ctx: ProjectCtx, work: ClaimedWork, subject: ReadSubject): StoredSubject {
  return {
    ...subject,
    projectId: work.projectId,
    id: work.subjectId,
    revision: work.revision,
    clientId: null,
    taskId: null,
    createdAt: ctx.clock.now(),
  };
}
