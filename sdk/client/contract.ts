import { call, type Failed, failure } from './call';
import type { Settings } from './options';
import { parseObject } from './taken';

/**
 * What a request for code owes, as `POST /v1/contracts` answers it; what a release adds is there
 * under its own name.
 */
export interface CodeContract {
  /** False where the request creates nothing: then nothing is owed, and `reason` says why. */
  active: boolean;
  reason: string | null;
  confidence: 'low' | 'medium' | 'high';
  deliverables: string[];
  framework: string | null;
  hard_patterns: string[];
  soft_patterns: string[];
  gates: string[];
  /** For the system prompt; empty where nothing is owed. */
  prompt_block: string;
  tier: 'tiny' | 'small' | 'medium' | 'large' | 'xlarge';
  pass_threshold: number;
  elapsed_ms: number;
  [member: string]: unknown;
}

export interface ContractOptions {
  /** Who will write the code: its size says what passes. */
  model?: string;
  /** How long all tries together may take (5,000 ms). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export type ContractResult = { ok: true; contract: CodeContract } | Failed;

/** `POST /v1/contracts`, tried again while that may help. Throws nothing. */
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
  // The shape is the wire contract's; these two show that it is one.
  return { ok: true, contract: reply as CodeContract };
}

/** A message of any chat API: its text, or its parts. */
export interface ChatMessage {
  role: string;
  content?: unknown;
  [member: string]: unknown;
}

/**
 * Messages with the contract in their system prompt (QEL-11): at the end of the first system or
 * developer message, or as a new one in front. Gives a new list and leaves the old one alone; a
 * contract that is there already, or owes nothing, changes nothing.
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
