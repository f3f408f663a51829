import type { PipelineData } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { ValueText } from '../../traces/value-text';
import { LongText } from '../../verdicts/[id]/block';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { attemptStatus, nextText, worstOf } from '../checkpoint-words';
import { AttemptCard } from './attempt-card';
import { Fold } from './fold';
import { Attempts, Step } from './step';

type SubgoalOutputs = PipelineData['outputs'][number];
type Attempt = SubgoalOutputs['attempts'][number];

/** The outputs of agents for each subgoal, with all attempts. */
export function OutputStep({
  project,
  subgoals,
}: {
  project: string;
  subgoals: readonly SubgoalOutputs[];
}) {
  if (subgoals.length === 0) {
    return (
      <Step name="Agent outputs">
        <p className="text-ink-3">None was sent for verification.</p>
      </Step>
    );
  }
  const lasts = subgoals.flatMap(({ attempts }) => attempts.slice(-1));
  const count = (state: string): number =>
    lasts.filter((attempt) => attemptStatus(attempt).state === state).length;
  const status = worstOf({
    steps: lasts.length,
    attempts: lasts.length,
    pass: count('passed'),
    retry: count('needs_review'),
    fail: count('failed'),
    undecided: count('inconclusive') + count('skipped'),
    pending: count('pending'),
  });
  return (
    <Step
      name="Agent outputs"
      status={{ ...status, word: `${count('passed')} of ${lasts.length} PASS` }}
      aside={
        <span className="text-ink-3">
          {subgoals.length === 1 ? '1 subgoal' : `${subgoals.length} subgoals`}
        </span>
      }
    >
      <ul className="grid min-w-0 gap-4">
        {subgoals.map(({ subgoal, attempts }) => (
          <li key={subgoal.id} className="grid min-w-0 gap-2">
            <p className="min-w-0 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              <code className="text-12 font-mono font-semibold">
                {subgoal.id === '' ? 'no subgoal named' : <VisibleText text={subgoal.id} />}
              </code>{' '}
              <VisibleText text={subgoal.description} />
              {subgoal.critical ? (
                <span className="text-12 border-line-strong rounded-4 ml-2 border px-1.5">
                  critical
                </span>
              ) : null}
            </p>
            <Attempts label={`Attempts at subgoal ${subgoal.id}`} count={attempts.length}>
              {attempts.map((attempt, index) => (
                <OutputCard
                  key={attempt.verdictId}
                  project={project}
                  attempt={attempt}
                  number={index + 1}
                  subgoal={subgoal.id}
                  before={attempts[index - 1] ?? null}
                />
              ))}
            </Attempts>
          </li>
        ))}
      </ul>
    </Step>
  );
}

interface OutputCardProps {
  project: string;
  attempt: Attempt;
  number: number;
  subgoal: string;
  before: Attempt | null;
}

function OutputCard({ project, attempt, number, subgoal, before }: OutputCardProps) {
  const { agent, summary, data, confidence, toolsUsed, formatErrors, warning } = attempt;
  const next = nextText(attempt.next, attempt.nextAgent);
  const isOther = before !== null && before.agent !== agent;
  return (
    <AttemptCard
      project={project}
      name={`${subgoal} attempt ${number}`}
      number={number}
      attempt={attempt}
      measured={
        confidence === null ? (
          <span>no confidence stated</span>
        ) : confidence === attempt.score ? null : (
          <span>confidence {plainNumber(confidence)}</span>
        )
      }
    >
      <p className="[overflow-wrap:anywhere]">
        <span className="text-12 text-ink-3">Agent</span>{' '}
        <span className={isOther ? 'bg-accent-wash rounded-4 px-1' : ''}>
          {agent === null ? 'not named' : <VisibleText text={agent} />}
        </span>
        {isOther ? <span className="text-12"> another than before</span> : null}
      </p>
      {formatErrors.length === 0 ? null : (
        <div className="grid gap-1">
          <h4 className="text-12 text-ink-3">Faults of form</h4>
          <ul className="grid list-disc gap-1 pl-4">
            {formatErrors.map((each, index) => (
              <li key={index} className="[overflow-wrap:anywhere]">
                <VisibleText text={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {summary === '' ? <p className="text-ink-3">No summary</p> : <LongText text={summary} />}
      {toolsUsed.length === 0 ? null : (
        <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
          <span className="text-ink-3">Tools</span> <VisibleText text={toolsUsed.join(', ')} />
        </p>
      )}
      {data === null || data === '{}' || data === 'null' ? null : (
        <Fold summary="Data">
          <ValueText text={data} />
        </Fold>
      )}
      {warning === null ? null : (
        <p className="[overflow-wrap:anywhere]">
          <span className="text-12 text-ink-3">Warning</span> <VisibleText text={warning} />
        </p>
      )}
      {next === null ? null : (
        <p className="[overflow-wrap:anywhere]">
          <span className="text-12 text-ink-3">Next</span> <VisibleText text={next} />
        </p>
      )}
    </AttemptCard>
  );
}
