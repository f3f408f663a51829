/**
 * Decides which spans are answers. A model span with text that requests no further tool is an
 * answer; a span that only requests tools is a step of the answer that follows. A wrapper that
 * repeats its model's text is not a second answer. Where no model span of the trace has text, the
 * outermost wrapper with input and output is the answer for everything it encloses. The prompt of a
 * coding agent is always such a wrapper.
 */
import { Envelope } from '../../domain';
import type { GenSpan, JsonText, ToolCall, ToolResult } from '../conventions/gen-span';
import { embedJson, isMap, structured } from '../conventions/json-value';
import { attributeText, textOf } from '../conventions/read-attribute';
import type { AttributeValue } from '../span';
import { type Node, upwards } from './span-tree';

export interface SpanAnswer {
  readonly node: Node;
  /**
   * The text the caller received; null where the answer was sent as the arguments of a tool defined
   * for it.
   */
  readonly text: string | null;
  /** JSON text `{"answer":…,"facts":[…]}`, digits as sent. */
  readonly envelope: JsonText | null;
  /** Results of the provider's own tools within the answer. */
  readonly results: readonly (ToolResult & { readonly call: ToolCall | null })[];
  readonly isWrapper: boolean;
}

export interface FoundAnswers {
  readonly answers: readonly SpanAnswer[];
  /** Model spans whose text a model span below them repeats. */
  readonly wrappers: ReadonlySet<Node>;
}

const TOOL_CALL_REASON = /^(tool|function)[-_ ]?(calls?|use)$/i;
/** Members in which wrappers keep their result, when it is one text of an object. */
const TEXT_MEMBERS = ['output', 'answer', 'response', 'text', 'content', 'result'] as const;

export function findAnswers(nodes: readonly Node[]): FoundAnswers {
  const models = nodes.filter((node) => node.gen.role === 'llm' && !isJudge(node));
  const texts = new Map<Node, string>();
  for (const node of models) {
    const text = modelText(node.gen);
    if (text.trim() !== '') texts.set(node, text);
  }
  const wrappers = findRepeats(texts);
  const answers = models
    .filter((node) => !wrappers.has(node))
    .flatMap((node) => modelAnswer(node, texts.get(node) ?? null) ?? []);
  // Calls without text show that content is captured and that the answer is still to come.
  const isSilent = texts.size === 0 && models.every(({ gen }) => gen.output.length === 0);
  return {
    answers: isSilent ? outermost(nodes) : [...answers, ...outermost(nodes.filter(isAgentLog))],
    wrappers,
  };
}

/** The prompt of a coding agent: its log records have its answer, and no texts of its models. */
function isAgentLog({ gen }: Node): boolean {
  return gen.role === 'agent' && gen.conventions.includes('claude-code');
}

/** A model that an evaluator calls answers the evaluator, not a caller. */
function isJudge(node: Node): boolean {
  return [...upwards(node)].some(({ gen }) => gen.role === 'evaluator');
}

/** The text of a reply; anything that is not a message is used unchanged. */
function modelText(gen: GenSpan): string {
  if (gen.output.length === 0) {
    if (gen.outputValue === null) return '';
    return typeof gen.outputValue === 'string'
      ? wholeText(gen.outputValue)
      : embedJson(gen.outputValue);
  }
  return gen.output
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Removes the quotes of a quoted text. */
function wholeText(value: string): string {
  if (!value.startsWith('"')) return value;
  const inner: unknown = JSON.parse(embedJson(value));
  return typeof inner === 'string' ? inner : value;
}

function findRepeats(texts: ReadonlyMap<Node, string>): Set<Node> {
  const wrappers = new Set<Node>();
  for (const [node, text] of texts) {
    for (const above of upwards(node))
      if (above !== node && texts.get(above)?.trim() === text.trim()) wrappers.add(above);
  }
  return wrappers;
}

/** Calls that still need a result. */
function openCalls(gen: GenSpan): ToolCall[] {
  const answered = new Set(
    gen.output.flatMap(({ results }) => results.map(({ callId }) => callId)),
  );
  return gen.output
    .flatMap(({ calls }) => calls)
    .filter((call) => !call.ranByProvider && !(call.id !== null && answered.has(call.id)));
}

export function hasRequestedTools(gen: GenSpan): boolean {
  return (
    openCalls(gen).length > 0 || gen.finishReasons.some((reason) => TOOL_CALL_REASON.test(reason))
  );
}

function modelAnswer(node: Node, text: string | null): SpanAnswer | null {
  const { gen } = node;
  const calls = gen.output.flatMap((message) => message.calls);
  const results = gen.output
    .flatMap((message) => message.results)
    .map((result) => ({
      ...result,
      call: calls.find(({ id }) => id !== null && id === result.callId) ?? null,
    }));
  const answer = { node, results, isWrapper: false };
  const [call, ...others] = openCalls(gen);
  // A provider without structured output calls a tool whose arguments are the envelope: nothing
  // follows that call.
  if (call !== undefined && others.length === 0 && isEnvelope(call.arguments))
    return { ...answer, text: null, envelope: call.arguments };
  if (text === null || hasRequestedTools(gen)) return null;
  return { ...answer, text, envelope: isEnvelope(text) ? text : null };
}

function isEnvelope(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return Envelope.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function outermost(nodes: readonly Node[]): SpanAnswer[] {
  const candidates = new Map<Node, string>();
  for (const node of nodes) {
    const { role, input, inputValue } = node.gen;
    const mayWrap =
      role === 'agent' || role === 'chain' || (role === 'other' && node.parent === null);
    const isWhole = input.length > 0 || inputValue !== null || isAgentLog(node);
    const text = mayWrap && isWhole ? wrapperText(node.gen) : '';
    if (text.trim() !== '') candidates.set(node, text);
  }
  return [...candidates]
    .filter(
      ([node]) => ![...upwards(node)].some((above) => above !== node && candidates.has(above)),
    )
    .map(([node, text]) => ({
      node,
      text,
      envelope: isEnvelope(text) ? text : null,
      results: [],
      isWrapper: true,
    }));
}

/** The wrapper's result: the last message of a conversation, or the single text of its value. */
function wrapperText({ output, outputValue }: GenSpan): string {
  if (output.length === 0) return valueText(outputValue);
  return output.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? '';
}

function valueText(value: AttributeValue): string {
  const parsed = structured(value);
  if (typeof parsed === 'string') return wholeText(parsed);
  const single =
    isMap(parsed) && !parsed.has('facts') ? attributeText(parsed, ...TEXT_MEMBERS) : null;
  if (single !== null) return single;
  if (typeof value === 'string') return value;
  return value === null ? '' : (textOf(value) ?? embedJson(value));
}
