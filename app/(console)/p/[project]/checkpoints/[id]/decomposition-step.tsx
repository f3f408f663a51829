import type { PipelineData } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { dimensionName, attemptStatus } from '../checkpoint-words';
import { AttemptCard } from './attempt-card';
import { type Change, changeGround, ChangeMark } from './change-mark';
import { Fold } from './fold';
import { Attempts, Step } from './step';

type Attempt = PipelineData['decompositions'][number];
type Decomposition = NonNullable<Attempt['decomposition']>;
type Subgoal = Decomposition['subgoals'][number];

interface DecompositionStepProps {
  project: string;
  attempts: readonly Attempt[];
  isRecorded: boolean;
}

export function DecompositionStep({ project, attempts, isRecorded }: DecompositionStepProps) {
  const last = attempts.at(-1);
  if (last === undefined) {
    return (
      <Step name="Decomposition">
        <p className="text-ink-3">
          {isRecorded ? 'None was recorded.' : 'None was sent for verification.'}
        </p>
      </Step>
    );
  }
  return (
    <Step name="Decomposition" status={attemptStatus(last)}>
      <Attempts label="Attempts at the decomposition" count={attempts.length}>
        {attempts.map((attempt, index) => (
          <AttemptCard
            key={attempt.verdictId}
            project={project}
            name={`decomposition attempt ${index + 1}`}
            number={index + 1}
            attempt={attempt}
            measured={
              attempt.option === null ? null : (
                <span>
                  {attempt.option === 'self' ? 'option A, self' : 'option B, adversarial'}
                </span>
              )
            }
          >
            <Scores attempt={attempt} />
            {attempt.decomposition === null ? (
              <p className="text-ink-3">Too large to be shown here.</p>
            ) : (
              <Subgoals decomposition={attempt.decomposition} />
            )}
            {attempt.suggestions.length === 0 ? null : (
              <Fold
                summary={
                  attempt.suggestions.length === 1
                    ? '1 suggestion'
                    : `${attempt.suggestions.length} suggestions`
                }
              >
                <ul className="grid list-disc gap-1 pl-4">
                  {attempt.suggestions.map((each, at) => (
                    <li key={at} className="[overflow-wrap:anywhere]">
                      <VisibleText text={each} />
                    </li>
                  ))}
                </ul>
              </Fold>
            )}
          </AttemptCard>
        ))}
      </Attempts>
    </Step>
  );
}

function Scores({ attempt: { scores, stated, score, verdict } }: { attempt: Attempt }) {
  if (scores === null || scores.length === 0) return null;
  const claims = [
    ...(stated.overall !== null && score !== null && Math.abs(stated.overall - score) > 0.00005
      ? [`overall ${stated.overall}`]
      : []),
    ...(stated.verdict !== null && stated.verdict !== verdict ? [stated.verdict] : []),
  ];
  return (
    <div className="grid gap-1">
      <dl className="flex flex-wrap gap-x-5 gap-y-0.5">
        {scores.map(([name, value]) => (
          <div key={name} className="grid">
            <dt className="text-12 text-ink-3">{dimensionName(name)}</dt>
            <dd className="font-semibold">{value.toFixed(2)}</dd>
          </div>
        ))}
      </dl>
      {claims.length === 0 ? null : (
        <p className="text-12 text-ink-3">
          The judge itself reported {claims.join(', ')}; the computed values count.
        </p>
      )}
    </div>
  );
}

/** Subgoals shown before the list is expanded. */
const shown = 8;

