import type { ProjectCtx } from '../../access';
import { conflict } from '../../platform';
import { findTurn } from '../../ingest';
import { findVerdictSubject, type VerdictSubject } from '../../verdicts';
import { getJudged, type JudgedVerdict } from '../judged';
import { asReviewItem, getItem, isHidden } from './find-items';
import { getReviewSeen } from './get-review-seen';
import type { ReviewContent } from './item';

/** The most characters of one text, and of all texts; the verdict page shows them in full. */
const textChars = 100_000;
const allChars = 500_000;

type Content = Pick<ReviewContent, 'request' | 'output' | 'sources'>;

/**
 * A reviewer's view of an item. It contains only the judged content. The results of the verifier
 * and of other raters are in `seen`, which is null until this person has ruled on a blind item.
 * @throws AssayError not_found; conflict if the judged content is no longer stored
 */
export async function getReviewContent(
  ctx: ProjectCtx,
  { item }: { readonly item: string },
): Promise<ReviewContent> {
  const row = await getItem(ctx, item);
  const judged = await getJudged(ctx, row.verdict_id);
  const content =
    judged.subjectKind === 'turn'
      ? await turnContent(ctx, judged)
      : await subjectContent(ctx, judged);
  if (content === null)
    throw conflict('the judged content was deleted or changed since; open the next item');
  return {
    item: asReviewItem(row),
    ...cutTexts(content),
    policy: await findPolicy(ctx, judged.verifierSlug),
    seen: isHidden(row) ? null : await getReviewSeen(ctx, row),
  };
}

async function findPolicy(
  { sql, projectId }: ProjectCtx,
  slug: string,
): Promise<ReviewContent['policy']> {
  const [row] = await sql<{ version: number; body: string }[]>`
    select version, body from label_policies where project_id = ${projectId} and verifier_slug = ${slug} order by version desc limit 1`;
  return row === undefined ? null : { version: row.version, body: row.body };
}

async function turnContent(
  ctx: ProjectCtx,
  { subjectId, revision }: JudgedVerdict,
): Promise<Content | null> {
  const turn = await findTurn(ctx, subjectId);
  if (turn === null || turn.revision !== revision) return null;
  const { input, tools, context, answer } = turn.content;
  const inputText = input
    .map(({ role, content }) => (input.length === 1 ? content : `${role}: ${content}`))
    .join('\n\n');
  return {
    request: textOrNull(inputText),
    output: [{ name: null, text: answer }],
    sources: [
      ...tools.map(({ id, name, result }) => ({ name: name === '' ? id : name, text: result })),
      ...context.map(({ id, content }) => ({ name: id, text: content })),
    ],
  };
}

async function subjectContent(ctx: ProjectCtx, { id }: JudgedVerdict): Promise<Content | null> {
  const subject = await findVerdictSubject(ctx, id);
  if (subject === null) return null;
  const { code, checkpoint } = subject;
  if (code !== null) {
    const output = code.files.map(({ path, content }) => ({ name: path, text: content }));
    return { request: textOrNull(code.request), output, sources: [] };
  }
  return checkpoint === null ? plainContent(subject) : checkpointContent(checkpoint);
}

function plainContent({ content }: VerdictSubject): Content {
  const { description, criteria, context, outputs, other } = content;
  const criteriaBlocks = (criteria ?? []).map(
    ({ text, check, mustPass }) =>
      `- ${check === null ? text : `${check}: ${text}`}${mustPass ? ' (must pass)' : ''}`,
  );
  const named = outputs.length > 1;
  return {
    request: textOrNull(
      [description, criteriaBlocks.join('\n')].filter((text) => text !== '').join('\n\n'),
    ),
    output:
      other === null
        ? outputs.map(({ name, description: of, text }) => ({
            name: named ? [name, of].filter((each) => each !== null).join(': ') : null,
            text,
          }))
        : [{ name: null, text: other }],
    sources: context === '' ? [] : [{ name: 'context', text: context }],
  };
}

type Checkpoint = NonNullable<VerdictSubject['checkpoint']>;
type ByKind = {
  readonly [Kind in Checkpoint['kind']]: (view: Extract<Checkpoint, { kind: Kind }>) => Content;
};

/** Selects only the submitted work, because the view also contains text from the verdict. */
const checkpointContents: ByKind = {
  decomposition(view) {
    const goals = view.subgoals.map((each) => {
      const after = each.dependsOn.length === 0 ? '' : ` (after ${each.dependsOn.join(', ')})`;
      return `${each.id}: ${each.description}${each.agent === null ? '' : ` [${each.agent}]`}${after}`;
    });
    return {
      request: textOrNull(view.query),
      output: [
        { name: null, text: [view.goal, ...goals].filter((line) => line !== '').join('\n') },
      ],
      sources: [
        ...view.context.map((text, n) => ({ name: `context ${n + 1}`, text })),
        ...view.agents.map(({ name, skills }) => ({ name, text: skills.join(', ') })),
      ],
    };
  },
  'agent-output'(view) {
    const members = view.members.map(([name, text]) => ({ name: name === '' ? null : name, text }));
    const summary = view.summary === null ? [] : [{ name: 'summary', text: view.summary }];
    return {
      request: textOrNull(view.subgoal.description),
      output: [...summary, ...members],
      sources: [],
    };
  },
  synthesis: (view) => ({
    request: textOrNull(view.query),
    output: [{ name: null, text: view.answer }],
    sources: view.outputs.map(({ id, agent, summary, data }) => ({
      name: agent === null ? id : `${id} (${agent})`,
      text: [summary, data ?? ''].filter((text) => text !== '').join('\n\n'),
    })),
  }),
};

const checkpointContent = (view: Checkpoint): Content =>
  (checkpointContents[view.kind] as (view: Checkpoint) => Content)(view);

const textOrNull = (text: string): string | null => (text === '' ? null : text);

/** Truncates each text to the remaining room; never splits a surrogate pair. */
function cutTexts({ request, output, sources }: Content): Content & { readonly cut: boolean } {
  let room = allChars;
  let cut = false;
  const take = (text: string): string => {
    const max = Math.min(textChars, room);
    const part = text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
    cut ||= part.length < text.length;
    room -= part.length;
    return part;
  };
  const taken = {
    request: request === null ? null : take(request),
    output: output.map(({ name, text }) => ({ name, text: take(text) })),
    sources: sources.map(({ name, text }) => ({ name, text: take(text) })),
  };
  return { ...taken, cut };
}
