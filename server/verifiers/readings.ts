/** How each kind reads what arrives, where no mapping says otherwise. One line a kind. */
import { agentOutputReadings } from './agent-output/reading';
import { codeReadings } from './code/reading';
import { consistencyReadings } from './consistency/reading';
import { decompositionReadings } from './decomposition/reading';
import { integrityReadings } from './integrity/reading';
import { missionReadings } from './mission/reading';
import type { Material, Read, Readings } from './subjects/reading';
import { synthesisReadings } from './synthesis/reading';
import { taskReadings } from './task/reading';
import { turnReadings } from './turn/reading';

export const readings: ReadonlyMap<string, Readings<unknown>> = new Map<string, Readings<unknown>>([
  ['task', taskReadings],
  ['code', codeReadings],
  ['integrity', integrityReadings],
  ['turn', turnReadings],
  ['consistency', consistencyReadings],
  ['mission', missionReadings],
  ['decomposition', decompositionReadings],
  ['agent-output', agentOutputReadings],
  ['synthesis', synthesisReadings],
]);

/** The kind's own subject, or why there is none (decision `no_subject`). */
export function readSubject(kind: string, material: Material): Read<unknown> {
  const { target } = material.subject;
  const reading = readings.get(kind)?.[target];
  if (reading !== undefined) return reading(material);
  return { reason: 'target', message: `${kind} does not read a ${target} without a mapping` };
}
