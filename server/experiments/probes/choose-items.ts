import type { ProjectCtx } from '../../access';
import { findVerifier, storedKindOf } from '../../catalog';
import { readVerifierName } from '../../domain';
import { notFound } from '../../platform';
import {
  type Change,
  type ChangedEstimate,
  estimateCanaries,
  estimateChanged,
  type SubjectDeps,
} from '../../verdicts';
import { drawAnchors } from '../anchors/draw-anchors';
import type { Probe, ProbeBody } from './probe-input';

/** A subject or canary of a probe, with the cost of judging each of its forms once. */
export interface ProbedItem {
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly excerpt: string;
  readonly good: boolean | null;
  readonly estimate: ChangedEstimate;
}

/** The forms in which a probe judges each item, with repeats. */
export const formsOf: Record<Probe, readonly (Change | 'canary')[]> = {
  repeatability: ['as_is'],
  order: ['as_is', 'reordered'],
  length: ['as_is', 'padded'],
  self_preference: [],
  canaries: ['canary'],
};

/** The subject kind recorded for canaries, which are not stored subjects. */
export const canaryKind = 'canary';

/** Limit of subjects searched for those that support the probe's forms and need a judge. */
const searchedMax = 400;
/** Limit of verdicts searched for unlabelled subjects. */
const recentMax = 1_000;
const page = 20;

interface Candidate {
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly good: boolean | null;
}

/**
 * Chooses the first subjects that support the forms of the probe and need a judge: labelled
 * subjects of the verifier first, half of them good and half bad, then those that it judged most
 * recently. For canaries, chooses all canaries of the kind.
 * @throws AssayError not_found (no such verifier)
 */
export async function chooseItems(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: Pick<ProbeBody, 'probe' | 'items' | 'seed'> & { readonly verifier: string },
): Promise<readonly ProbedItem[]> {
  const { slug } = readVerifierName(input.verifier);
  const verifier = await findVerifier(ctx, ctx.projectId, slug);
  if (verifier === null) throw notFound('verifier');
  if (verifier.kind.readsTurns || input.probe === 'self_preference') return [];
  if (input.probe === 'canaries') {
    const found = await estimateCanaries(ctx, deps, { projectId: ctx.projectId, verifier: slug });
    return [...found].map(([subjectId, estimate]) => ({
      subjectKind: canaryKind,
      subjectId,
      revision: 0,
      excerpt: estimate.excerpt,
      good: false,
      estimate,
    }));
  }
  const changes = formsOf[input.probe].filter((form) => form !== 'canary');
  const candidates = await findCandidates(ctx, slug, storedKindOf(verifier), input.seed);
  const chosen: ProbedItem[] = [];
  for (let at = 0; at < candidates.length && chosen.length < input.items; at += page) {
    const part = candidates.slice(at, at + page);
    const subjectIds = part.map(({ subjectId }) => subjectId);
    const estimates = await estimateChanged(ctx, deps, {
      projectId: ctx.projectId,
      verifier: slug,
      changes,
      subjectIds,
    });
    for (const each of part) {
      const estimate = estimates.get(each.subjectId);
      if (estimate?.asks === true && chosen.length < input.items)
        chosen.push({ ...each, excerpt: estimate.excerpt, estimate });
    }
  }
  return chosen;
}

async function findCandidates(
  ctx: ProjectCtx,
  slug: string,
  subjectKind: string,
  seed: number,
): Promise<Candidate[]> {
  const { sql, projectId } = ctx;
  const labelled = await drawAnchors(ctx, { verifier: slug, items: searchedMax / 2, seed });
  const recent = await sql<{ subject_id: string; revision: number }[]>`
    select v.subject_id, s.revision from (
      select subject_id, revision, settled_at, id from verdicts
      where project_id = ${projectId} and verifier_slug = ${slug} and subject_kind <> 'turn' and outcome <> 'skipped' and experiment_id is null
      order by settled_at desc, id desc limit ${recentMax}
    ) as v
    join subjects s on s.project_id = ${projectId} and s.kind = ${subjectKind} and s.id = v.subject_id and s.revision = v.revision
    order by v.settled_at desc, v.id desc`;
  const found = new Map<string, Candidate>();
  for (const { subjectKind: kind, subjectId, revision, good } of labelled.items) {
    if (kind === subjectKind) found.set(subjectId, { subjectKind, subjectId, revision, good });
  }
  for (const { subject_id: subjectId, revision } of recent) {
    if (found.size >= searchedMax) break;
    if (!found.has(subjectId))
      found.set(subjectId, { subjectKind, subjectId, revision, good: null });
  }
  return [...found.values()];
}
