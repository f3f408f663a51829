/**
 * The parts of an agent pipeline in a trace: planner, agents, synthesis. Spans declare their part
 * by `assay.subject.kind`; otherwise a preset recognizes it by the span names of a framework. A new
 * framework is one more preset.
 */
import { isBlank, jsonAsText } from '../../domain';
import type { TraceSpan } from '../../ingest';
import { inputOf, outputOf } from './from-trace';
import { isObject, parseJson, structuredValue, textAt } from './json-value';
import type { Material } from './reading';

export type PipelinePart = 'plan' | 'agent' | 'answer';

export interface PipelineSpan {
  readonly span: TraceSpan;
  /** The agent. */
  readonly agent: string;
  /** The agent's output, with JSON parsed; null if there is none. */
  readonly output: unknown;
}

interface Preset {
  readonly framework: string;
  /** The name of the agent or node of a span; null for any other span. */
  nameOf(span: TraceSpan): string | null;
  readonly plan: RegExp;
  readonly answer: RegExp;
  /** Nodes that only route. */
  readonly ignored: RegExp;
  /**
   * If no name marks the synthesis, the last agent answers, since control was handed over to it.
   */
  readonly lastAnswers: boolean;
}

const presets: readonly Preset[] = [
  {
    // OpenInference of LangChain: the span of a node has the node's name, its inner spans do not.
    framework: 'LangGraph',
    nameOf({ name, metadata }) {
      const node = textAt(parseJson(metadata), 'langgraph_node');
      return node === name ? node : null;
    },
    plan: /^(?:plan|planner|planning|plan_?step|task_?planner|decompos\w*|orchestrator)$/i,
    answer:
      /^(?:synthesi[sz]\w*|aggregat\w*|writer|responder|respond|final\w*|combine\w*|summari[sz]er|report\w*)$/i,
    ignored: /^(?:__start__|__end__|tools?|supervisor|router|route|should_continue)$/i,
    lastAnswers: false,
  },
  {
    // OpenInference of the OpenAI Agents SDK: one span per agent, `handoff to …` between them.
    framework: 'OpenAI Agents',
    nameOf: ({ role, graphNode }) => (role === 'agent' ? graphNode : null),
    plan: /\bplann(?:er|ing)\b|\bdecompos/i,
    answer: /\bsynthesi[sz]|\bwriter\b|\bsummari[sz]/i,
    ignored: /\btriage\b|\brouter\b|\bsupervisor\b/i,
    lastAnswers: true,
  },
];

/** @param kind the name of the part in `assay.subject.kind` */
export function pipelineSpans(
  { spans }: Pick<Material, 'spans'>,
  part: PipelinePart,
  kind: string,
): PipelineSpan[] {
  const marked = spans.filter(({ assay }) => assay.get('subject.kind') === kind);
  const found =
    marked.length > 0
      ? marked.map((span) => ({ span, name: span.agent ?? span.name }))
      : byPreset(spans, part);
  return found.flatMap(({ span, name }) => {
    const output = outputWithin(span, spans);
    return output === null || isBlank(jsonAsText(output)) ? [] : [{ span, agent: name, output }];
  });
}

interface NamedSpan {
  readonly span: TraceSpan;
  readonly name: string;
}

function byPreset(spans: readonly TraceSpan[], part: PipelinePart): NamedSpan[] {
  for (const preset of presets) {
    const named = spans.flatMap((span): NamedSpan[] => {
      const name = preset.nameOf(span);
      return name === null || preset.ignored.test(name) ? [] : [{ span, name }];
    });
    if (named.length > 0) return ofPart(preset, named, part);
  }
  return [];
}

function ofPart(preset: Preset, named: readonly NamedSpan[], part: PipelinePart): NamedSpan[] {
  const plans = named.filter(({ name }) => preset.plan.test(name));
  const answers = named.filter(({ name }) => preset.answer.test(name));
  const last = named.at(-1);
  if (answers.length === 0 && preset.lastAnswers && last !== undefined) answers.push(last);
  if (part === 'plan') return plans;
  if (part === 'answer') return answers;
  const otherSpans = named.filter((span) => !plans.includes(span) && !answers.includes(span));
  // The output of a single agent is the answer.
  return otherSpans.length > 0 || !preset.lastAnswers ? otherSpans : answers;
}

/** The output of a span; if it recorded none, the last output of a model span inside it. */
function outputWithin(span: TraceSpan, spans: readonly TraceSpan[]): unknown {
  const own = outputOf(span);
  const inner = spans.findLast(
    (each) => each.parentId === span.id && each.role === 'llm' && outputOf(each) !== null,
  );
  const output = own ?? (inner === undefined ? null : outputOf(inner));
  return typeof output === 'string' ? structuredValue(output) : output;
}

/** The request of the trace, or else that of the part. */
export function queryOf({ subject }: Material, span: TraceSpan | null): string {
  return subject.input.last_user ?? (span === null ? null : inputOf(span)?.last_user) ?? '';
}

/** Keys under which planners return the steps of a plan. */
const LISTS = ['subgoals', 'steps', 'tasks', 'plan', 'subtasks'] as const;
const DESCRIPTIONS = [
  'description',
  'task',
  'step',
  'goal',
  'objective',
  'query',
  'title',
  'text',
] as const;

interface ReadPlan {
  readonly goal: string;
  readonly subgoals: readonly Readonly<Record<string, unknown>>[];
  readonly execution_order?: unknown;
}

/** The plan in a planner's output, as an object or as a list of steps; null if there is none. */
export function planIn(output: unknown, query: string): ReadPlan | null {
  if (Array.isArray(output)) return planOf(output, query);
  if (!isObject(output)) return null;
  for (const name of LISTS) {
    const list = output[name];
    if (!Array.isArray(list)) continue;
    const plan = planOf(list, textAt(output, 'goal') ?? query);
    const order = output.execution_order;
    return plan === null || !Array.isArray(order) ? plan : { ...plan, execution_order: order };
  }
  const inner = output.decomposition ?? output.plan ?? output.output;
  return isObject(inner) ? planIn(inner, query) : null;
}

function planOf(list: readonly unknown[], goal: string): ReadPlan | null {
  const subgoals = list.flatMap((step, at) => {
    if (typeof step === 'string') return [{ id: `step-${at + 1}`, description: step }];
    if (!isObject(step)) return [];
    const description = DESCRIPTIONS.map((name) => textAt(step, name)).find(
      (text) => text !== null,
    );
    const agent = textAt(step, 'agent') ?? textAt(step, 'assignee') ?? textAt(step, 'assigned_to');
    const id = typeof step.id === 'number' ? String(step.id) : textAt(step, 'id');
    return [{ ...step, id: id ?? `step-${at + 1}`, description: description ?? '', agent }];
  });
  return subgoals.length === 0 ? null : { goal, subgoals };
}
