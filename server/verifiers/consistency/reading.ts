import { isBlank } from '../../domain';
import {
  type Material,
  noSubject,
  outputText,
  type Read,
  readBy,
  type Readings,
} from '../subjects/reading';
import { taskIds } from '../subjects/task-id';
import { ConsistencySubject } from './subject';

/** The maximum number of outputs compared; the latest ones are used. */
const OUTPUTS_MAX = 20;

/** The outputs of a session or a mission. */
export const consistencyReadings: Readings<ConsistencySubject> = {
  session: readOutputs,
  mission: readOutputs,
};

function readOutputs({ subject }: Material): Read<ConsistencySubject> {
  const turns =
    'turns' in subject ? subject.turns.filter((turn) => !isBlank(outputText(turn))) : [];
  if (turns.length < 2)
    return noSubject('one_output', `the ${subject.target} has fewer than two outputs to compare`);
  const ids = taskIds(turns);
  const outputs = turns.map((turn, at) => ({ task_id: ids[at], output: outputText(turn) }));
  return readBy(ConsistencySubject, { outputs: outputs.slice(-OUTPUTS_MAX) });
}
