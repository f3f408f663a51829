// The demo's scripted quality lead: half-way through the tasks, moves a threshold and edits a
// prompt; at their end, saves a candidate of the prompt for a trial. All changes are dated now, not
// at a simulated time.

/** @typedef {import('./call-api.mjs').CallApi} CallApi */

const moved = { verifier: 'task', key: 'pass_threshold', value: 0.8 };
/** The prompt that judges the tasks of the demo. */
const promptSlug = 'task-rubric';
const added = 'Judge each criterion by itself: that one is met says nothing about another.';

const candidateText = 'Where a criterion names a day, a date counts as one.';

/**
 * Saves a candidate, based on the version in production, without promoting it. Repeating it changes
 * nothing.
 * @param {CallApi} call @returns {Promise<{ slug: string, version: number }>}
 */
export async function saveCandidate(call) {
  const { production_version: runs, latest_version: latest } = await call(
    `/v1/prompts/${promptSlug}`,
  );
  if (Number(latest) > Number(runs)) return { slug: promptSlug, version: Number(latest) };
  const { body } = await call(`/v1/prompts/${promptSlug}/versions/${Number(runs)}`);
  const { version } = await call(`/v1/prompts/${promptSlug}/versions`, {
    body: `${String(body).trimEnd()}\n\n${candidateText}\n`,
    message: 'Scripted quality lead: dates count as days',
  });
  return { slug: promptSlug, version: Number(version) };
}

/**
 * Repeating it changes nothing. @param {CallApi} call @returns {Promise<string[]>} the changes, one
 * per line
 */
export async function changeSettings(call) {
  await call(
    `/v1/thresholds/${moved.verifier}/${moved.key}`,
    {
      value: moved.value,
      reason: 'Scripted quality lead: reports that are hardly good enough are to be looked at.',
    },
    'PUT',
  );
  const { production_version: runs } = await call(`/v1/prompts/${promptSlug}`);
  const { body } = await call(`/v1/prompts/${promptSlug}/versions/${Number(runs)}`);
  const text = String(body);
  if (text.includes(added)) return [`${moved.verifier}: ${moved.key} is ${moved.value}`];
  const saved = await call(`/v1/prompts/${promptSlug}/versions`, {
    body: `${text.trimEnd()}\n\n${added}\n`,
    message: 'Scripted quality lead: one criterion at a time',
  });
  await call(`/v1/prompts/${promptSlug}/labels/production`, { version: saved.version }, 'PUT');
  return [
    `${moved.verifier}: ${moved.key} is ${moved.value}`,
    `${promptSlug}: version ${String(saved.version)} runs`,
  ];
}
