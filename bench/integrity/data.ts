import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/data-dir.mjs';
import type { Source } from '../../server/domain';
import type { Span } from './numbers';

/** The open evaluation data (data/README.md), read in place. */

const Spans = z.array(z.object({ start: z.number(), end: z.number() }));
const QuintdRow = z.object({
  id: z.string(),
  source_format: z.enum(['json', 'csv']),
  source: z.unknown(),
  outputs: z.array(
    z.object({
      text: z.string(),
      human: z.object({ spans: Spans }),
      judges: z.record(z.string(), Spans),
    }),
  ),
});
const SummeditsRow = z.object({
  id: z.string(),
  domain: z.string(),
  document: z.string(),
  candidates: z.array(
    z.object({ summary: z.string(), consistent: z.boolean(), number_changed: z.boolean() }),
  ),
});
const TauRow = z.object({
  task_id: z.union([z.string(), z.number()]),
  trial: z.number(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string().nullish(),
      content_ref: z.string().nullish(),
    }),
  ),
});

const PromptRow = z.object({ id: z.string(), content: z.string() });

/** A text with its sources, and the annotations and their authors. */
export interface Annotated {
  /** Position of its source in the file: its parity selects the half. */
  readonly position: number;
  readonly id: string;
  readonly sources: readonly Source[];
  readonly text: string;
  readonly human: readonly Span[];
  readonly gpt4: readonly Span[];
}

export interface Summary {
  readonly position: number;
  readonly domain: string;
  readonly sources: readonly Source[];
  readonly text: string;
  readonly consistent: boolean;
  readonly numberChanged: boolean;
}

/** One message of the assistant and everything before it. */
export interface AgentMessage {
  readonly position: number;
  readonly sources: readonly Source[];
  readonly text: string;
}

function dataDir(): string {
  return process.env['ASSAY_DATA'] ?? resolve(root, '../shared/data');
}

export function hasData(): boolean {
  return existsSync(join(dataDir(), 'integrity-quintd-owid.jsonl'));
}

export function readQuintd(name: string): readonly Annotated[] {
  return lines(`integrity-quintd-${name}.jsonl`, QuintdRow).flatMap(
    ({ id, source, source_format: format, outputs }, position) => {
      const json = format === 'json';
      const text = typeof source === 'string' ? source : JSON.stringify(source);
      const sources: Source[] = [{ id: 'data', label: name, format: json ? 'json' : 'text', text }];
      return outputs.map((output) => ({
        position,
        id,
        sources,
        text: output.text,
        human: output.human.spans,
        gpt4: output.judges['gpt-4'] ?? [],
      }));
    },
  );
}

export function readSummedits(): readonly Summary[] {
  return lines('integrity-summedits.jsonl', SummeditsRow).flatMap(
    ({ domain, document, candidates }, position) => {
      const sources: Source[] = [
        { id: 'document', label: 'context', format: 'text', text: document },
      ];
      return candidates.map(({ summary, consistent, number_changed: numberChanged }) => ({
        position,
        domain,
        sources,
        text: summary,
        consistent,
        numberChanged,
      }));
    },
  );
}

export function readTau(): readonly AgentMessage[] {
  const prompts = new Map(
    lines('agent-tau-airline.prompts.jsonl', PromptRow).map(({ id, content }): [string, string] => [
      id,
      content,
    ]),
  );
  return lines('agent-tau-airline.jsonl', TauRow).flatMap(({ messages }, position) => {
    const earlier: AgentMessage[] = [];
    const sources: Source[] = [];
    for (const [i, { role, content, content_ref: ref }] of messages.entries()) {
      const text = content ?? prompts.get(ref ?? '') ?? '';
      if (text === '') continue;
      if (role === 'assistant') earlier.push({ position, sources: [...sources], text });
      sources.push({ id: `m${i}`, label: role, format: role === 'tool' ? 'json' : 'text', text });
    }
    return earlier;
  });
}

function lines<Row>(file: string, row: z.ZodType<Row>): readonly Row[] {
  return readFileSync(join(dataDir(), file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => row.parse(JSON.parse(line)));
}
