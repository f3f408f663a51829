import {
  type Material,
  noSubject,
  outputText,
  type Read,
  readBy,
  type Readings,
} from '../subjects/reading';
import { taskIds } from '../subjects/task-id';
import { MissionSubject } from './subject';

/** The goal of a mission, and its tasks with the results of their verdicts. */
export const missionReadings: Readings<MissionSubject> = { mission: readMission };

function readMission({ subject }: Material): Read<MissionSubject> {
  const turns = 'turns' in subject ? subject.turns : [];
  if (turns.length === 0) return noSubject('no_tasks', 'nothing was done under the mission');
  const description = subject.input.last_user ?? '';
  if (description.trim() === '')
    return noSubject('no_description', 'nothing says what the mission is to achieve');
  const ids = taskIds(turns);
  return readBy(MissionSubject, {
    description,
    tasks: turns.map((turn, at) => {
      const verdicts = Object.values(turn.verdicts);
      const scored = verdicts.find(({ score }) => score !== null) ?? verdicts[0];
      return {
        task_id: ids[at],
        description: turn.input.last_user ?? '',
        output: outputText(turn),
        verification_id: scored?.verification_id ?? null,
        score: scored?.score ?? null,
        verdict: scored === undefined ? null : (scored.verdict ?? scored.outcome),
      };
    }),
  });
}
