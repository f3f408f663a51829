import { intakeLimits, type SubjectOf } from '../../domain';
import { isObject, textAt } from './json-value';

/** The client's name for the task of each turn, else the turn's id; without duplicates. */
export function taskIds(turns: readonly SubjectOf<'turn'>[]): string[] {
  const used = new Set<string>();
  return turns.map(({ id, metadata }, at) => {
    const assay = isObject(metadata.assay) ? metadata.assay : {};
    const named = textAt(metadata, 'task_id') ?? textAt(assay, 'task.id') ?? id ?? `turn-${at + 1}`;
    const start = named.slice(0, intakeLimits.idChars - 10);
    let own = start;
    for (let number = 2; used.has(own); number++) own = `${start}#${number}`;
    used.add(own);
    return own;
  });
}
