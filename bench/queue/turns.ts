import { newId } from '../../server/platform';
import type { NewTurn } from '../../server/traces';
import { prepareTurn } from '../../server/traces';

/** The JSON of a turn with a figure that its source has and one that it has not. */
export function turnJson(id: string): string {
  return JSON.stringify({
    id,
    model: 'openai/gpt-4o',
    output: 'The disk of web-1 is at 91.4% and 77 GB are free.',
    tools: [{ id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }],
  });
}

/** A turn that is owed a verdict at once, as the intake hands it to its commit. */
export function owedTurn(projectId: string, id: string): NewTurn {
  const now = new Date();
  return {
    projectId,
    turn: prepareTurn(Buffer.from(turnJson(id)), true, { now, idSeed: null }),
    origin: 'api',
    owed: { verdicts: [{ verdictId: newId('ver', now), verifier: 'integrity', rule: 'integrity', delaySeconds: 0 }], decisions: [] },
    owner: null,
  };
}