function Subgoals({
  decomposition: { goal, subgoals, subgoalCount, order, changes },
}: {
  decomposition: Decomposition;
}) {
  const hiddenSubgoals = subgoals.slice(shown);
  return (
    <div className="grid min-w-0 gap-2">
      {goal === '' ? null : (
        <p className="[overflow-wrap:anywhere] [unicode-bidi:isolate]">
          <span className="text-12 text-ink-3">Goal</span> <VisibleText text={goal} />
        </p>
      )}
      <h4 className="text-12 text-ink-3">
        {subgoalCount.toLocaleString('en')} {subgoalCount === 1 ? 'subgoal' : 'subgoals'}
        {changes === null ? '' : `, against the previous attempt: ${changeText(changes)}`}
      </h4>
      <ul className="grid gap-1">
        {subgoals.slice(0, shown).map((subgoal, index) => (
          <SubgoalItem key={index} subgoal={subgoal} change={subgoal.change} />
        ))}
        {changes?.removed.map((subgoal, index) => (
          <SubgoalItem
            key={`removed ${index}`}
            subgoal={{ ...subgoal, requires: [], change: null, fields: [] }}
            change="removed"
          />
        ))}
      </ul>
      {hiddenSubgoals.length === 0 ? null : (
        <Fold summary={`${(subgoalCount - shown).toLocaleString('en')} more`}>
          <ul className="grid gap-1">
            {hiddenSubgoals.map((subgoal, index) => (
              <SubgoalItem key={index} subgoal={subgoal} change={subgoal.change} />
            ))}
          </ul>
          {subgoalCount > subgoals.length ? (
            <p className="text-ink-3">
              The last {(subgoalCount - subgoals.length).toLocaleString('en')} are on the verdict’s
              page.
            </p>
          ) : null}
        </Fold>
      )}
      {order.length === 0 ? null : (
        <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
          <span className="text-ink-3">Order</span>{' '}
          {order.map(({ phase, subgoals: ids }, index) => (
            <span key={index}>
              {index === 0 ? '' : ' → '}
              {phase} (<VisibleText text={ids.join(', ')} />)
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function changeText({
  added,
  altered,
  removedCount,
}: NonNullable<Decomposition['changes']>): string {
  const parts = [
    [added, 'added'],
    [altered, 'altered'],
    [removedCount, 'removed'],
  ] as const;
  const some = parts.flatMap(([count, word]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${word}`],
  );
  return some.length === 0 ? 'nothing changed' : some.join(', ');
}

const fieldNames: Record<Subgoal['fields'][number], string> = {
  description: 'description',
  agent: 'agent',
  dependsOn: 'dependencies',
};

function SubgoalItem({ subgoal, change }: { subgoal: Subgoal; change: Change | null }) {
  const { id, description, agent, dependsOn, requires, fields } = subgoal;
  return (
    <li
      className={`border-line rounded-4 grid min-w-0 gap-0.5 border px-2 py-1 ${changeGround(change)}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-2">
        <code className="text-12 min-w-0 font-mono font-semibold [overflow-wrap:anywhere]">
          {id === '' ? 'no id' : <VisibleText text={id} />}
        </code>
        <span className="text-12 text-ink-2 min-w-0 [overflow-wrap:anywhere]">
          {agent === null ? 'no agent' : <VisibleText text={agent} />}
        </span>
        {change === null ? null : (
          <span className="ml-auto">
            <ChangeMark
              change={change}
              {...(fields.length > 0 && {
                what: fields.map((field) => fieldNames[field]).join(', '),
              })}
            />
          </span>
        )}
      </div>
      <p className="[overflow-wrap:anywhere] [unicode-bidi:isolate]">
        {description === '' ? (
          <span className="text-ink-2">No description</span>
        ) : (
          <VisibleText text={description} />
        )}
      </p>
      {dependsOn.length + requires.length === 0 ? null : (
        <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
          {dependsOn.length === 0 ? null : (
            <>
              after <VisibleText text={dependsOn.join(', ')} />
            </>
          )}
          {dependsOn.length > 0 && requires.length > 0 ? '; ' : ''}
          {requires.length === 0 ? null : (
            <>
              needs <VisibleText text={requires.join(', ')} />
            </>
          )}
        </p>
      )}
    </li>
  );
}
