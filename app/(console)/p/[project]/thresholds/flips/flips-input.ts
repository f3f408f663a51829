import type { ThresholdAddress } from '../addresses';

/** Input of the procedure; null if the URL does not name a key and a value. */
export function flipsInput(
  project: string,
  { verifier, key, value, mission, task, days }: ThresholdAddress,
) {
  if (verifier === null || key === null || value === null) return null;
  return { project, verifier, key, value, scope: { mission_id: mission, task_id: task }, days };
}

export type FlipsInput = NonNullable<ReturnType<typeof flipsInput>>;
