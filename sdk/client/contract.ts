import { call, type Failed, failure } from './call';
import type { Settings } from './options';
import { parseObject } from './read-reply';

/**
 * The obligations of a code request, as returned by `POST /v1/contracts`; members of later releases
 * appear under their own names.
 */
export interface CodeContract {
  /**
   * False if the request creates nothing: there are no obligations then, and `reason` explains
   * this.
   */
  active: boolean;
  reason: string | null;
  confidence: 'low' | 'medium' | 'high';
  deliverables: string[];
  framework: string | null;
  hard_patterns: string[];
  soft_patterns: string[];
  gates: string[];
  /** For the system prompt; empty if there are no obligations. */
  prompt_block: string;
  tier: 'tiny' | 'small' | 'medium' | 'large' | 'xlarge';
  pass_threshold: number;
  elapsed_ms: number;
  [member: string]: unknown;
}

export interface ContractOptions {
  /** The model that will write the code; its size determines the threshold. */
  model?: string;
  /** Timeout of all attempts together (5,000 ms). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export type ContractResult = { ok: true; contract: CodeContract } | Failed;

/** `POST /v1/contracts`, retried while that may help. Never throws. */
export async function fetchContract(
  settings: Settings,
  request: string,
  options: ContractOptions,
): Promise<ContractResult> {
  if (settings.misconfigured !== null) return failure('misconfigured', settings.misconfigured);
  const body = JSON.stringify({
    request,
    ...(options.model === undefined ? {} : { model: options.model }),
  });
  return call(
    settings,
    { path: '/v1/contracts', body, timeoutMs: options.timeoutMs ?? 5_000, signal: options.signal },
    readContract,
  );
}

function readContract(text: string): ContractResult | null {
  const reply = parseObject(text);
  if (typeof reply?.active !== 'boolean' || typeof reply.prompt_block !== 'string') return null;
  // The server validates the shape; these two members identify it.
  return { ok: true, contract: reply as CodeContract };
}

/** A message of any chat API; its content is text or a list of parts. */
export interface ChatMessage {
  role: string;
  content?: unknown;
  [member: string]: unknown;
}

/**
 * Adds the contract to the system prompt (QEL-11): at the end of the first system or developer
 * message, or as a new first message. Returns a new list; a contract that is already there, or has
 * no obligations, changes nothing.
 */
export function injectContract(
  messages: readonly ChatMessage[],
  contract: { readonly active?: boolean; readonly prompt_block: string } | null | undefined,
): ChatMessage[] {
  const block = contract?.prompt_block ?? '';
  if (block === '' || contract?.active === false) return [...messages];
  const at = messages.findIndex(({ role }) => role === 'system' || role === 'developer');
  const system = messages[at];
  if (system === undefined) return [{ role: 'system', content: block }, ...messages];
  const content = withBlock(system.content, block);
  return messages.map((message, i) => (i === at ? { ...message, content } : message));
}

function withBlock(content: unknown, block: string): unknown {
  if (!Array.isArray(content)) {
    const text = typeof content === 'string' ? content : '';
    if (text.includes(block)) return text;
    return text === '' ? block : `${text}\n\n${block}`;
  }
  const parts: readonly unknown[] = content;
  return parts.some((part) => textOf(part).includes(block))
    ? parts
    : [...parts, { type: 'text', text: block }];
}

function textOf(part: unknown): string {
  return typeof part === 'object' &&
    part !== null &&
    'text' in part &&
    typeof part.text === 'string'
    ? part.text
    : '';
}
