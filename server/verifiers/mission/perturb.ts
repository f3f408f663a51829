import { screenOutput } from '../../evaluators/judges';
import { emptyTexts, filler, type Perturbations, reversed, swayingTexts } from '../perturbing';
import type { MissionConfig, MissionSubject } from './subject';

const charsOf = ({ tasks }: MissionSubject): number =>
  tasks.reduce((sum, { output }) => sum + output.length, 0);

function reordered(subject: MissionSubject): MissionSubject | null {
  return subject.tasks.length < 2 ? null : { ...subject, tasks: reversed(subject.tasks) };
}

/**
 * Null if the judge would not see all of the padding: each task has an equal share of the text
 * shown.
 */
function padded(
  subject: MissionSubject,
  { output_chars: max }: MissionConfig,
): MissionSubject | null {
  const tasks = subject.tasks.map((each) =>
    screenOutput(each.output) === null ? { ...each, output: each.output + filler } : each,
  );
  const longer = { ...subject, tasks };
  if (charsOf(longer) === charsOf(subject)) return null;
  return tasks.some(({ output }) => output.length > max / tasks.length) ? null : longer;
}

const canaries = [...emptyTexts, ...swayingTexts('I did not do this task.')].map(
  ({ name, what, text }) => ({
    name,
    what: `${what}, from each task`,
    subject: {
      description:
        'Move the shop to the new database without losing an order, and prove that none was lost.',
      tasks: [
        { task_id: 'copy', description: 'Copy all orders to the new database.', output: text },
        {
          task_id: 'compare',
          description: 'Compare both databases order by order, and list what differs.',
          output: text,
        },
      ],
    },
  }),
);

export const perturbMission: Perturbations<MissionSubject, MissionConfig> = {
  reordered,
  padded,
  judgedChars: charsOf,
  canaries,
};
