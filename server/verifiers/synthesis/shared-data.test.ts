import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SynthesisSubject } from './subject';
import { traceClaims } from './trace-claims';

const Row = z.object({
  messages: z.array(
    z.object({ role: z.string(), content: z.string().nullish(), name: z.string().optional() }),
  ),
});

function dataFile(): string {
  return resolve(
    process.env['ASSAY_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data'),
    'agent-tau-airline.jsonl',
  );
}

/**
 * The agent's message right after tools had answered, and their answers until
 * then.
 */
function readAnswers(): readonly SynthesisSubject[] {
  return (
    readFileSync(dataFile(), 'utf8')
      .trim()
      .split('\n')
      // A quarter of them: each task was tried four times.
      .filter((_, i) => i % 4 === 0)
      .flatMap((line) => {
        const { messages } = Row.parse(JSON.parse(line));
        const outputs: object[] = [];
        let query = '';
        return messages.flatMap(({ role, content, name }, i) => {
          if (role === 'user') query = content ?? '';
          if (role === 'tool')
            outputs.push({ id: `call-${outputs.length + 1}`, agent: name, data: content });
          const isAnswer =
            role === 'assistant' &&
            messages[i - 1]?.role === 'tool' &&
            (content ?? '').trim() !== '' &&
            query.trim() !== '';
          return isAnswer
            ? [SynthesisSubject.parse({ query, answer: content, agent_outputs: outputs })]
            : [];
        });
      })
  );
}

/** Digits of a claim's figures, replaced by others that occur in no output. */
function corrupted(text: string): string {
  return text.replaceAll(/(?<![\p{L}\d_])\d+(?![\p{L}\d_])/gu, (digits) =>
    digits.length < 3 ? String((Number(digits) + 7) % 24) : `9${digits}7`,
  );
}

describe('an airline agent and its tools', () => {
  test('SOAR-21 SOAR-24 statements of tools are for a judge, except figures that none of them gave', (context) => {
    if (!existsSync(dataFile())) return context.skip('skipped: shared data not present');
    const counts = { supported: 0, unsupported: 0, undecided: 0 };
    let [changed, caught] = [0, 0];
    for (const subject of readAnswers()) {
      for (const { claim } of traceClaims(subject)) {
        counts[claim.state]++;
        const { start, end } = claim;
        const wrong = corrupted(claim.text);
        if (claim.state === 'unsupported' || wrong === claim.text || start === null || end === null)
          continue;
        const signs = Array.from(subject.answer);
        const answer = [...signs.slice(0, start), wrong, ...signs.slice(end)].join('');
        const again = traceClaims({ ...subject, answer }).find(
          (each) => each.claim.start === start,
        );
        changed++;
        if (again?.claim.state === 'unsupported') caught++;
        // The answer is not in any summary, so no words support it.
        expect(again?.claim.state).not.toBe('supported');
      }
    }
    const all = counts.supported + counts.unsupported + counts.undecided;
    process.stdout.write(
      `claims of the airline agent: ${all}; without a judge ${counts.supported} supported, ${counts.unsupported} unsupported, ${counts.undecided} left; ${caught} of ${changed} with a corrupted figure are unsupported\n`,
    );
    expect(all).toBeGreaterThan(200);
    expect(changed).toBeGreaterThan(50);
    expect(caught / changed).toBeGreaterThan(0.3);
  }, 120_000);
});
