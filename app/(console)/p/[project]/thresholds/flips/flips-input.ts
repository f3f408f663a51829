import type { DeskAddress } from '../addresses';

/** Input of the procedure; null where the address does not say which value of what. */
export function flipsInput(
  project: string,
  { verifier, key, value, mission, task, days }: DeskAddress,
) {
  if (verifier === null || key === null || value === null) return null;
  return { project, verifier, key, value, scope: { mission_id: mission, task_id: task }, days };
}

export type FlipsInput = NonNullable<ReturnType<typeof flipsInput>>;
