import type { AssembledTrace, AssembledTurn } from './assembled';
import { assignSpans } from './assign-sources';
import { boundedId } from './bounded-id';
import { countedSpans, sumSpanUsage } from './count-usage';
import { explainMissing, explainTool, isNotedOnce } from './explain-missing';
import { type SpanAnswer, findAnswers } from './find-answers';
import { findForeignScores, turnIdOf } from './foreign-scores';
import { buildTree, type Node, upwards } from './span-tree';
import { turnDocuments, turnTools } from './turn-sources';
import { writeTurn } from './write-turn';
import type { AttributeValue } from '../span';
import { attributeText } from '../conventions/read-attribute';
import type { MergedSpan } from './merge-spans';
import { compareNs, compareText, endOf, isTime, rfc3339 } from '../span-time';

const NOTES_MAX = 200;
/** The name an SDK gives to an unnamed service. */
const UNNAMED_SERVICE = /^unknown_service/;

type Note = AssembledTrace['notes'][number];

/**
 * Assembles the spans of one trace into turns with their sources, scores of other tools, and the
 * trace's summary. The result depends only on the set of spans. Never throws, regardless of the
 * spans' content.
 */
export function assembleTrace(spans: readonly MergedSpan[]): AssembledTrace {
  const nodes = buildTree(
    [...spans].sort((a, b) => compareNs(a.startNs, b.startNs) || compareText(a.spanId, b.spanId)),
  );
  const { answers, wrappers } = findAnswers(nodes);
  const assigned = assignSpans(answers, nodes);
  const counted = countedSpans(nodes);
  const trace = summarise(nodes, counted);
  const notes: Note[] = [];
  const turns = answers.map((answer) =>
    turnOf(answer, assigned.get(answer) ?? [], counted, trace.sessionId, notes),
  );
  const foreign = findForeignScores(nodes, answers);
  notes.push(...missingContent(nodes, answers, wrappers, assigned), ...foreign.notes);
  return { ...trace, turns, evaluations: foreign.scores, notes: capped(notes) };
}

function turnOf(
  { node, text, envelope, results, isWrapper }: SpanAnswer,
  sourceNodes: readonly Node[],
  counted: ReadonlySet<Node>,
  traceSession: string | null,
  notes: Note[],
): AssembledTurn {
  const { span, gen } = node;
  const inherited = lineage(node);
  const usage = sumSpanUsage([node, ...sourceNodes].filter((each) => counted.has(each)));
  const { payload, notes: cuts } = writeTurn({
    id: turnIdOf(node),
    traceId: span.traceId,
    sessionId: firstOf(inherited, ({ gen: above }) => above.sessionId) ?? traceSession,
    source: serviceOf(span) ?? (span.scope.name === '' ? null : span.scope.name),
    model:
      gen.model ??
      (isWrapper
        ? (sourceNodes.findLast(({ gen: step }) => step.role === 'llm')?.gen.model ?? null)
        : null),
    startedAt: startOf([node, ...sourceNodes]),
    endedAt: rfc3339(endOf(span)),
    input: gen.input,
    inputValue: gen.inputValue,
    tools: turnTools({ node, text, envelope, results, isWrapper }, sourceNodes),
    documents: turnDocuments([...sourceNodes, node]),
    output: text,
    envelope,
    usage,
    tags: [...new Set(inherited.flatMap(({ gen: above }) => above.tags))].sort(),
    metadata: new Map<string, AttributeValue>(
      inherited.toReversed().flatMap(({ gen: above }) => [...above.metadata]),
    ),
    span: new Map([
      ['name', span.name],
      ['convention', gen.conventions[0] ?? null],
      ['agent', firstOf(inherited, ({ gen: above }) => above.agentName)],
      ['prompt', firstOf(inherited, ({ gen: above }) => above.promptName)],
      ['user_id', firstOf(inherited, ({ gen: above }) => above.userId)],
      ['finish_reason', gen.finishReasons[0] ?? null],
    ]),
    assay: new Map(inherited.toReversed().flatMap(({ gen: above }) => [...above.assay])),
  });
  for (const reason of cuts) notes.push({ spanId: span.spanId, reason });
  return { spanId: span.spanId, payload, usage };
}

