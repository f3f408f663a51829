// The trial of a candidate prompt of the task judge on the labelled tasks, while the simulated
// judge runs: its page shows the finding that the promotion gate uses.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { saveCandidate } from './quality-lead.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */

/**
 * @typedef {object} PromptTrial
 * @property {string} prompt
 * @property {number} subjects
 * @property {string} finding of the promotion gate
 */

/** @type {Readonly<Record<string, string>>} */
const findings = {
  better: 'better than the version in production',
  not_worse: 'not worse than the version in production',
  worse: 'worse than the version in production',
  insufficient: 'too little data',
  could_not_run: 'could not run',
};

/**
 * @param {{ call: CallApi, waitMs: number, seed: number }} options
 * @returns {Promise<PromptTrial>}
 */
export async function runTrial({ call, waitMs, seed }) {
  const { slug, version } = await saveCandidate(call);
  const { id } = await call(`/v1/prompts/${slug}/versions/${version}/trials`, {
    subjects: 60,
    order: 'sample',
    seed,
    held_out: true,
  });
  for (const until = Date.now() + waitMs; ; await sleep(500)) {
    const trial = await call(`/v1/prompts/${slug}/trials/${String(id)}`);
    if (trial.state === 'done') {
      const gate = /** @type {{ verdict: string } | null} */ (trial.gate);
      return {
        prompt: `${slug}@${version}`,
        subjects: Number(trial.total),
        finding: findings[gate?.verdict ?? ''] ?? 'compared with nothing',
      };
    }
    if ((trial.state !== 'waiting' && trial.state !== 'running') || Date.now() > until)
      throw new Failure(
        `The trial of ${slug}@${version} is ${String(trial.state)}: ${String(trial.reason)}`,
      );
  }
}