/** The span and its wrappers: their session, user and tags apply to everything they enclose. */
function lineage(node: Node): Node[] {
  return [...upwards(node)].filter(({ gen }) => gen.role !== 'tool');
}

type Summary = Omit<AssembledTrace, 'turns' | 'evaluations' | 'notes'>;

function summarise(nodes: readonly Node[], counted: ReadonlySet<Node>): Summary {
  const spans = nodes.map(({ span }) => span);
  const root = nodes.find(({ span }) => isRoot(span)) ?? nodes[0];
  const byRoot = root === undefined ? [] : [root, ...nodes];
  const ends = spans.map(endOf).filter(isTime).sort(compareNs);
  const models = nodes.filter(({ gen }) => gen.role === 'llm').map(({ gen }) => gen.model);
  return {
    name: root?.span.name ?? '',
    service: firstOf(byRoot, ({ span }) => serviceOf(span)),
    sessionId: firstId(byRoot, ({ gen }) => gen.sessionId),
    userId: firstId(byRoot, ({ gen }) => gen.userId),
    startedAt: startOf(nodes),
    endedAt: rfc3339(ends.at(-1) ?? '0'),
    spans: spans.length,
    errors: spans.filter(({ status }) => status.code === 2).length,
    models: [...new Set(models.filter((model) => model !== null))].sort(),
    usage: sumSpanUsage(nodes.filter((node) => counted.has(node))),
    hasRoot: spans.some(isRoot),
    flags: [...new Set(spans.flatMap(({ flags }) => flags))].sort(),
    tags: [...new Set(nodes.flatMap(({ gen }) => gen.tags))].sort(),
  };
}

function firstId(nodes: readonly Node[], read: (node: Node) => string | null): string | null {
  const id = firstOf(nodes, read);
  return id === null ? null : boundedId(id);
}

/**
 * The top span of its process counts as a root: we may never receive a parent in another process.
 */
function isRoot({ parentSpanId, parentIsRemote }: MergedSpan): boolean {
  return parentSpanId === null || parentIsRemote;
}

function startOf(nodes: readonly Node[]): string | null {
  const starts = nodes.map(({ span }) => span.startNs).filter(isTime);
  return rfc3339(starts.sort(compareNs)[0] ?? '0');
}

function serviceOf(span: MergedSpan): string | null {
  const name = attributeText(span.resource, 'service.name');
  return name === null || UNNAMED_SERVICE.test(name) ? null : name;
}

function firstOf<Value>(nodes: readonly Node[], of: (node: Node) => Value | null): Value | null {
  for (const node of nodes) {
    const value = of(node);
    if (value !== null) return value;
  }
  return null;
}

/**
 * Model spans without content, unless their wrapper or a model span around them has it, and tools
 * of a turn without a result.
 */
function missingContent(
  nodes: readonly Node[],
  answers: readonly SpanAnswer[],
  wrappers: ReadonlySet<Node>,
  assigned: ReadonlyMap<SpanAnswer, readonly Node[]>,
): Note[] {
  const wrapperNodes = new Set<Node>(
    answers.filter(({ isWrapper }) => isWrapper).map(({ node }) => node),
  );
  const notes: Note[] = [];
  const notedReasons = new Set<string>();
  const note = ({ span }: Node, reason: string | null): void => {
    if (reason === null || (notedReasons.has(reason) && isNotedOnce(reason))) return;
    notedReasons.add(reason);
    notes.push({ spanId: span.spanId, reason });
  };
  for (const node of nodes) {
    const isExplained =
      wrappers.has(node) ||
      [...upwards(node)].some(
        (above) => wrapperNodes.has(above) || (above !== node && hasReply(above)),
      );
    if (!isExplained) note(node, explainMissing(node));
  }
  for (const node of [...assigned.values()].flat()) note(node, explainTool(node));
  return notes;
}

/** A client's own span inside that of an instrumentation repeats the call without its content. */
function hasReply({ gen }: Node): boolean {
  return gen.role === 'llm' && gen.output.length > 0;
}

function capped(notes: readonly Note[]): readonly Note[] {
  const last = notes[NOTES_MAX];
  if (last === undefined) return notes;
  return [
    ...notes.slice(0, NOTES_MAX),
    { spanId: last.spanId, reason: `and ${notes.length - NOTES_MAX} more notes of this trace` },
  ];
}
